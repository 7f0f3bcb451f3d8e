import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The shares of a voice that go to the units of zones, against a second computation, without ticks.
@Suite struct ZoneFeedTests {
  /// A state with an emitter on a bus, six zones and three units of effects.
  private struct Scene {
    var state: WorldState
    var pool = ZonePool()
    var weights: ZoneWeights
    var sendLimit = 2
    let zones: [ReverbZone]
    let slot: EmitterSlot
    let units: [EffectUnit]
    let own: [EffectUnit]

    init() throws {
      let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      let world = AudioWorld(in: offline.context, voiceLimit: 2)
      let bus = world.mixer.makeBus("rooms")
      let tone = TestSignal.sine(frequency: 400, duration: .seconds(1), format: .mono(sampleRate: 48_000))
      let emitter = Emitter(playing: Sound(tone), in: world, on: bus)
      slot = emitter.slot
      // An echo needs little time.
      units = try (0..<3).map { _ in try EffectUnit(.echo(Effect.Echo()), in: offline.context) }
      own = try (0..<3).map { _ in try EffectUnit(.echo(Effect.Echo()), in: offline.context) }
      state = withExtendedLifetime(emitter) { world.inspector.state }
      zones = (0..<6).map { index in
        let reverb = Reverb(.smallRoom, level: Decibels(-Float(index)))
        return ReverbZone(.sphere(center: [Float(index) * 8, 0, 0], radius: 2), reverb, fade: 7)
      }
      weights = ZoneWeights(zones, after: ZoneWeights(), places: [])
      _ = state.playback.scene.space.listeners.set([Listener(), Listener()])
    }
  }

  private static func update(_ scene: inout Scene) {
    scene.state.playback.scene.space.zones = ZoneState(
      scene.zones,
      scene.units,
      scene.pool,
      weights: scene.weights,
      sendLimit: scene.sendLimit
    )
  }

