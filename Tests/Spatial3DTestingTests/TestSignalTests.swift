import Foundation
import Spatial3DTesting
import Testing

@Suite struct TestSignalTests {
  @Test func `A sine has its frequency, and every channel the same`() {
    let sine = TestSignal.sine(
      frequency: 100,
      duration: .seconds(1),
      format: .stereo(sampleRate: 8_000),
      amplitude: 0.25
    )
    #expect(sine.frameCount == 8_000)
    #expect(sine.channel(0) == sine.channel(1))
    for (frame, sample) in sine.channel(0).enumerated() {
      #expect(abs(sample - 0.25 * Float(sin(2 * Double.pi * 100 * Double(frame) / 8_000))) < 1e-6)
    }
  }

  @Test func `An impulse is one frame`() {
    let impulse = TestSignal.impulse(duration: .milliseconds(10), format: .stereo(sampleRate: 1_000), amplitude: 0.5)
    #expect(impulse.samples == [0.5, 0.5] + [Float](repeating: 0, count: 18))
  }

  @Test func `Noise is the same for a seed and another for another seed`() {
    let format = PCMFormat.mono(sampleRate: 48_000)
    let noise = TestSignal.noise(seed: 5, duration: .seconds(1), format: format)
    #expect(TestSignal.noise(seed: 5, duration: .seconds(1), format: format) == noise)
    let other = TestSignal.noise(seed: 6, duration: .seconds(1), format: format)
    // Two noises of one distribution are uncorrelated.
    let correlation = zip(noise.samples, other.samples).reduce(Float(0)) { $0 + $1.0 * $1.1 } / (0.25 / 3 * 48_000)
    #expect(abs(correlation) < 0.03)
  }
}
