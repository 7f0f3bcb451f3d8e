import Foundation
import Testing

@testable import PCM

@Suite struct SampleRateConverterTests {
  /// Pairs of rates that a game meets, and pairs whose ratio has only large numbers.
  private static let pairs = [
    (44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (11_025, 48_000), (96_000, 44_100), (8_000, 44_100),
    (44_101, 48_000), (48_000, 44_101), (47_999, 48_000), (12_289, 4_801),
  ]

  /// Converts interleaved samples, at most `block` frames at a time, into blocks of `room` frames.
  private func converted(
    _ samples: [Float],
    _ from: Int,
    _ to: Int,
    channels: Int = 1,
    block: Int = .max,
    room: Int = 1_000,
    filter: ResamplingFilter? = nil
  ) -> [Float] {
    let ratio = RateRatio(input: from, output: to)
    var converter = SampleRateConverter(ratio, channelCount: channels, filter: filter ?? self.filter(from, to))
    var (result, start) = ([Float](), 0)
    while true {
      let end = start + min(block, samples.count / channels - start)
      var taken = 0
      let before = result.count
      result.append(addingCapacity: room * channels) { output in
        taken = converter.append(samples.span.extracting(start * channels..<end * channels), to: &output)
      }
      if start == samples.count / channels, result.count == before { return result }
      start += taken
    }
  }

  private func filter(_ from: Int, _ to: Int) -> ResamplingFilter {
    ResamplingFilter(ResamplingFilter.Shape(RateRatio(input: from, output: to)))
  }

  private func sine(_ frequency: Double, _ rate: Int, frames: Int) -> [Float] {
    (0..<frames).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  /// The amplitude of a frequency in the middle of a sound, the sine of its phase, and the rest of the sound, in dB.
  private func measured(
    _ sound: [Float],
    _ frequency: Double,
    _ rate: Int,
    edge: Int
  ) -> (gain: Double, offset: Double, rest: Double) {
    var (ss, cc, sc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    func wave(_ index: Int) -> (sine: Double, cosine: Double) {
      let angle = 2 * .pi * frequency * Double(index) / Double(rate)
      return (sin(angle), cos(angle))
    }
    let middle = edge..<sound.count - edge
    for index in middle {
      let (wave, value) = (wave(index), Double(sound[index]))
      ss += wave.sine * wave.sine
      cc += wave.cosine * wave.cosine
      sc += wave.sine * wave.cosine
      ys += value * wave.sine
      yc += value * wave.cosine
    }
    let determinant = ss * cc - sc * sc
    let (a, b) = ((ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant)
    var power = 0.0
    for index in middle {
      let difference = Double(sound[index]) - a * wave(index).sine - b * wave(index).cosine
      power += 2 * difference * difference
    }
    return (20 * log10(hypot(a, b)), b, 10 * log10(max(power / Double(middle.count), 1e-30)))
  }

  @Test(arguments: pairs)
  func `Tones keep their level within a tenth of a decibel, and their images are below -90 dB`(from: Int, to: Int) {
    let (low, filter) = (Double(min(from, to)), filter(from, to))
    let edge = Int(100 * Double(to) / low)
    for place in [0.01, 0.25, 0.5, 0.8, 0.9] {
      let frequency = place * low / 2
      let result = converted(sine(frequency, from, frames: from / 20), from, to, filter: filter)
      let found = measured(result, frequency, to, edge: edge)
      #expect(abs(found.gain) < 0.01, "\(place)")
      // The phase is the phase of the input: the converter has no delay.
      #expect(abs(found.offset) < 5e-6, "\(place)")
      #expect(found.rest < -100, "\(place)")
    }
  }

  @Test(arguments: [0.92, 0.95, 0.98, 0.999])
  func `Images of the highest frequencies are below -90 dB too`(place: Double) {
    let frequency = place * 22_050
    let result = converted(sine(frequency, 44_100, frames: 3_000), 44_100, 48_000)
    #expect(measured(result, frequency, 48_000, edge: 100).rest < -90)
  }

  @Test(arguments: [(48_000, 44_100), (96_000, 44_100), (48_000, 22_050), (48_000, 8_000), (48_000, 44_101)])
  func `Frequencies from the lower Nyquist frequency on are removed`(from: Int, to: Int) {
    let filter = filter(from, to)
    for place in [1.0, 1.01, 1.05, 1.08] {
      let frequency = place * Double(to) / 2
      let tone = (0..<from / 20).map { Float(cos(2 * .pi * frequency * Double($0) / Double(from))) }
      let result = converted(tone, from, to, filter: filter)
      #expect(result[100..<result.count - 100].map(abs).max() ?? 1 < 3e-5, "\(place)")
    }
  }

  @Test(arguments: pairs)
  func `The first frames are at the same time, and the count is rounded`(from: Int, to: Int) {
    let filter = filter(from, to)
    for count in [0, 1, 2, 3, 100, 1_001] {
      let exact = Double(count) * Double(to) / Double(from)
      let result = converted([Float](repeating: 0.25, count: count), from, to, filter: filter)
      #expect(result.count == Int((exact + 1e-9).rounded()), "\(count)")
    }
    // A wide pulse in the middle of silence is highest where it was.
    func pulse(_ frame: Double) -> Double {
      let distance = (frame - 1_000) * Double(min(from, to)) / Double(from) / 4
      return exp(-distance * distance)
    }
    let result = converted((0..<1_100).map { Float(pulse(Double($0))) }, from, to, filter: filter)
    let errors = result.indices.map { abs(Double(result[$0]) - pulse(Double($0) * Double(from) / Double(to))) }
    #expect(errors.max() ?? 1 < 1e-4)
  }

  @Test func `An impulse becomes the filter, symmetric about its own place`() {
    var impulse = [Float](repeating: 0, count: 294)
    impulse[147] = 1
    let result = converted(impulse, 44_100, 48_000)
    #expect(result.count == 320)
    let peak = result.indices.max { result[$0] < result[$1] }
    #expect(peak == 160)
    for distance in 1..<160 { #expect(abs(result[160 - distance] - result[160 + distance]) < 1e-7) }
    // Nothing is further away than half of the filter.
    #expect(result[..<90].allSatisfy { $0 == 0 } && result[231...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: pairs, [1, 3])
  func `Blocks of any size give the same samples, to the bit`(pair: (Int, Int), channels: Int) {
    var random = SystemRandomNumberGenerator()
    let samples = (0..<500 * channels).map { _ in Float.random(in: -1...1, using: &random) }
    let filter = filter(pair.0, pair.1)
    func result(_ block: Int, _ room: Int) -> [Float] {
      converted(samples, pair.0, pair.1, channels: channels, block: block, room: room, filter: filter)
    }
    let whole = result(.max, 1 << 14)
    for (block, room) in [(1, 4_096), (7, 1), (129, 333)] {
      #expect(result(block, room) == whole, "\(block)")
    }
  }

  @Test func `Each channel is converted alone`() {
    var random = SystemRandomNumberGenerator()
    let channels = (0..<3).map { _ in (0..<500).map { _ in Float.random(in: -1...1, using: &random) } }
    let filter = filter(44_100, 48_000)
    let together = converted((0..<1_500).map { channels[$0 % 3][$0 / 3] }, 44_100, 48_000, channels: 3, filter: filter)
    for (index, channel) in channels.enumerated() {
      let alone = converted(channel, 44_100, 48_000, filter: filter)
      #expect(stride(from: index, to: together.count, by: 3).map { together[$0] } == alone)
    }
  }

  @Test(arguments: pairs)
  func `Silence stays silence, and a constant stays the constant away from its ends`(from: Int, to: Int) {
    let filter = filter(from, to)
    #expect(converted([Float](repeating: 0, count: 500), from, to, filter: filter).allSatisfy { $0.bitPattern == 0 })
    let edge = Int(100 * Double(to) / Double(min(from, to)))
    let constant = converted([Float](repeating: 0.5, count: 1_500), from, to, filter: filter)
    #expect(constant[edge..<constant.count - edge].allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test func `What is not a number counts as silence, and the smallest numbers give no smaller ones`() {
    var random = SystemRandomNumberGenerator()
    let clean = (0..<3_000).map { _ in Float.random(in: -1...1, using: &random) }
    var (silent, broken) = (clean, clean)
    for (index, value) in [(1_000, Float.nan), (1_001, .infinity), (2_000, -.infinity), (2_500, 3e38)] {
      (silent[index], broken[index]) = (0, value)
    }
    let filter = filter(44_100, 48_000)
    #expect(
      converted(broken, 44_100, 48_000, filter: filter) == converted(silent, 44_100, 48_000, filter: filter)
    )
    let tiny = (0..<3_000).map { Float(sign: .plus, exponent: -140 + $0 % 100, significand: 1) }
    #expect(converted(tiny, 44_100, 48_000, filter: filter).allSatisfy { !$0.isSubnormal && $0.isFinite })
  }

  @Test func `The table of any ratio has a bounded size`() {
    for (from, to) in [(1_000, 384_000), (384_000, 1_000), (384_000, 1_001), (383_999, 384_000), (1, 768), (768, 1)] {
      let shape = ResamplingFilter.Shape(RateRatio(input: from, output: to))
      #expect((shape.phaseCount + 1) * shape.tapCount <= 1 << 19, "\(from) to \(to)")
    }
  }

  @Test(arguments: [(6_000, 384_000), (384_000, 6_001), (383_999, 384_000)])
  func `Extreme ratios keep a low tone`(from: Int, to: Int) {
    let low = Double(min(from, to))
    let tone = sine(0.2 * low, from, frames: Int(260 * Double(from) / low))
    let result = converted(tone, from, to, block: 50_000, room: 50_000)
    let found = measured(result, 0.2 * low, to, edge: Int(100 * Double(to) / low))
    #expect(abs(found.gain) < 0.01 && found.rest < -90)
  }

  @Test func `A loop that goes round before and behind itself is seamless`() {
    // 50 periods in 2,205 frames, three times: the lap in the middle is the lap of a sound without an end.
    let lap = sine(50, 2_205, frames: 2_205)
    let result = converted(lap + lap + lap, 2_205, 2_400)
    let body = Array(result[2_400..<4_800])
    let expected = sine(50, 2_400, frames: 2_400)
    #expect(zip(body, expected).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func `A change to the same rate keeps frequencies in the pass band`() {
    let tone = sine(5_000, 48_000, frames: 3_000)
    let result = converted(tone, 48_000, 48_000)
    #expect(zip(result[100..<2_900], tone[100..<2_900]).allSatisfy { abs($0 - $1) < 1e-4 })
  }
}
