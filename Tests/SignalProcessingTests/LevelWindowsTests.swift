import Glibc
@testable import SignalProcessing
import Testing

/// The peak and the root mean square of the last 50 ms.
@Suite struct LevelWindowsTests {
  @Test(arguments: [8_000, 44_100, 192_000])
  func `A sine has its peak, and a root mean square 3 dB below`(rate: Int) {
    var meter = LevelWindows(channelCount: 2, sampleRate: rate)
    let tone = sine(1_000, rate, frames: rate / 10)
    meter.append(interleaved([tone, tone.map { $0 / 2 }]).span)
    #expect(abs(meter.reading(ofChannel: 0).peak - 1) < 1e-3 && abs(meter.reading(ofChannel: 1).peak - 0.5) < 1e-3)
    #expect(abs(decibels(Double(meter.reading(ofChannel: 0).rootMeanSquare)) + 3.01) < 0.02)
    #expect(abs(decibels(Double(meter.reading(ofChannel: 1).rootMeanSquare)) + 9.03) < 0.02)
  }

  @Test func `A level counts from the end of its window, for 50 ms`() {
    var meter = LevelWindows(channelCount: 1, sampleRate: 48_000)
    meter.append([-0.8].span)
    #expect(meter.reading(ofChannel: 0).peak == 0)
    meter.append([Float](repeating: 0, count: 479).span)
    #expect(meter.reading(ofChannel: 0).peak == 0.8)
    meter.append([Float](repeating: 0, count: 4 * 480 + 479).span)
    #expect(meter.reading(ofChannel: 0).peak == 0.8)
    meter.append([0].span)
    #expect(meter.reading(ofChannel: 0) == LevelWindows.Reading(peak: 0, rootMeanSquare: 0))
  }

  @Test(arguments: blockLengths)
  func `The levels do not depend on the lengths of the blocks`(blocks: [Int]) {
    let sound = noise(3 * 7_001)
    var (whole, parts) = (
      LevelWindows(channelCount: 3, sampleRate: 48_000), LevelWindows(channelCount: 3, sampleRate: 48_000)
    )
    whole.append(sound.span)
    _ = processed(sound, channels: 3, blocks: blocks) { parts.append($0.span) }
    for channel in 0..<3 { #expect(whole.reading(ofChannel: channel) == parts.reading(ofChannel: channel)) }
  }

  @Test func `Unusable samples count as 0, and a reset forgets the sound`() {
    var meter = LevelWindows(channelCount: 1, sampleRate: 8_000)
    meter.append(([1, .nan, .infinity, 3e38] + [Float](repeating: 0, count: 396)).span)
    #expect(meter.reading(ofChannel: 0) == LevelWindows.Reading(peak: 1, rootMeanSquare: 0.05))
    meter.reset()
    #expect(meter.reading(ofChannel: 0).peak == 0)
  }
}
