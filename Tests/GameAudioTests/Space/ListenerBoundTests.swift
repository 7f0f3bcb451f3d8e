import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The bounds of emitters around several listeners, and the parts of listeners that are not usable, without a mix.
@Suite struct ListenerBoundTests {
  /// The state of a world with some emitters.
  private static func state(_ count: Int) throws -> WorldState {
    let world = AudioWorld(in: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, voiceLimit: 1)
    let bus = world.mixer.makeBus("quiet")
    bus.gain = .decibels(-6)
    let tone = Sound(TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000)))
    let emitters = (0..<count).map { Emitter(playing: tone, in: world, on: $0.isMultiple(of: 3) ? bus : nil) }
    return withExtendedLifetime(emitters) { world.inspector.state }
  }

  @Test func `The bound of an emitter is that of the listener for whom it is loudest`() throws {
    var random = SplitMix64(seed: 81)
    for count in [1, 2, 7, 30] {
      let start = try Self.state(count)
      for round in 0..<100 {
        var state = start
        for slot in state.playback.scene.emitters.indices {
          state.playback.scene.emitters.setPosition(.random(in: -40...40, using: &random), of: slot)
          state.playback.scene.emitters.setWeight(.random(in: 0...2, using: &random), of: slot)
        }
        let heads = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          let gain = [0, 0.5, 1, 3].randomElement(using: &random) ?? 1 as Gain
          return Listener(position: .random(in: -40...40, using: &random), gain: round == 0 ? 0 : gain)
        }
        state.playback.setListeners(heads)
        state.selector.computeBounds(
          of: state.playback.scene.emitters.columns,
          at: state.playback.scene.space.listeners,
          buses: state.playback.scene.mixer.buses.bounds
        )
        let loudest = heads.map(\.gain).max() ?? 1
        #expect(state.playback.scene.space.listeners.rendered.gain == loudest)
        for slot in state.playback.scene.emitters.indices {
          let bounds = heads.map { head in
            let distance = (state.playback.scene.emitters.position(of: slot) - head.position).length
            let factor = heads.count == 1 ? 1 : loudest > 0 ? head.gain.rawValue / loudest.rawValue : 0
            return state.playback.scene.emitters.weight(of: slot) / max(distance, 1)
              * state.playback.scene.mixer.buses.bounds[state.playback.scene.emitters.bus(of: slot).position]
              * factor
          }
          #expect(
            abs(state.selector.bounds[slot.position] - (bounds.max() ?? 0)) < 1e-5,
            "\(slot) of \(count), \(heads.count) listeners"
          )
        }
      }
    }
  }

  @Test func `A part of a listener that is not usable stays, and a gain ends at 16`() throws {
    let start = try Self.state(1)
    let old = Listener(
      position: [1, 2, 3],
      velocity: [4, 5, 6],
      orientation: Orientation(forward: [1, 0, 0], up: [0, 0, 1]),
      gain: 0.5
    )
    func next(_ change: (inout Listener) -> Void) -> (Listener, isChanged: Bool) {
      var (state, new) = (start, old)
      state.playback.scene.space.listeners.setFirst(old)
      _ = state.playback.scene.space.listeners.takeChange()
      change(&new)
      state.playback.scene.space.listeners.setFirst(new)
      return (state.playback.scene.space.listeners.first, state.playback.scene.space.listeners.isChanged)
    }
    func expected(_ change: (inout Listener) -> Void) -> Listener {
      var new = old
      change(&new)
      return new
    }
    #expect(next { _ in } == (old, false))
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(next { $0.position.y = value } == (old, false) && next { $0.velocity.z = value } == (old, false))
      #expect(next { $0.gain = Gain(value) } == (old, false))
      #expect(!expected { $0.position.y = value }.isInRange && !expected { $0.velocity.z = value }.isInRange)
      #expect(!expected { $0.gain = Gain(value) }.isInRange)
    }
    #expect(next { $0.gain = -1 } == (old, false) && !expected { $0.gain = -1 }.isInRange)
    let none = Orientation(forward: .zero, up: .zero)
    #expect(none.forward == .zero && next { $0.orientation = none } == (old, false))
    #expect(!expected { $0.orientation = none }.isInRange && old.isInRange)
    for (gain, used) in [(0, 0), (0.25, 0.25), (16, 16), (16.5, 16), (1e9, 16)] as [(Gain, Gain)] {
      #expect(next { $0.gain = gain } == (expected { $0.gain = used }, true), "\(gain)")
    }
    #expect(next { $0.position = [3e9, 0, -2e9] } == (expected { $0.position = [1e9, 0, -1e9] }, true))
    #expect(next { $0.velocity = [7, 8, 9] } == (expected { $0.velocity = [7, 8, 9] }, true))
  }

  @Test func `A list of listeners is a change where it differs, and those that go stay until their voices have gone`()
    throws
  {
    var state = try Self.state(1)
    func heads(_ places: [Float]) -> [Listener] { places.map { Listener(position: [$0, 0, 0]) } }
    func set(_ places: [Float]) -> Bool {
      _ = state.playback.scene.space.listeners.takeChange()
      state.playback.setListeners(heads(places))
      return state.playback.scene.space.listeners.isChanged
    }
    #expect(set([1]) && !set([1]) && set([1, 2]) && !set([1, 2]))
    #expect(set([1, 3]) && set([1, 3, 4]) && set([1, 3, 4, 5]) && !set([1, 3, 4, 5, 6]) && !set([]))
    #expect(
      state.playback.scene.space.listeners.count == 4 && state.playback.scene.space.listeners.countWithRemoved == 4
    )
    #expect(
      set([1, 3]) && state.playback.scene.space.listeners.count == 2
        && state.playback.scene.space.listeners.countWithRemoved == 4
    )
    #expect((0..<6).map { state.playback.scene.space.listeners[ListenerIndex($0)].position.x } == [1, 3, 4, 5, 1, 1])
    #expect(set([1]) && state.playback.scene.space.listeners.removed.map(\.position.x) == [3, 4, 5])
    #expect(set([1, 9, 8]) && state.playback.scene.space.listeners.removed.map(\.position.x) == [5])
    #expect((0..<4).map { state.playback.scene.space.listeners[ListenerIndex($0)].position.x } == [1, 9, 8, 5])
    // An emitter without a voice does not stay with a listener that goes.
    for (owner, later) in [(0, 0), (1, 1), (2, 0)] as [(ListenerIndex, ListenerIndex)] {
      var copy = state
      copy.playback.scene.emitters[stored: 0].listener = owner
      copy.playback.setListeners(heads([1, 9]))
      #expect(copy.playback.scene.emitters[0].listener == later)
    }
  }
}
