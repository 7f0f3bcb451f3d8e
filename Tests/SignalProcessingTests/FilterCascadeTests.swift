import Glibc
import SignalProcessing
import TestSupport
import Testing

/// Filters in a row, over interleaved channels and in motion.
@Suite struct FilterCascadeTests {
  private let bands = [
    FilterBand(.highPass, 90), FilterBand(.bell, 2_500, gain: -6, quality: 2), FilterBand(.highShelf, 8_000, gain: 5),
  ]

  @Test(arguments: blockLengths)
  func `The result does not depend on the lengths of the blocks`(blocks: [Int]) {
    let sound = noise(12_000)
    var (one, other) = (FilterCascade(bands, channelCount: 2, sampleRate: 48_000), [Float]())
    let whole = processed(sound, channels: 2, blocks: [6_000]) { one.process(&$0) }
    one = FilterCascade(bands, channelCount: 2, sampleRate: 48_000)
    other = processed(sound, channels: 2, blocks: blocks) { one.process(&$0) }
    #expect(whole == other)
  }

  @Test(arguments: 1...8)
  func `Each channel is filtered as if it were alone`(count: Int) {
    let channels = (0..<count).map { noise(2_000, seed: UInt64($0)) }
    var cascade = FilterCascade(bands, channelCount: count, sampleRate: 44_100)
    let result = processed(interleaved(channels), channels: count) { cascade.process(&$0) }
    for index in 0..<count {
      var alone = FilterCascade(bands, channelCount: 1, sampleRate: 44_100)
      #expect(channel(index, of: result, count: count) == processed(channels[index]) { alone.process(&$0) })
    }
  }

  @Test(arguments: [FilterShape.bell, .lowShelf, .highShelf])
  func `A band of 0 dB keeps the samples to the bit`(shape: FilterShape) {
    let sound = noise(4_000)
    var cascade = FilterCascade([FilterBand(shape, 500, gain: 0)], channelCount: 1, sampleRate: 48_000)
    #expect(processed(sound) { cascade.process(&$0) } == sound)
  }

  @Test(arguments: [-18.0, 18], [8_000, 48_000, 192_000])
  func `A sweep of a bell makes no click`(gain: Double, rate: Int) {
    let top = 0.16 * Double(rate)
    let sound = sine(Double(rate) / 48, rate, frames: rate / 4)
    var cascade = FilterCascade([FilterBand(.bell, 200, gain: gain, quality: 2)], channelCount: 1, sampleRate: rate)
    var block = 0
    let result = processed(sound) { samples in
      if block == 2 { cascade.setBands([FilterBand(.bell, top, gain: gain, quality: 8)], over: rate / 20) }
      block += 1
      cascade.process(&samples)
    }
    // The sine begins with a corner, which is a click of its own after a filter.
    #expect(clickFrames(Array(result[400...]), below: Double(rate) / 48, rate).isEmpty)
    #expect(cascade.isSettled)
    // The bell has passed the sine.
    if gain > 0 { #expect(peak(result) > 4) }
  }

  @Test func `A change between any two shapes makes no click`() {
    let sound = sine(400, 48_000, frames: 20_000)
    for from in FilterShape.allCases {
      for to in FilterShape.allCases {
        let start = FilterBand(from, 700, gain: 9, quality: 1.5)
        var cascade = FilterCascade([start], channelCount: 1, sampleRate: 48_000)
        var block = 0
        let result = processed(sound) { samples in
          if block == 8 { cascade.setBands([FilterBand(to, 300, gain: -9, quality: 3)], over: 960) }
          // Another change in the middle of the first one.
          if block == 9 { cascade.setBands([FilterBand(from, 900, gain: 3)], over: 960) }
          if block == 20 { cascade.setBands([], over: 960) }
          block += 1
          cascade.process(&samples)
        }
        let clicks = clickFrames(Array(result[2_000...]), below: 400, 48_000)
        #expect(clicks.isEmpty, "\(from) \(to) \(clicks)")
        // All bands are gone.
        #expect(result[15_000...] == sound[15_000...], "\(from) \(to)")
      }
    }
  }

  @Test func `A glide ends at its target, also if the call is repeated`() {
    let target = [FilterBand(.lowPass, 3_000, quality: 1.2)]
    var (moved, fixed) = (
      FilterCascade([FilterBand(.lowPass, 500)], channelCount: 1, sampleRate: 48_000),
      FilterCascade(target, channelCount: 1, sampleRate: 48_000)
    )
    _ = processed(noise(4_096)) { samples in
      moved.setBands(target, over: 2_000)
      moved.process(&samples)
    }
    #expect(moved.isSettled)
    let sound = noise(30_000, seed: 3)
    let (one, other) = (processed(sound) { moved.process(&$0) }, processed(sound) { fixed.process(&$0) })
    for index in 20_000..<30_000 { #expect(abs(one[index] - other[index]) < 1e-6) }
  }

  @Test func `A change over 0 frames is at once`() {
    var moved = FilterCascade([FilterBand(.lowPass, 500)], channelCount: 1, sampleRate: 48_000)
    moved.setBands([FilterBand(.highPass, 2_000)], over: 0)
    #expect(moved.isSettled)
    var fixed = FilterCascade([FilterBand(.highPass, 2_000)], channelCount: 1, sampleRate: 48_000)
    #expect(processed(noise(1_000)) { moved.process(&$0) } == processed(noise(1_000)) { fixed.process(&$0) })
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 3e38])
  func `A sample that is not finite spoils 256 frames at most`(value: Float) {
    var sound = noise(3_000, amplitude: 0.5)
    sound[1_000] = value
    var cascade = FilterCascade(bands, channelCount: 1, sampleRate: 48_000)
    let result = processed(sound) { cascade.process(&$0) }
    #expect(result[..<1_000].allSatisfy { $0.isFinite })
    if value.isFinite { return }
    #expect(result[1_024...].allSatisfy { abs($0) < 10 })
  }

  @Test func `Silence behind a sound ends in exact zeros`() {
    var cascade = FilterCascade(bands, channelCount: 2, sampleRate: 48_000)
    let result = processed(noise(4_000) + [Float](repeating: 0, count: 400_000), channels: 2) { cascade.process(&$0) }
    #expect(result[200_000...].allSatisfy { $0 == 0 })
  }

  @Test func `All legal numbers give finite sound at all rates`() {
    var random = SplitMix64(seed: 7)
    for rate in [8_000, 11_025, 48_000, 384_000] {
      for _ in 0..<20 {
        let bands = (0..<8).map { _ in
          FilterBand(
            FilterShape.allCases.randomElement(using: &random) ?? .bell,
            Double.random(in: -100...Double(rate), using: &random),
            gain: Double.random(in: -30...30, using: &random),
            quality: Double.random(in: -1...25, using: &random)
          )
        }
        var cascade = FilterCascade(bands, channelCount: 1, sampleRate: rate)
        let sound = noise(1_500, amplitude: 1e20, seed: random.next())
        let result = processed(sound) { samples in
          cascade.setBands(bands.shuffled(using: &random), over: 300)
          cascade.process(&samples)
        }
        #expect(result.allSatisfy { $0.isFinite })
      }
    }
  }
}
