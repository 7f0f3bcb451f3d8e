import Glibc
@testable import SignalProcessing
import TestSupport
import Testing

/// True peaks by ITU-R BS.1770-4, annex 2, and EBU Tech 3341.
@Suite struct TruePeakTests {
  private func measured(_ samples: [Float], channels: Int = 1, rate: Int = 48_000) -> TruePeakMeter {
    var meter = TruePeakMeter(channelCount: channels, sampleRate: rate)
    meter.append(samples.span)
    return meter
  }

  @Test(
    arguments: [
      (4.0, 0.0, 0.5, -6.0), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3),
    ]
  )
  func `3341, 15 to 19: a sine has its crest between the samples`(
    part: Double,
    degrees: Double,
    amplitude: Double,
    expected: Double
  ) {
    // A slow beginning: the step of a sudden one is a peak of its own.
    let tone = sine(48_000 / part, 48_000, frames: 9_600, amplitude: amplitude, phase: degrees / 360)
    let faded = tone.enumerated().map { $1 * Float(min(Double($0) / 2_400, 1)) }
    let found = decibels(Double(measured(faded).peak))
    #expect(found > expected - 0.4 && found < expected + 0.2, "\(found)")
  }

  @Test(arguments: [8_000, 44_100, 48_000, 96_000, 176_400, 192_000, 384_000])
  func `A tone of up to 20 kHz has its true peak at every rate`(rate: Int) {
    for frequency in [997.0, 0.1 * Double(rate), 0.25 * Double(rate)] where frequency <= 20_000 {
      let tone = sine(frequency, rate, frames: rate / 10, phase: 0.125)
      let faded = tone.enumerated().map { $1 * Float(min(Double($0) * 40 / Double(rate), 1)) }
      let found = decibels(Double(measured(faded, rate: rate).peak))
      // From 96 kHz on, 20 kHz are far below a quarter of the rate.
      #expect(found > -0.5 && found < 0.2, "\(frequency) \(found)")
    }
  }

  @Test func `The meter has the numbers of the recommendation's filter, to the rounding`() {
    let (samples, rows) = (noise(3_000), InterpolatorTable.rows)
    var expected = 0.0
    for end in 0..<samples.count {
      expected = max(expected, Double(abs(samples[end])))
      for row in rows {
        let sum = (0..<min(12, end + 1)).reduce(0.0) { $0 + row[$1] * Double(samples[end - $1]) }
        expected = max(expected, abs(sum))
      }
    }
    #expect(abs(Double(measured(samples).peak) - expected) < 1e-6)
  }

  @Test func `Each channel has its peak, in blocks of any length`() {
    let sound = interleaved([
      noise(5_000, amplitude: 0.2), noise(5_000, amplitude: 0.9, seed: 2), noise(5_000, seed: 3),
    ])
    let whole = measured(sound, channels: 3)
    #expect(whole.peaks[0] < whole.peaks[1] && whole.peaks[1] < whole.peaks[2] && whole.peak == whole.peaks[2])
    for length in [1, 5, 64, 333] {
      var meter = TruePeakMeter(channelCount: 3, sampleRate: 48_000)
      for start in stride(from: 0, to: sound.count, by: 3 * length) {
        meter.append(sound.span.extracting(start..<min(start + 3 * length, sound.count)))
      }
      #expect(meter.peaks == whole.peaks)
    }
  }

  @Test func `The meter has the peaks of the samples as well`() {
    let sound = interleaved([sine(12_000, 48_000, frames: 4_800, phase: 0.125), noise(4_800, amplitude: 0.5)])
    var meter = measured(sound, channels: 2)
    #expect(meter.samplePeaks == [peak(channel(0, of: sound, count: 2)), peak(channel(1, of: sound, count: 2))])
    #expect(meter.samplePeaks[0] < 0.71 && meter.peaks[0] > 0.95)
    meter.resetPeaks()
    #expect(meter.samplePeaks == [0, 0])
  }

  @Test func `A reset begins anew, and samples that are not finite count as 0`() {
    var meter = measured([0.1, .nan, .infinity, -.infinity, 3e38, 0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(meter.peak >= 0.2 && meter.peak < 0.25)
    meter.resetPeaks()
    #expect(meter.peak == 0)
    meter.append([0.05, 0, 0].span)
    #expect(meter.peak < 0.06)
    meter.reset()
    #expect(meter.peak == 0)
  }
}

extension TruePeakMeter {
  /// The largest of all channels.
  fileprivate var peak: Float { peaks.max() ?? 0 }
}

/// The interpolator of the recommendation, as its table has it: four phases of twelve coefficients.
enum InterpolatorTable {
  static let rows: [[Double]] = [first, second, second.reversed(), first.reversed()]

  private static let first = [
    0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875, 0.1373291015625,
    0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250, 0.0148925781250, -0.0083007812500,
  ]
  private static let second = [
    -0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500, 0.4650878906250,
    0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625, 0.0330810546875, -0.0189208984375,
  ]

  /// The largest magnitude of one channel, of the samples and between them, in decibels.
  static func peak(_ samples: [Float]) -> Double {
    var largest = 0.0
    unsafe samples.withUnsafeBufferPointer { samples in
      for row in rows {
        unsafe row.withUnsafeBufferPointer { row in
          for end in 0..<samples.count {
            var (sum, tap) = (0.0, 0)
            let taps = min(12, end + 1)
            while tap < taps {
              unsafe sum += row[tap] * Double(samples[end - tap])
              tap += 1
            }
            largest = max(largest, sum.magnitude)
          }
        }
      }
      for index in 0..<samples.count { unsafe largest = max(largest, Double(samples[index].magnitude)) }
    }
    return decibels(largest)
  }
}
