import Glibc
@testable import SignalProcessing
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
    func result(_ blocks: [Int]) -> [Float] {
      var cascade = FilterCascade(bands, channelCount: 2, sampleRate: 48_000)
      let start = processed(Array(sound[..<8_000]), channels: 2, blocks: blocks) { cascade.process(&$0) }
      // A glide that begins in the middle of a line of coefficients, and a band that enters.
      cascade.set(bands.map { FilterBand($0.shape, $0.frequency, gain: 4, quality: 3) }, over: 1_500)
      let middle = processed(Array(sound[8_000..<10_000]), channels: 2, blocks: blocks) { cascade.process(&$0) }
      var next = cascade.settings
      next.append(FilterBand(.bell, 300, gain: 9))
      cascade.set(next, over: 700)
      return start + middle + processed(Array(sound[10_000...]), channels: 2, blocks: blocks) { cascade.process(&$0) }
    }
    #expect(result([6_000]) == result(blocks))
  }

  @Test(arguments: [1, 2, 3, 8, 9, 25])
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
      if block == 2 { cascade.set([FilterBand(.bell, top, gain: gain, quality: 8)], over: rate / 20) }
      block += 1
      cascade.process(&samples)
    }
    // The sine begins with a corner, which is a click of its own after a filter.
    #expect(clickFrames(Array(result[400...]), below: Double(rate) / 48, rate).isEmpty)
    #expect(cascade.isSettled == true)
    // The bell has passed the sine.
    if gain > 0 { #expect(peak(result) > 4) }
  }

  @Test func `A band of any shape enters, moves and leaves without a click`() {
    let sound = sine(400, 48_000, frames: 20_000)
    for shape in FilterShape.allCases {
      var cascade = FilterCascade([], channelCount: 1, sampleRate: 48_000)
      var block = 0
      let result = processed(sound) { samples in
        if block == 8 { cascade.set([FilterBand(shape, 700, gain: 9, quality: 1.5)], over: 960) }
        // Another change in the middle of the first one.
        if block == 9 { cascade.set([FilterBand(shape, 900, gain: -9, quality: 3)], over: 960) }
        if block == 20 { cascade.set([], over: 960) }
        block += 1
        cascade.process(&samples)
      }
      #expect(result[..<4_096] == sound[..<4_096])
      let clicks = clickFrames(Array(result[2_000...]), below: 400, 48_000)
      #expect(clicks.isEmpty, "\(shape) \(clicks)")
      // The band is gone.
      #expect(result[15_000...] == sound[15_000...], "\(shape)")
    }
  }

  @Test(
    arguments: [
      (FilterBand(.bell, 8_000, gain: 12), 2_800.0), (FilterBand(.bell, 8_000, gain: 12), 1_000),
      (FilterBand(.highPass, 90), 300), (FilterBand(.highShelf, 6_000, gain: -12), 1_500),
    ] as [(FilterBand, Double)]
  )
  func `A band that enters or leaves raises no other frequency`(band: FilterBand, frequency: Double) {
    let sound = sine(frequency, 48_000, frames: 120_000)
    let end = EqualizerDesign([band], sampleRate: 48_000).gain(at: frequency)
    let range = (min(end, 0) - 0.5)...(max(end, 0) + 0.5)
    var cascade = FilterCascade([], channelCount: 1, sampleRate: 48_000)
    for bands in [[band], []] {
      cascade.set(bands, over: 48_000)
      let result = processed(sound) { cascade.process(&$0) }
      for start in stride(from: 480, to: 119_000, by: 480) {
        // Ten milliseconds are whole periods.
        let gain = level(result[start..<start + 480]) - level(sound[start..<start + 480])
        #expect(range.contains(gain), "\(start) \(gain)")
      }
    }
    #expect(processed(sound) { cascade.process(&$0) } == sound)
  }

  @Test func `Bands glide in their places, and others need a new cascade`() {
    let cascade = FilterCascade(bands, capacity: 4, channelCount: 1, sampleRate: 48_000)
    func canGlide(_ bands: [FilterBand]) -> Bool { cascade.canGlide(to: bands) }
    func moved(_ index: Int, _ change: (inout FilterBand) -> Void) -> [FilterBand] {
      var result = bands
      change(&result[index])
      return result
    }
    #expect(canGlide(bands) && canGlide([]) && canGlide([bands[0]]))
    #expect(canGlide(moved(1) { ($0.frequency, $0.gain, $0.quality) = (80, 3, 1) }))
    #expect(canGlide(moved(0) { $0.gain = 4 } + [FilterBand(.notch, 50)]))
    #expect(!canGlide(moved(1) { $0.shape = .notch }))
    // The second band would sweep to the frequency of the third band.
    #expect(!canGlide([bands[0], bands[2]]) && !canGlide(Array(bands[1...])))
    #expect(!canGlide(moved(1) { $0.frequency = 80 } + [FilterBand(.notch, 50)]))
    #expect(!canGlide(bands + bands))
  }

  @Test func `Settings that cannot be reached by a glide change nothing`() {
    var cascade = FilterCascade(bands, channelCount: 1, sampleRate: 48_000)
    cascade.set([FilterBand(.lowPass, 100)], over: 0)
    #expect(cascade.settings == bands)
    // A band that fades out keeps its position, which no other band can take.
    cascade.set([], over: 4_800)
    let (other, same) = ([FilterBand(.lowPass, 500)], [bands[0]])
    #expect([cascade.canGlide(to: other), cascade.canGlide(to: same)] == [false, true])
    _ = processed(noise(4_900)) { cascade.process(&$0) }
    #expect([cascade.isSettled, cascade.canGlide(to: other)] == [true, true])
  }

  @Test func `A glide ends at its target, also if the call is repeated`() {
    let target = [FilterBand(.lowPass, 3_000, quality: 1.2)]
    var moved = FilterCascade([FilterBand(.lowPass, 500)], channelCount: 1, sampleRate: 48_000)
    var fixed = FilterCascade(target, channelCount: 1, sampleRate: 48_000)
    _ = processed(noise(4_096)) { samples in
      moved.set(target, over: 2_000)
      moved.process(&samples)
    }
    #expect(moved.isSettled == true)
    let sound = noise(30_000, seed: 3)
    let (one, other) = (processed(sound) { moved.process(&$0) }, processed(sound) { fixed.process(&$0) })
    for index in 20_000..<30_000 { #expect(abs(one[index] - other[index]) < 1e-6) }
  }

  @Test func `A change over 0 frames is at once`() {
    var moved = FilterCascade([FilterBand(.lowPass, 500)], channelCount: 1, sampleRate: 48_000)
    moved.set([FilterBand(.lowPass, 2_000), FilterBand(.notch, 50)], over: 0)
    #expect(moved.isSettled == true)
    var fixed = FilterCascade(moved.settings, channelCount: 1, sampleRate: 48_000)
    #expect(processed(noise(1_000)) { moved.process(&$0) } == processed(noise(1_000)) { fixed.process(&$0) })
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 3e38], [1_000, 1_025])
  func `An unusable sample counts as 0`(value: Float, frame: Int) {
    var sound = noise(3_000, amplitude: 0.5)
    func result(_ value: Float) -> [Float] {
      sound[frame] = value
      var cascade = FilterCascade(bands, channelCount: 1, sampleRate: 48_000)
      let start = processed(Array(sound[..<512])) { cascade.process(&$0) }
      cascade.set([bands[0], FilterBand(.bell, 900, gain: 6), bands[2]], over: 600)
      return start + processed(Array(sound[512...])) { cascade.process(&$0) }
    }
    #expect(result(value) == result(0))
  }

  private static let tailBands = [
    [
      FilterBand(.highPass, 90), FilterBand(.bell, 2_500, gain: -6, quality: 2), FilterBand(.highShelf, 8_000, gain: 5),
    ],
    [FilterBand(.lowPass, 40, quality: 20), FilterBand(.lowShelf, 30, gain: 24, quality: 5)],
    [FilterBand(.bell, 10_000, gain: 24, quality: 0.1), FilterBand(.lowPass, 24_000, quality: 0.5)],
    [FilterBand(.highPass, 200, quality: 0.5), FilterBand(.highPass, 200, quality: 0.5)],
    [FilterBand(.bandPass, 20_000, quality: 20), FilterBand(.notch, 50, quality: 20)],
    [FilterBand](repeating: FilterBand(.bell, 400, gain: 24, quality: 4), count: 12),
    [FilterBand(.bell, 500, gain: 0)], [],
  ]

  @Test(arguments: tailBands)
  func `The output is exactly 0 behind the tail`(bands: [FilterBand]) {
    for gliding in [false, true] {
      var cascade = FilterCascade(bands, channelCount: 2, sampleRate: 48_000)
      _ = processed(noise(9_000), channels: 2) { cascade.process(&$0) }
      if gliding { cascade.set(bands.dropLast() + [], over: 3_000) }
      let tail = cascade.tail
      _ = processed([Float](repeating: 0, count: 2 * tail), channels: 2) { cascade.process(&$0) }
      let rest = processed([Float](repeating: 0, count: 2_000), channels: 2) { cascade.process(&$0) }
      #expect(rest.allSatisfy { $0 == 0 }, "\(bands)")
      if bands.allSatisfy({ $0.gain == 0 && $0.shape == .bell }) { #expect(gliding || tail == 0) }
    }
  }

  @Test func `The longest tail of a band is known from its poles`() {
    let band = FilterBand(.bell, 10, gain: 24, quality: 20)
    let cascade = FilterCascade([band], channelCount: 1, sampleRate: 48_000)
    // The reach of the tail: 87 s to -300 dB without a gain.
    #expect(Double(cascade.tail) / 48_000 > 58 && Double(cascade.tail) / 48_000 < 100)
  }

  @Test func `A silent block takes no longer than noise`() {
    let bands = (1...8).map { FilterBand(.bell, 100 * Double($0), gain: 3) }
    var cascade = FilterCascade(bands, channelCount: 2, sampleRate: 48_000)
    func time(_ sound: [Float]) -> Duration {
      let clock = ContinuousClock()
      return (0..<20).map { _ in
        let block = sound
        return clock.measure { _ = processed(block, channels: 2) { cascade.process(&$0) } }
      }.min() ?? .zero
    }
    let loud = time(noise(8_192))
    _ = processed([Float](repeating: 0, count: 2 * cascade.tail / 2), channels: 2) { cascade.process(&$0) }
    #expect(time([Float](repeating: 0, count: 8_192)) < loud * 2)
  }

  @Test func `All legal numbers give finite sound at all rates`() {
    var random = SplitMix64(seed: 7)
    for rate in [1, 100, 11_025, 48_000, 384_000, 10_000_000] {
      for _ in 0..<20 {
        let bands = (0..<12).map { _ in
          FilterBand(
            FilterShape.allCases.randomElement(using: &random) ?? .bell,
            Double.random(in: -100...Double(rate), using: &random),
            gain: Double.random(in: -30...30, using: &random),
            quality: Double.random(in: -1...25, using: &random)
          )
        }
        var cascade = FilterCascade(bands, channelCount: 1, sampleRate: rate)
        let sound = noise(1_500, amplitude: 1e25, seed: random.next())
        let result = processed(sound) { samples in
          cascade.set(
            bands.map { FilterBand($0.shape, $0.frequency * 1.3, gain: -$0.gain, quality: $0.quality) },
            over: 300
          )
          cascade.process(&samples)
        }
        #expect(result.allSatisfy { $0.isFinite })
      }
    }
  }
}
