import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct DifferenceTests {
  private let noise = TestSignal.noise(duration: .milliseconds(200), format: Signals.stereo)

  @Test func `A mix does not differ from itself`() throws {
    let difference = try noise.difference(from: noise)
    #expect(difference.peak == .silence && difference.level == .silence && difference.firstFrame == nil)
    #expect(difference.delay == 0 && difference.levelChange == 0 && difference.likeness == 1)
    #expect(difference.description == "The mix is as expected, sample for sample.")
    let none = PCMBuffer<Float>(format: Signals.stereo)
    #expect(try none.difference(from: none).firstFrame == nil)
  }

  @Test func `A difference reports the frames of its first and its worst sample`() throws {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<60 {
      let (first, worst) = (
        Int.random(in: 0..<4_000, using: &generator), Int.random(in: 4_001..<8_000, using: &generator)
      )
      let channel = Int.random(in: 0...1, using: &generator)
      var samples = noise.samples
      samples[2 * first] += 0.001
      samples[2 * worst + channel] += 0.1
      let difference = try PCMBuffer(samples: samples, format: Signals.stereo).difference(from: noise)
      #expect(difference.firstFrame == first)
      #expect(difference.frame == worst && difference.channel == channel)
      #expect(abs(difference.peak.rawValue + 20) < 0.001)
      let mean = (0.1 * 0.1 + 0.001 * 0.001) / Double(noise.samples.count)
      #expect(abs(Double(difference.level.rawValue) - 10 * log10(mean)) < 0.01)
      #expect(difference.delay == 0 && difference.likeness > 0.99)
    }
  }

  @Test(arguments: [-4_000, -37, -1, 1, 480, 4_000])
  func `A difference recognizes a delayed and softer copy`(delay: Int) throws {
    let silence = [Float](repeating: 0, count: 2 * 5_000)
    let expected = try PCMBuffer(samples: silence + noise.samples + silence, format: Signals.stereo)
    let late = expected.samples.indices.map { index in
      expected.samples.indices.contains(index - 2 * delay) ? 0.5 * expected.samples[index - 2 * delay] : 0
    }
    let difference = try PCMBuffer(samples: late, format: Signals.stereo).difference(from: expected)
    #expect(difference.delay == delay)
    #expect(abs(difference.levelChange.rawValue + 6.0206) < 0.001)
    #expect(difference.likeness > 0.999)
    let when = "\(abs(delay)) frames \(delay > 0 ? "later" : "earlier") and 6.0 dB softer"
    #expect(difference.description.contains(when), "\(difference)")
  }

  @Test func `A difference recognizes another sound`() throws {
    let other = TestSignal.noise(seed: 9, duration: .milliseconds(200), format: Signals.stereo)
    let difference = try other.difference(from: noise)
    #expect(difference.likeness < 0.2)
    #expect(difference.description.contains("It is another sound"))
  }

  @Test func `The description of a difference reports missing and unexpected sound`() throws {
    let silence = TestSignal.silence(duration: .milliseconds(200), format: Signals.stereo)
    #expect("\(try silence.difference(from: noise))".contains("Channel 0 is silent there"))
    #expect("\(try noise.difference(from: silence))".contains("Channel 0 was expected to be silent there"))
  }

  @Test func `A difference reports the extra or missing frames of a mix of another length`() throws {
    let part = noise.frames(0..<9_000)
    for (mix, expected) in [(noise, part), (part, noise)] {
      let difference = try mix.difference(from: expected)
      #expect(difference.firstFrame == 9_000)
      #expect(difference.frameCount == mix.frameCount && difference.expectedFrameCount == expected.frameCount)
      #expect(difference.description.contains("has \(mix.frameCount) frames, and \(expected.frameCount) were expected"))
    }
    // A silent frame at the end is no sample that differs, but one frame too many.
    let silence = try PCMBuffer(samples: noise.samples + [0, 0], format: Signals.stereo)
    let difference = try silence.difference(from: noise)
    #expect(difference.firstFrame == nil && difference.frameCount == difference.expectedFrameCount + 1)
    #expect(difference.description.contains("has 9601 frames, and 9600 were expected"))
  }

  @Test func `A sample that is not a number is an infinite difference`() throws {
    var samples = noise.samples
    samples[100] = .nan
    let difference = try PCMBuffer(samples: samples, format: Signals.stereo).difference(from: noise)
    #expect(difference.peak.rawValue == .infinity && difference.frame == 50)
  }

  @Test func `Mixes of two formats cannot be compared, and integers with floats can`() throws {
    let mono = TestSignal.noise(duration: .milliseconds(200), format: Signals.mono)
    let error = #expect(throws: MeasurementError.self) { try mono.difference(from: noise) }
    #expect(error?.code == .formatMismatch)
    #expect("\(error, default: "")".contains("mono at 48000 Hz"))
    let integers = try PCMBuffer(samples: noise.samples.map(Int16.init(signal:)), format: Signals.stereo)
    #expect(try integers.difference(from: noise).peak < -90)
    #expect(try noise.difference(from: integers).peak < -90)
  }
}
