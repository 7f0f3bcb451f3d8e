import Glibc
import SignalProcessing
import Testing

/// The peak, the held peak and the root mean square of a meter.
@Suite struct MeterBallisticsTests {
  private func appended(_ meter: inout MeterBallistics, _ value: Float, seconds: Double, rate: Int = 48_000) {
    let samples = [Float](repeating: value, count: Int(seconds * Double(rate)))
    meter.append(samples.span)
  }

  @Test(arguments: [8_000, 48_000, 192_000])
  func `The peak rises at once, and falls by 20 dB in 1.7 s`(rate: Int) {
    var meter = MeterBallistics(channelCount: 1, sampleRate: rate)
    meter.append([0.5].span)
    #expect(meter.peak(ofChannel: 0) == 0.5)
    appended(&meter, 0, seconds: 1.7, rate: rate)
    #expect(abs(decibels(meter.peak(ofChannel: 0) / 0.5) + 20) < 0.01)
  }

  @Test func `The held peak rests for its time, then falls to the peak`() {
    var meter = MeterBallistics(channelCount: 1, sampleRate: 48_000, hold: 0.5)
    meter.append([-0.8].span)
    appended(&meter, 0.1, seconds: 0.499)
    #expect(abs(meter.heldPeak(ofChannel: 0) - 0.8) < 1e-6)
    appended(&meter, 0.1, seconds: 0.01)
    #expect(meter.heldPeak(ofChannel: 0) == meter.peak(ofChannel: 0))
    // A higher peak counts at once.
    meter.append([0.9].span)
    #expect(abs(meter.heldPeak(ofChannel: 0) - 0.9) < 1e-6)
  }

  @Test func `The root mean square of a sine is 3 dB below its crest, with a time constant`() {
    var meter = MeterBallistics(channelCount: 2, sampleRate: 48_000)
    let tone = sine(1_000, 48_000, frames: 144_000)
    meter.append(interleaved([tone, tone.map { $0 / 2 }]).span)
    #expect(abs(decibels(meter.rootMeanSquare(ofChannel: 0)) + 3.01) < 0.02)
    #expect(abs(decibels(meter.rootMeanSquare(ofChannel: 1)) + 9.03) < 0.02)
    var other = MeterBallistics(channelCount: 1, sampleRate: 48_000, integration: 0.1)
    appended(&other, 1, seconds: 0.1)
    #expect(abs(other.rootMeanSquare(ofChannel: 0) - (1 - exp(-1)).squareRoot()) < 1e-3)
  }

  @Test func `Silence ends in exact zeros, and samples that are not finite count as 0`() {
    var meter = MeterBallistics(channelCount: 1, sampleRate: 8_000, hold: 0, fall: 1_000, integration: 0.001)
    meter.append([1, .nan, .infinity, 3e38].span)
    #expect(meter.peak(ofChannel: 0) <= 1 && meter.rootMeanSquare(ofChannel: 0) <= 1)
    appended(&meter, 0, seconds: 2, rate: 8_000)
    #expect(
      meter.peak(ofChannel: 0) == 0 && meter.heldPeak(ofChannel: 0) == 0 && meter.rootMeanSquare(ofChannel: 0) == 0
    )
    meter.append([1].span)
    meter.reset()
    #expect(meter.peak(ofChannel: 0) == 0)
  }
}
