import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The velocity of emitters whose positions are known.
@Suite struct DerivedVelocityTests {
  @Test func `The velocity follows the movement by a filter of the first order, and a teleport leaves it`() {
    var random = SplitMix64(seed: 17)
    func vector(_ range: ClosedRange<Float>) -> SIMD3<Float> { .random(in: range, using: &random) }
    var (followed, left) = (0, 0)
    for _ in 0..<2_000 {
      let (velocity, from, way) = (vector(-20...20), vector(-50...50), vector(-3...3))
      let seconds = Float.random(in: 0.005...0.05, using: &random)
      let next = DerivedVelocity.next(velocity, from: from, to: from + way, in: seconds)
      let raw = ((from + way) - from) / seconds
      guard raw.length <= 150 else {
        #expect(next == velocity)
        left += 1
        continue
      }
      // The share grows with the time that has passed: it is a half after a tenth of a second.
      let share = seconds / (seconds + 0.1)
      for axis in 0..<3 {
        #expect(abs(next[axis] - (velocity[axis] * (1 - share) + raw[axis] * share)) < 1e-3)
      }
      followed += 1
    }
    #expect(followed > 100 && left > 100)
  }

  @Test func `A speed of 150 metres a second is a movement, and a larger one a teleport`() {
    let velocity: SIMD3<Float> = [1, 2, 3]
    #expect(DerivedVelocity.next(velocity, from: .zero, to: [150, 0, 0], in: 1) != velocity)
    #expect(DerivedVelocity.next(velocity, from: .zero, to: [150.01, 0, 0], in: 1) == velocity)
    #expect(DerivedVelocity.next(.zero, from: .zero, to: [0, 0, 5], in: 0.1) == [0, 0, 25])
  }

  @Test func `Each second tick moves the velocity by the time since the last, and a new derivation begins anew`() throws
  {
    let mono = PCMFormat.mono(sampleRate: 48_000)
    var offline = try OfflineRenderer(format: mono)
    let world = AudioWorld(in: offline.context)
    let sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))
    let (emitter, other) = (Emitter(playing: sound, in: world), Emitter(playing: sound, in: world))
    for emitter in [emitter, other] {
      emitter.derivesVelocity = true
      emitter.play()
    }
    #expect(emitter.derivesVelocity)
    offline.render(frameCount: 1_024)
    var model: SIMD3<Float> = .zero
    for step in 1...20 {
      let place: SIMD3<Float> = [Float(step) * 0.2, 0, 0]
      emitter.position = place
      offline.render(frameCount: 1_024)
      let raw = 0.2 / (1_024 / 48_000 as Float)
      model.x += (raw - model.x) * (Float(1_024) / 48_000) / (Float(1_024) / 48_000 + 0.1)
      #expect((emitter.velocity - model).length < 0.02, "step \(step): \(emitter.velocity), \(model)")
      #expect(other.velocity == .zero)
    }
    // The same value again changes nothing. Another value forgets the last position.
    emitter.derivesVelocity = true
    emitter.derivesVelocity = false
    #expect(!emitter.derivesVelocity)
    emitter.velocity = [7, 0, 0]
    emitter.position = [0, 1, 0]
    offline.render(frameCount: 4_096)
    #expect(emitter.velocity == [7, 0, 0])
    emitter.position = [0, 2, 0]
    emitter.derivesVelocity = true
    offline.render(frameCount: 1_024)
    #expect(emitter.velocity == [7, 0, 0])
    offline.render(frameCount: 1_024)
    #expect(abs(emitter.velocity.x - 7 / (1 + 1_024 / 4_800 as Float)) < 0.01 && emitter.velocity.y == 0)
  }
}
