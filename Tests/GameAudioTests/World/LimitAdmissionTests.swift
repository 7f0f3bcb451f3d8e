import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// What the limits of a sound and of its buses decide about a newcomer, compared with a search of all emitters.
@Suite struct LimitAdmissionTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// The decision of one limit about a newcomer: the victim, or `nil` for none; `isRefused` where it does not play.
  private static func decide(
    _ limit: PlaybackLimit,
    _ slot: EmitterSlot,
    among players: [EmitterSlot],
    _ state: WorldState
  ) -> (victim: EmitterSlot?, isVirtual: Bool, isRefused: Bool) {
    guard players.count >= limit.count else { return (nil, false, false) }
    func loudness(_ slot: EmitterSlot) -> Float { state.playback.scene.audibility(of: slot).audible }
    func distance(_ slot: EmitterSlot) -> Float {
      (state.playback.scene.emitters.position(of: slot) - state.playback.scene.space.listeners.first.position).length
    }
    switch limit.whenReached {
    case .refuse: return (nil, false, true)
    case .virtualize: return (nil, true, false)
    case .stealOldest:
      let victim = players.min { state.playback.scene.emitters[$0].order < state.playback.scene.emitters[$1].order }
      return (victim, false, victim == nil)
    case .stealQuietest:
      let victim = players.min { loudness($0) < loudness($1) }.flatMap { loudness($0) < loudness(slot) ? $0 : nil }
      return (victim, false, victim == nil)
    case .stealFarthest:
      let victim = players.max { distance($0) < distance($1) }.flatMap { distance($0) > distance(slot) ? $0 : nil }
      return (victim, false, victim == nil)
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `The victims are those of each limit in turn, from the sound to the main bus`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (refused, stolen, virtual, admitted) = (0, 0, 0, 0)
    let context = try OfflineRenderer(format: Self.mono).context
    for _ in 0..<60 {
      func limit(_ count: ClosedRange<Int>) -> PlaybackLimit? {
        let overflow = PlaybackLimit.Overflow.allCases.randomElement(using: &random) ?? .refuse
        return Bool.random(using: &random)
          ? PlaybackLimit(.random(in: count, using: &random), whenReached: overflow) : nil
      }
      let sounds = (0..<2).map { _ in
        var sound = Sound(TestSignal.sine(frequency: 400, duration: .milliseconds(5), format: Self.mono))
        sound.limit = limit(1...4)
        return sound
      }
      let all = (0..<14).map { sounds[$0 % 2] }
      var state = try CommandState(all, mixesByFrames: true, voices: 6, in: context).state
      for (name, parent) in [("outer", 0), ("inner", 1), ("other", 0)] {
        _ = state.playback.scene.mixer.makeBus(name, in: BusIndex(parent), isDirect: false)
      }
      for slot in state.playback.scene.emitters.indices {
        state.playback.setBus(BusIndex(.random(in: 0..<4, using: &random)), of: slot)
        let place = SIMD3<Float>(.random(in: -30...30, using: &random), 0, .random(in: -30...30, using: &random))
        state.playback.scene.emitters.setPosition(place, of: slot)
        state.playback.scene.emitters[stored: slot].gain = .random(in: 0.1...1, using: &random)
      }
      for slot in state.playback.scene.emitters.indices.prefix(12).shuffled(using: &random) { state.play(slot) }
      for bus in state.playback.scene.mixer.buses.indices { state.apply(.limit(limit(1...9)), to: bus) }
      // The newcomer has the loudness of its beginning.
      for slot in state.playback.scene.emitters.indices.suffix(2) {
        let identity = state.playback.scene.sounds[state.playback.scene.emitters[slot].sound].identity
        var (victims, isVirtual, isRefused) = ([EmitterSlot](), false, false)
        var scopes: [(PlaybackLimit, (EmitterSlot) -> Bool)] = []
        if let limit = state.playback.scene.sounds[state.playback.scene.emitters[slot].sound].limit {
          scopes.append(
            (
              limit,
              { [state] in
                state.playback.scene.sounds[state.playback.scene.emitters[$0].sound].identity == identity
              }
            )
          )
        }
        for bus in state.playback.scene.mixer.buses.path(from: state.playback.scene.emitters.bus(of: slot)) {
          guard let limit = state.playback.scene.mixer.buses[bus].limit else { continue }
          scopes.append(
            (
              limit,
              { [state] in
                state.playback.scene.mixer.buses.isBus(state.playback.scene.emitters.bus(of: $0), inside: bus)
              }
            )
          )
        }
        var fits = true
        for (limit, isInside) in scopes {
          let inside = state.playback.scene.emitters.indices.filter {
            state.playback.scene.emitters[$0].counts && isInside($0)
          }
          if inside.count >= limit.count { fits = false }
          guard !isRefused else { continue }
          let decision = Self.decide(limit, slot, among: inside.filter { !victims.contains($0) }, state)
          isVirtual = isVirtual || decision.isVirtual
          isRefused = decision.isRefused
          if let victim = decision.victim { victims.append(victim) }
        }
        let admission = state.playback.scene.admit(slot)
        #expect((admission == nil) == isRefused && state.playback.scene.hasRoom(for: slot) == fits)
        guard let admission else {
          refused += 1
          continue
        }
        #expect(admission.victims == victims && admission.isVirtual == isVirtual)
        stolen += victims.isEmpty ? 0 : 1
        virtual += isVirtual ? 1 : 0
        admitted += victims.isEmpty && !isVirtual ? 1 : 0
      }
    }
    #expect(refused > 3 && stolen > 3 && virtual > 3 && admitted > 3, "\((refused, stolen, virtual, admitted))")
  }

  @Test func `A beginning is noted at the sound and at each bus above it, and a play too soon after it is none`() throws
  {
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono))
    sound.limit = PlaybackLimit(9, spacing: .milliseconds(10))
    var state = try CommandState([sound, sound], mixesByFrames: true).state
    for (name, parent) in [("outer", 0), ("inner", 1), ("other", 0)] {
      _ = state.playback.scene.mixer.makeBus(name, in: BusIndex(parent), isDirect: false)
    }
    state.playback.setBus(2, of: 0)
    state.play(0, at: Self.mono.duration(ofFrames: 700))
    let identity = state.playback.scene.sounds[state.playback.scene.emitters[0].sound].identity
    #expect(state.playback.scene.sounds.plays(of: identity).lastBegin == 700)
    #expect(
      state.playback.scene.mixer.buses.records.map(\.lastBegin) == [700, 700, 700, nil]
        && state.playback.scene.mixer.buses.records.map(\.counted) == [1, 1, 1, 0]
    )
    for (frame, isTooSoon) in [(0, false), (220, false), (221, true), (700, true), (1_179, true), (1_180, false)] {
      #expect(state.playback.scene.isTooSoon(1, at: frame) == isTooSoon, "\(frame)")
    }
    state.apply(.limit(PlaybackLimit(9, spacing: .milliseconds(20))), to: 0 as BusIndex)
    #expect(state.playback.scene.isTooSoon(1, at: 1_659) && !state.playback.scene.isTooSoon(1, at: 1_660))
    state.apply(.limit(nil), to: 0 as BusIndex)
    state.apply(.limit(PlaybackLimit(9, spacing: .seconds(1))), to: 3 as BusIndex)
    #expect(!state.playback.scene.isTooSoon(1, at: 5_000))
    // Another bus takes the count along.
    state.playback.setBus(3, of: 0)
    #expect(state.playback.scene.mixer.buses.records.map(\.counted) == [1, 0, 0, 1])
    state.apply(.pause(.none), to: 3 as BusIndex)
    #expect(
      state.playback.scene.mixer.buses.records.map(\.counted) == [0, 0, 0, 0]
        && state.playback.scene.sounds.plays(of: identity).counted == 0
    )
  }
}
