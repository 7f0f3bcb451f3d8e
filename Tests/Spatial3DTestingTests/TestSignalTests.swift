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

  @Test func `A sine fades over half a period of a cosine, at both ends alike`() {
    let format = PCMFormat.mono(sampleRate: 8_000)
    let plain = TestSignal.sine(frequency: 100, duration: .seconds(1), format: format)
    let faded = TestSignal.sine(frequency: 100, duration: .seconds(1), format: format, fade: .milliseconds(10))
    #expect(faded.frames(80..<7_920) == plain.frames(80..<7_920))
    for frame in 0..<80 {
      let gain = Float(pow(sin(Double.pi * Double(frame) / 160), 2))
      #expect(abs(faded.samples[frame] - gain * plain.samples[frame]) < 1e-6)
      #expect(abs(faded.samples[7_999 - frame] - gain * plain.samples[7_999 - frame]) < 1e-6)
    }
    // A sound that consists of fades only rises up to its middle.
    let short = TestSignal.sine(frequency: 2_000, duration: .milliseconds(10), format: format, fade: .seconds(1))
    #expect(short.peak < -20)
  }

  @Test func `Silence is silent`() {
    let silence = TestSignal.silence(duration: .milliseconds(10), format: .stereo(sampleRate: 1_000))
    #expect(silence.samples == [Float](repeating: 0, count: 20))
  }

  @Test(arguments: [(100, 3_000), (3_000, 100), (500, 500)] as [(Double, Double)])
  func `A sweep goes from one frequency to the other by equal intervals`(start: Double, end: Double) throws {
    let format = PCMFormat.mono(sampleRate: 48_000)
    let sweep = TestSignal.sweep(from: start, to: end, duration: .seconds(4), format: format, amplitude: 0.7)
    #expect(sweep.frameCount == 192_000)
    #expect(abs(sweep.peak.factor - 0.7) < 0.001)
    for part in stride(from: 0.1, through: 0.9, by: 0.2) {
      let middle = Int(part * 192_000)
      let window = sweep.frames((middle - 2_048)..<(middle + 2_048))
      let measured = try #require(window.spectrum(ofChannel: 0).strongestFrequency)
      #expect(abs(measured / (start * pow(end / start, part)) - 1) < 0.02, "\(measured) Hz at \(part)")
    }
  }

  @Test(arguments: [0.1, 1, 4])
  func `Decaying noise is noise that falls by 60 dB in its time`(seconds: Double) {
    let format = PCMFormat.mono(sampleRate: 8_000)
    let noise = TestSignal.noise(seed: 3, duration: .seconds(1), format: format)
    let time = Duration.seconds(seconds)
    let decaying = TestSignal.decayingNoise(reverberationTime: time, seed: 3, duration: .seconds(1), format: format)
    for frame in stride(from: 0, to: 8_000, by: 7) {
      let gain = Float(pow(10, -3 * Double(frame) / (8_000 * seconds)))
      #expect(abs(decaying.samples[frame] - gain * noise.samples[frame]) < 1e-6)
    }
    let none = TestSignal.decayingNoise(reverberationTime: .zero, duration: .seconds(1), format: format)
    #expect(none.samples.dropFirst().allSatisfy { $0 == 0 })
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
