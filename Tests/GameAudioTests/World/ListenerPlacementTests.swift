import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The values of an emitter around the first listener, which are those around its own one.
@Suite struct ListenerPlacementTests {
  private static let tone = Sound(
    TestSignal.sine(frequency: 400, duration: .milliseconds(50), format: .mono(sampleRate: 48_000))
  )

  @Test func `An emitter keeps its distance, its motion and its level around its own listener`() throws {
    var random = SplitMix64(seed: 53)
    func vector(_ size: Float) -> SIMD3<Float> { .random(in: -size...size, using: &random) }
    var state = try CommandState([Self.tone], mixesByFrames: true).state
    for _ in 0..<500 {
      let count = Int.random(in: 1...4, using: &random)
      let listeners = (0..<count).map { _ in
        Listener(
          position: vector(20),
          velocity: vector(9),
          orientation: Orientation(forward: vector(1), up: [0, 1, 0]),
          gain: Gain(.random(in: 0.1...2, using: &random))
        )
      }
      state.playback.setListeners(listeners)
      state.playback.scene.emitters.setPosition(vector(40), of: 0)
      state.playback.scene.emitters[stored: 0].velocity = vector(15)
      state.playback.scene.emitters.changeRare(0) { $0.direction = vector(2) }
      let place = state.playback.scene.emitters.position(of: 0)
      let loudest = listeners.map(\.gain).max() ?? 1
      for owner in 0..<count {
        state.playback.scene.emitters[stored: 0].listener = ListenerIndex(owner)
        let (values, own, first) = (state.playback.scene.voiceValues(of: 0), listeners[owner], listeners[0])
        // One listener alone has its gain in the mix.
        let gain = count > 1 ? own.gain.rawValue / loudest.rawValue : 1
        #expect(abs(values.gain - gain) < 1e-5)
        let (way, ownWay) = (values.position - first.position, place - own.position)
        #expect(abs(way.length - ownWay.length) < 1e-3)
        let (motion, ownMotion) = (
          values.velocity - first.velocity, state.playback.scene.emitters[0].velocity - own.velocity
        )
        let direction = state.playback.scene.emitters[rare: 0].direction
        #expect(abs(motion.length - ownMotion.length) < 1e-3 && abs(values.direction.length - direction.length) < 1e-4)
        // The angles between the offset, the motion and the direction are the same around both listeners.
        #expect(abs((way * motion).sum() - (ownWay * ownMotion).sum()) < 0.02)
        #expect(abs((way * values.direction).sum() - (ownWay * direction).sum()) < 0.01)
        if owner == 0 { #expect(values.position == place && values.direction == direction) }
        #expect(state.playback.scene.space.listeners[state.playback.scene.emitters[0].listener] == own)
      }
    }
  }
}
