import Glibc
import PCM
import SignalProcessing
import TestSupport
import Testing

/// Loudness against a second implementation: the recommendation word for word, with the filters of its tables, a list
/// of all blocks, and gates without a histogram.
@Suite struct LoudnessReferenceTests {
  /// Two filters of second order in the direct form, with the coefficients that ITU-R BS.1770-4 prints for 48 kHz.
  private func weighted(_ samples: [Float]) -> [Double] {
    var (x1, x2, y1, y2, z1, z2) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var result = [Double](repeating: 0, count: samples.count)
    for index in 0..<samples.count {
      let x = Double(samples[index])
      let shelf = 1.53512485958697 * x - 2.69169618940638 * x1 + 1.19839281085285 * x2
      let y = shelf + 1.69065929318241 * y1 - 0.73248077421585 * y2
      let z = y - 2 * y1 + y2 + 1.99004745483398 * z1 - 0.99007225036621 * z2
      (x2, x1, y2, y1, z2, z1) = (x1, x, y1, y, z1, z)
      result[index] = z
    }
    return result
  }

  private func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  private func mean(_ powers: [Double]) -> Double { powers.reduce(0, +) / Double(powers.count) }

  /// The powers of all windows of so many frames, each 100 ms.
  private func windows(_ channels: [[Double]], length: Int) -> [Double] {
    let steps = (0..<channels[0].count / 4_800).map { step in
      channels.reduce(0.0) { sum, channel in
        var sum = sum
        for frame in step * 4_800..<(step + 1) * 4_800 { sum += channel[frame] * channel[frame] }
        return sum
      }
    }
    let count = length / 4_800
    return (count...steps.count).map { steps[($0 - count)..<$0].reduce(0, +) / Double(length) }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `Noises have the loudness and the range of the reference`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Eight seconds of two noises, whose levels change each half second.
    let levels = (0..<16).map { _ in Float(pow(10, Double.random(in: -2.5 ... -0.3, using: &random))) }
    let channels = (0..<2).map { index in
      levels.indices.flatMap { part in
        noise(24_000, amplitude: levels[part], seed: 1_000 * seed + 100 * UInt64(index) + UInt64(part))
      }
    }
    var meter = LoudnessBlocks(format: .stereo(sampleRate: 48_000))
    meter.append(interleaved(channels).span)

    let filtered = channels.map(weighted)
    let blocks = windows(filtered, length: 19_200).filter { loudness($0) > -70 }
    let gate = loudness(mean(blocks)) - 10
    let expected = loudness(mean(blocks.filter { loudness($0) > gate }))
    #expect(abs(try #require(meter.integrated) - expected) < 0.02)

    let shortTerms = windows(filtered, length: 144_000)
    let last = try #require(shortTerms.last)
    #expect(abs(try #require(meter.reading.shortTerm) - loudness(last)) < 1e-4)
    let audible = shortTerms.filter { loudness($0) > -70 }
    let rangeGate = loudness(mean(audible)) - 20
    let sorted = audible.filter { loudness($0) > rangeGate }.map(loudness).sorted()
    let low = sorted[Int((0.1 * Double(sorted.count - 1)).rounded())]
    let high = sorted[Int((0.95 * Double(sorted.count - 1)).rounded())]
    #expect(abs(try #require(meter.reading.range) - (high - low)) < 0.1)
  }
}
