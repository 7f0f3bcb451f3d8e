import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The listeners of a state: their number, their order, and the bounds and the owners that follow from them.
@Suite struct ListenerStateTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))

  private static func listener(_ x: Float, gain: Gain = 1) -> Listener { Listener(position: [x, 0, 0], gain: gain) }

  @Test func `Listeners that leave come back in their order, and those after the fourth are left out`() throws {
    var state = try CommandState([Self.tone], mixesByFrames: true).state
    #expect(
      state.playback.scene.space.listeners.count == 1 && state.playback.scene.space.listeners.countWithRemoved == 1
        && !state.playback.scene.space.listeners.isChanged
    )
    state.playback.setListeners([])
    #expect(state.playback.scene.space.listeners.count == 1 && !state.playback.scene.space.listeners.isChanged)
    state.playback.setListeners((0..<6).map { Self.listener(Float($0)) })
    #expect(
      state.playback.scene.space.listeners.first.position.x == 0
        && state.playback.scene.space.listeners.others.map(\.position.x) == [1, 2, 3]
    )
    #expect(
      state.playback.scene.space.listeners.count == 4 && state.playback.scene.space.listeners.countWithRemoved == 4
        && state.playback.scene.space.listeners.isChanged
    )
    #expect((0..<6).map { state.playback.scene.space.listeners[ListenerIndex($0)].position.x } == [0, 1, 2, 3, 0, 0])
    _ = state.playback.scene.space.listeners.takeChange()
    state.playback.setListeners((0..<4).map { Self.listener(Float($0)) })
    #expect(!state.playback.scene.space.listeners.isChanged)
    state.playback.setListeners([Self.listener(0), Self.listener(1)])
    #expect(
      state.playback.scene.space.listeners.isChanged && state.playback.scene.space.listeners.count == 2
        && state.playback.scene.space.listeners.countWithRemoved == 4
    )
    #expect(
      state.playback.scene.space.listeners.removed.map(\.position.x) == [2, 3]
        && (0..<4).map { state.playback.scene.space.listeners[ListenerIndex($0)].position.x } == [0, 1, 2, 3]
    )
    state.playback.setListeners([Self.listener(0)])
    #expect(
      state.playback.scene.space.listeners.removed.map(\.position.x) == [1, 2, 3]
        && state.playback.scene.space.listeners.count == 1
        && state.playback.scene.space.listeners.countWithRemoved == 4
    )
    state.playback.setListeners([Self.listener(0), Self.listener(7)])
    #expect(
      state.playback.scene.space.listeners.removed.map(\.position.x) == [2, 3]
        && state.playback.scene.space.listeners.others.map(\.position.x) == [7]
    )
    // An unusable part of a listener that is there keeps its value; in a new listener it is the default.
    var broken = Self.listener(.nan, gain: Gain(.infinity))
    broken.velocity = [1, 0, 0]
    state.playback.setListeners([Self.listener(0), broken, broken])
    #expect(
      state.playback.scene.space.listeners.others.map(\.position.x) == [7, 0]
        && state.playback.scene.space.listeners.others.map(\.gain) == [1, 1]
    )
    #expect(state.playback.scene.space.listeners.others.map(\.velocity.x) == [1, 1])
    _ = state.playback.scene.space.listeners.takeChange()
    state.playback.scene.space.listeners.setFirst(state.playback.scene.space.listeners.first)
    #expect(!state.playback.scene.space.listeners.isChanged)
    state.playback.scene.space.listeners.setFirst(Self.listener(0, gain: 0.5))
    #expect(state.playback.scene.space.listeners.isChanged && state.playback.scene.space.listeners.first.gain == 0.5)
  }

  @Test func `An emitter without a voice leaves a listener that has gone, and one with a voice keeps its place`() throws
  {
    var state = try CommandState([Self.tone, Self.tone, Self.tone], mixesByFrames: true, voices: 2).state
    state.playback.setListeners((0..<4).map { Self.listener(Float($0)) })
    for slot in [0, 1, 2] as [EmitterSlot] {
      state.play(slot)
      state.playback.scene.emitters[stored: slot].listener = slot == 0 ? 1 : 3
    }
    #expect(state.playback.isHeard(0) && state.playback.isHeard(1) && !state.playback.isHeard(2))
    state.playback.setListeners((0..<2).map { Self.listener(Float($0)) })
    #expect(
      state.playback.scene.emitters.records.map(\.listener) == [1, 3, 0]
        && state.playback.scene.space.listeners[state.playback.scene.emitters[1].listener].position.x == 3
    )
    state.playback.updateListeners()
    #expect(state.playback.scene.emitters[1].listener < 2 && state.playback.scene.space.listeners.removed.isEmpty)
  }

  @Test func `The mix has the loudest gain, and each bound is that of the loudest listener`() throws {
    var random = SplitMix64(seed: 51)
    var scene = try CommandState(Array(repeating: Self.tone, count: 30), mixesByFrames: true, voices: 1)
    for slot in scene.state.playback.scene.emitters.indices { scene.state.play(slot) }
    for count in 1...4 {
      for _ in 0..<40 {
        func number() -> Float { .random(in: -40...40, using: &random) }
        for slot in scene.state.playback.scene.emitters.indices {
          scene.state.playback.scene.emitters.setPosition([number(), 0, number()], of: slot)
        }
        scene.state.playback.setListeners(
          (0..<count).map { _ in
            Listener(
              position: [number(), 0, number()],
              gain: Bool.random(using: &random) ? 1 : Gain(abs(number()) / 20)
            )
          }
        )
        let listeners = (0..<count).map { scene.state.playback.scene.space.listeners[ListenerIndex($0)] }
        let loudest = listeners.map(\.gain).max() ?? 0
        #expect(scene.state.playback.scene.space.listeners.rendered.gain == loudest)
        #expect(scene.state.playback.scene.space.listeners.rendered.position == listeners[0].position)
        var expected = [Float](repeating: 0, count: 30)
        for listener in listeners {
          var own: [Float] = []
          scene.state.playback.scene.emitters.columns.computeBounds(
            listener: listener.position,
            buses: scene.state.playback.scene.mixer.buses.bounds,
            into: &own
          )
          // The first listener alone is in the gain of the mix.
          let factor = count > 1 ? listener.gain.rawValue / max(loudest.rawValue, .leastNormalMagnitude) : 1
          for slot in 0..<30 { expected[slot] = max(expected[slot], own[slot] * factor) }
        }
        scene.state.selector.computeBounds(
          of: scene.state.playback.scene.emitters.columns,
          at: scene.state.playback.scene.space.listeners,
          buses: scene.state.playback.scene.mixer.buses.bounds
        )
        for slot in 0..<30 { #expect(abs(scene.state.selector.bounds[slot] - expected[slot]) <= 1e-5 * expected[slot]) }
      }
    }
  }

  @Test func `An emitter belongs to the listener at which it is loudest, from 1.5 dB on`() throws {
    var random = SplitMix64(seed: 52)
    var sound = Self.tone
    sound.silentBeyond = 60
    var scene = try CommandState([sound], mixesByFrames: true)
    var owner = 0
    var changes = 0
    for _ in 0..<2_000 {
      func number() -> Float { .random(in: -30...30, using: &random) }
      let count = Int.random(in: 2...4, using: &random)
      let place: SIMD3<Float> = [number(), 0, number()]
      let listeners = (0..<count).map { _ in
        Listener(position: [number(), 0, number()], gain: Gain(.random(in: 0.2...1, using: &random)))
      }
      scene.state.playback.setListeners(listeners)
      scene.state.playback.scene.emitters.setPosition(place, of: 0)
      owner = scene.state.playback.scene.emitters[0].listener.position
      scene.state.playback.scene.updateListener(of: 0)
      let levels = listeners.map { listener in
        let distance = (place - listener.position).length
        let gain = listener.gain * sound.attenuation.gain(at: distance, model: .inverseClamped)
        return gain.rawValue * Audibility.reach(at: distance, of: 60) + 1e-12 / (1 + distance)
      }
      let best = levels.indices.max { levels[$0] < levels[$1] } ?? 0
      let stays = owner < count && levels[best] <= levels[owner] * 1.1885
      #expect(
        scene.state.playback.scene.emitters[0].listener.position == (stays ? owner : best),
        "\(levels), before \(owner)"
      )
      if !stays, best != owner { changes += 1 }
    }
    #expect(changes > 100)
    // Beyond the reach of all, it is the nearest one, whatever its gain is.
    scene.state.playback.scene.emitters.setPosition([1_000, 0, 0], of: 0)
    scene.state.playback.setListeners([Self.listener(0, gain: 1), Self.listener(900, gain: 0.1), Self.listener(500)])
    scene.state.playback.scene.updateListener(of: 0)
    #expect(scene.state.playback.scene.emitters[0].listener == 1)
    // An emitter without a position has the first listener.
    scene.state.playback.scene.emitters[stored: 0].listener = 0
    scene.state.playback.scene.emitters[stored: 0].placement = .unplaced
    scene.state.playback.scene.updateListener(of: 0)
    #expect(scene.state.playback.scene.emitters[0].listener == 0)
  }
}