  /// Changes the pool by some ticks towards a random pair, with parts of the listeners.
  private static func move(_ pool: inout ZonePool, _ frame: inout Int, using random: inout SplitMix64) {
    let first = Int.random(in: -1...5, using: &random)
    let second = first < 0 || Bool.random(using: &random) ? -1 : (first + Int.random(in: 1...3, using: &random)) % 6
    let gains = ZoneLaw.gains(first < 0 ? 0 : .random(in: 0.1...1, using: &random), second < 0 ? 0 : 0.4)
    var pair = ZoneLaw.Pair(
      first: first < 0 ? nil : ZoneIndex(first),
      second: second < 0 ? nil : ZoneIndex(second),
      firstGain: gains.0,
      secondGain: gains.1
    )
    pair.firstShares = [1, .random(in: 0...1, using: &random), 0, 1]
    pair.secondShares = [Bool.random(using: &random) ? 0 : 1, 1, 0, 0]
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      pool.step(to: pair, at: frame) { _ in 20_000 }
      for action in pool.actions {
        if case .open(let unit, _) = action { pool.opened(unit, succeeded: Int.random(in: 0..<6, using: &random) > 0) }
      }
      frame += 512
    }
  }

  /// The shares that the rules give: each unit that is fed, by the law of the sends.
  private static func feeds(_ scene: Scene, room: Int) -> [(unit: Int, gain: Float)] {
    let (state, owner) = (scene.state, scene.state.playback.scene.emitters[scene.slot].listener.position)
    guard state.playback.scene.emitters[scene.slot].isPlaced, room > 0 else { return [] }
    var feeds: [(unit: Int, gain: Float)] = []
    for index in 0..<3 {
      let unit = state.playback.scene.space.zones.pool.units[index]
      guard unit.state == .fed, unit.angle > 0, unit.shares[owner] > 0 else { continue }
      var gain = unit.gain * unit.shares[owner]
      let level = unit.levelGain * unit.shareLevels[owner]
      if let zone = unit.zone, level < 1 {
        let weight = state.playback.scene.space.zones.zones[zone.position].weight(
          at: state.playback.scene.emitters.position(of: scene.slot)
        )
        gain *= ZoneLaw.sendFactor(
          at: level,
          weightAtEmitter: weight * state.playback.scene.space.zones.weights.shares[zone.position][owner]
        )
      }
      feeds.append((index, gain))
    }
    guard room == 1, let strongest = feeds.map(\.gain).max() else { return feeds }
    return [feeds.first { $0.gain == strongest }].compactMap { $0 }
  }

  @Test func `The shares are those of the units that are fed, as many as the sends of the game leave`() throws {
    var random = SplitMix64(seed: 71)
    var (scene, frame) = (try Scene(), 0)
    var counts: [Int: Int] = [:]
    for _ in 0..<1_500 {
      Self.move(&scene.pool, &frame, using: &random)
      let (heads, zones) = ((0..<2).map { _ in Float.random(in: -5...45, using: &random) }, scene.zones)
      scene.weights.update(listeners: 2) { zones[$0.position].weight(at: [heads[$1], 0, 0]) }
      scene.sendLimit = Int.random(in: 0...4, using: &random)
      Self.update(&scene)
      scene.state.playback.scene.emitters[stored: scene.slot].listener = ListenerIndex(
        .random(in: 0...1, using: &random)
      )
      scene.state.playback.scene.emitters[stored: scene.slot].placement =
        Int.random(in: 0..<9, using: &random) > 0 ? .placed : .unplaced
      scene.state.playback.scene.emitters.setPosition([.random(in: -5...45, using: &random), 0, 0], of: scene.slot)
      let own = scene.own.prefix(Int.random(in: 0...2, using: &random)).map { VoiceSend(unit: $0, gain: 0.5) }
      let inherited = Bool.random(using: &random) ? [VoiceSend(unit: scene.own[2], gain: 0.2)] : []
      scene.state.playback.scene.emitters.changeRare(scene.slot) { $0.sends = own }
      scene.state.changeBus(1) { $0.sends = inherited }
      let room = scene.sendLimit - own.count - inherited.count
      let expected = Self.feeds(scene, room: room)
      let feeds = scene.state.playback.scene.feeds(of: scene.slot)
      let found = [feeds.first, feeds.second].compactMap { $0 }
      #expect(found.map(\.unit.position) == expected.map(\.unit) && feeds.count == expected.count)
      for (feed, same) in zip(found, expected) { #expect(abs(feed.gain - same.gain) < 1e-5) }
      for unit in 0..<3 {
        #expect(feeds.gain(of: UnitIndex(unit)) == found.first { $0.unit.position == unit }?.gain)
      }
      // The sends of the game come first.
      let sends = scene.state.playback.scene.sends(of: scene.slot, with: feeds)
      let game = own.map { ObjectIdentifier($0.unit) } + inherited.map { ObjectIdentifier($0.unit) }
      let all = game + expected.map { ObjectIdentifier(scene.units[$0.unit]) }
      #expect(sends.map { ObjectIdentifier($0.unit) } == all)
      counts[feeds.count, default: 0] += 1
    }
    #expect((0...2).allSatisfy { counts[$0, default: 0] > 100 }, "\(counts)")
  }

  /// A command for a share of a voice, and whether it ends.
  private struct Change: Equatable {
    let effect: ObjectIdentifier
    let gain: Float?
  }

  @Test func `A share moves where it is audible, begins where there is room, and ends when it is silent`() throws {
    var random = SplitMix64(seed: 72)
    var (scene, frame) = (try Scene(), 0)
    _ = scene.state.playback.scene.space.listeners.set([Listener()])
    scene.state.playback.voices.change(0) { $0 = Voice(state: .sounding, slot: scene.slot) }
    var ends = 0
    for _ in 0..<2_000 {
      if Int.random(in: 0..<4, using: &random) == 0 { Self.move(&scene.pool, &frame, using: &random) }
      scene.sendLimit = Int.random(in: 1...3, using: &random)
      Self.update(&scene)
      let own = scene.own.prefix(Int.random(in: 0...1, using: &random)).map { VoiceSend(unit: $0, gain: 0.5) }
      scene.state.playback.scene.emitters.changeRare(scene.slot) { $0.sends = own }
      let room = scene.sendLimit - own.count
      let wanted = Self.feeds(scene, room: room)
      var old: [(unit: Int, gain: Float)] = []
      for unit in (0..<3).shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)) {
        let factor = [0, 0.96, 1, 1.02, 1.04].randomElement(using: &random) ?? 1 as Float
        let target = wanted.first { $0.unit == unit }?.gain
        old.append((unit, (target ?? (Bool.random(using: &random) ? 0 : 0.3)) * factor))
      }
      var feeds = VoiceFeeds()
      for feed in old { feeds.append(.init(unit: UnitIndex(feed.unit), gain: feed.gain)) }
      scene.state.playback.voices.change(0) { $0.feeds = feeds }
      var (changes, new): ([Change], [(unit: Int, gain: Float)]) = ([], [])
      func effect(_ unit: Int) -> ObjectIdentifier { ObjectIdentifier(scene.units[unit]) }
      for feed in old {
        let target = wanted.first { $0.unit == feed.unit }?.gain
        if target == nil, feed.gain == 0 {
          changes.append(Change(effect: effect(feed.unit), gain: nil))
          ends += 1
        } else if ZoneLaw.isMoved(target ?? 0, from: feed.gain) {
          new.append((feed.unit, target ?? 0))
          changes.append(Change(effect: effect(feed.unit), gain: target ?? 0))
        } else {
          new.append(feed)
        }
      }
      for feed in wanted where !old.contains(where: { $0.unit == feed.unit }) && new.count < min(room, 2) {
        new.append(feed)
        changes.append(Change(effect: effect(feed.unit), gain: feed.gain))
      }
      var earlier: [VoiceCommand] = []
      _ = scene.state.playback.outbox.takeCommands(&earlier)
      scene.state.playback.flushFeeds(of: 0)
      let found = scene.state.playback.outbox.commands.compactMap { command -> Change? in
        switch command {
        case .feed(0, let unit, let gain): Change(effect: ObjectIdentifier(unit), gain: gain)
        case .endFeed(0, let unit): Change(effect: ObjectIdentifier(unit), gain: nil)
        default: nil
        }
      }
      #expect(found == changes)
      let kept = [scene.state.playback.voices[0].feeds.first, scene.state.playback.voices[0].feeds.second].compactMap {
        $0
      }
      #expect(kept.map(\.unit.position) == new.map(\.unit) && kept.map(\.gain) == new.map(\.gain))
    }
    #expect(ends > 50)
    scene.state.playback.voices.change(0) { $0 = Voice() }
  }

  @Test func `A gain is moved from a quarter of a decibel on, and whenever it begins or ends`() {
    for (gain, old, isMoved) in [
      (0, 0, false), (0.001, 0, true), (0, 0.001, true), (0.5, 0.5, false), (1.029, 1, false), (1.0293, 1, true),
      (0.9717, 1, false), (0.9715, 1, true), (0.102, 0.1, false), (0.103, 0.1, true), (0.098, 0.1, false),
      (0.097, 0.1, true),
    ] as [(Float, Float, Bool)] {
      #expect(ZoneLaw.isMoved(gain, from: old) == isMoved, "\(old) to \(gain)")
    }
  }

  @Test func `The largest gain of a listener is that of the zone, and the others have their parts of it`() {
    var random = SplitMix64(seed: 73)
    for _ in 0..<1_000 {
      var (first, second) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for index in 0..<4 {
        first[index] = Bool.random(using: &random) ? 0 : .random(in: 0...1, using: &random)
        second[index] = Bool.random(using: &random) ? 0 : .random(in: 0...1, using: &random)
      }
      var pair = ZoneLaw.Pair(first: 0, second: 1)
      pair.adopt(first, second)
      let gains = (0..<4).map { ZoneLaw.gains(first[$0], second[$0]) }
      #expect(pair.firstGain == gains.map(\.0).max() && pair.secondGain == gains.map(\.1).max())
      for index in 0..<4 {
        #expect(pair.firstShares[index] == (pair.firstGain > 0 ? gains[index].0 / pair.firstGain : 1))
        #expect(pair.secondShares[index] == (pair.secondGain > 0 ? gains[index].1 / pair.secondGain : 1))
      }
      #expect(pair.gain(of: 0) == pair.firstGain && pair.gain(of: 1) == pair.secondGain)
      #expect(pair.gain(of: 2) == 0 && pair.gain(of: -1) == 0)
      #expect(pair.shares(of: 0) == pair.firstShares && pair.shares(of: 1) == pair.secondShares)
    }
  }
}
