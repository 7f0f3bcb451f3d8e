import Glibc
@testable import SignalProcessing
import TestSupport
import Testing

/// The limiter, and the arithmetic in it.
@Suite struct LimiterTests {
  /// Sounds that are hard to limit, of one channel at 48 kHz.
  private static let sounds: [(name: String, samples: [Float])] = {
    let frames = 12_000
    func made(_ name: String, _ value: (Int, inout SplitMix64) -> Double) -> (String, [Float]) {
      var random = SplitMix64(seed: 5)
      return (name, (0..<frames).map { Float(value($0, &random)) })
    }
    func white(_ random: inout SplitMix64) -> Double { Double.random(in: -1...1, using: &random) }
    func tone(_ frequency: Double, _ frame: Int) -> Double { sin(2 * .pi * frequency * Double(frame) / 48_000) }
    return [
      made("noise of +12 dB") { 4 * white(&$1) },
      made("997 Hz at full scale") { frame, _ in tone(997, frame) },
      made("a quarter of the rate between the samples") { frame, _ in 2 * sin(.pi / 2 * Double(frame) + .pi / 4) },
      made("impulses of 3 in noise") { $0 % 997 == 0 ? 3 : 0.05 * white(&$1) },
      made("lone impulses of 8") { frame, _ in frame % 1_003 == 1 ? 8 : 0 },
      made("lone pairs of 8") { frame, _ in [1: 8, 2: -8][frame % 1_003] ?? 0 },
      made("impulses of up to 8 in noise") { white(&$1) > 0.96 ? 8 * white(&$1) : 0.3 * white(&$1) },
      made("rare impulses of up to 8") { white(&$1) > 0.99 ? 8 * white(&$1) : 0 },
      made("a square of 441 Hz") { frame, _ in tone(441, frame) > 0 ? 2 : -2 },
      made("bursts of 15 kHz") { frame, _ in frame / 480 % 2 == 0 ? 2 * tone(15_001, frame) : 0 },
      made("rising bursts of 11 kHz") { frame, _ in pow(1.0008, Double(frame % 3_000)) * tone(11_003, frame) },
      made("steps of 13 kHz") { frame, _ in [0.2, 1, 3, 8, 0.5, 2][frame / 37 % 6] * tone(13_003, frame) },
      made("signs") { white(&$1) > 0 ? 1.5 : -1.5 },
      made("noise of changing level") { white(&$1) * (1 + 6 * pow(sin(Double($0) * 0.02), 8)) },
    ]
  }()

  private func settings(ceiling: Double = -1, isTruePeak: Bool = true) -> LookAheadLimiter.Settings {
    var settings = LookAheadLimiter.Settings()
    (settings.ceiling, settings.isTruePeak) = (ceiling, isTruePeak)
    return settings
  }

  @Test(arguments: sounds.map(\.name), [-1.0, -12])
  func `No sample and no value between samples is above the ceiling`(name: String, ceiling: Double) throws {
    let samples = try #require(Self.sounds.first { $0.name == name }).samples
    let limit = Float(pow(10, ceiling / 20))
    for isTruePeak in [false, true] {
      let numbers = settings(ceiling: ceiling, isTruePeak: isTruePeak)
      var limiter = LookAheadLimiter(numbers, channelCount: 1, sampleRate: 48_000)
      let result = processed(samples) { limiter.process(&$0) }
      #expect(peak(result) <= limit)
      if isTruePeak { #expect(InterpolatorTable.peak(result) <= ceiling + 0.01) }
      // The limiter takes no more than it has to.
      #expect(decibels(Double(peak(result))) > ceiling - (isTruePeak ? 6 : 0.1))
    }
  }

  @Test(arguments: [8_000, 44_100, 96_000, 192_000, 384_000], 1...3)
  func `The ceiling holds at every rate, for all channels with one gain`(rate: Int, count: Int) {
    let sound = noise(12_000 * count, amplitude: 4)
    var limiter = LookAheadLimiter(settings(), channelCount: count, sampleRate: rate)
    let result = processed(sound, channels: count) { limiter.process(&$0) }
    #expect(peak(result) <= Float(pow(10, -1.0 / 20)))
    for frame in stride(from: limiter.latency, to: 12_000, by: 101) {
      let gains = (0..<count).map { result[frame * count + $0] / sound[(frame - limiter.latency) * count + $0] }
      #expect(gains.allSatisfy { abs($0 - gains[0]) < 1e-5 })
    }
    if rate < 96_000 {
      for index in 0..<count { #expect(InterpolatorTable.peak(channel(index, of: result, count: count)) <= -0.99) }
    }
  }

  @Test(arguments: [8_000, 48_000, 96_000, 192_000], [false, true])
  func `Sounds below -6 dBFS are the delayed input to the bit`(rate: Int, isTruePeak: Bool) {
    let sound = sine(0.0307 * Double(rate), rate, frames: 20_000, amplitude: 0.5)
    var limiter = LookAheadLimiter(settings(isTruePeak: isTruePeak), channelCount: 1, sampleRate: rate)
    let result = processed(sound) { limiter.process(&$0) }
    #expect(result[limiter.latency...] == sound[..<(20_000 - limiter.latency)])
    #expect(result[..<limiter.latency].allSatisfy { $0 == 0 })
    #expect(limiter.gainChange == 0)
    // Also after a reduction, once the release has ended.
    _ = processed([Float](repeating: 4, count: 1_000)) { limiter.process(&$0) }
    #expect(limiter.gainChange < -12)
    _ = processed([Float](repeating: 0, count: 2 * rate)) { limiter.process(&$0) }
    let later = processed(sound) { limiter.process(&$0) }
    #expect(later[limiter.latency...] == sound[..<(20_000 - limiter.latency)])
  }

  @Test func `The latency is 71 frames at 48 kHz, and 82 with true peak`() {
    #expect(LookAheadLimiter(settings(isTruePeak: false), channelCount: 2, sampleRate: 48_000).latency == 71)
    #expect(LookAheadLimiter(settings(), channelCount: 2, sampleRate: 48_000).latency == 82)
    #expect(LookAheadLimiter(settings(), channelCount: 2, sampleRate: 192_000).latency == 287)
  }

  @Test(arguments: blockLengths)
  func `The result does not depend on the lengths of the blocks`(blocks: [Int]) {
    let sound = noise(8_000, amplitude: 3) + noise(20_000, amplitude: 0.2) + noise(4_000, amplitude: 2)
    func result(_ blocks: [Int]) -> [Float] {
      var limiter = LookAheadLimiter(settings(), channelCount: 2, sampleRate: 48_000)
      let start = processed(Array(sound[..<2_222]), channels: 2, blocks: blocks) { limiter.process(&$0) }
      limiter.set(settings(ceiling: -9), over: 3_000)
      return start + processed(Array(sound[2_222...]), channels: 2, blocks: blocks) { limiter.process(&$0) }
    }
    #expect(result([16_000]) == result(blocks))
  }

  @Test func `A gain returns with the release`() {
    var numbers = settings(ceiling: 0, isTruePeak: false)
    numbers.release = 0.1
    var limiter = LookAheadLimiter(numbers, channelCount: 1, sampleRate: 48_000)
    let sound = [2] + [Float](repeating: 0.1, count: 24_000)
    let result = processed(sound) { limiter.process(&$0) }
    // The gain rises from one half by 63 % of the difference to 1 in 0.1 s. The look-ahead holds it for longer.
    let frame = (100..<24_000).first { result[$0] / 0.1 > 0.5 + 0.5 * 0.632 } ?? 0
    #expect(abs(Double(frame) - 4_800) < 200, "\(frame)")
  }

  @Test func `A lower ceiling holds once it has been reached`() {
    let numbers = settings(isTruePeak: false)
    var limiter = LookAheadLimiter(numbers, channelCount: 1, sampleRate: 48_000)
    var block = 0
    let result = processed(noise(48_000, amplitude: 4)) { samples in
      if block == 20 { limiter.set(settings(ceiling: -12, isTruePeak: false), over: 4_800) }
      block += 1
      limiter.process(&samples)
    }
    #expect(peak(result[16_000...]) <= Float(pow(10, -12.0 / 20)))
    #expect(peak(result[..<10_000]) > 0.8)
  }

  @Test func `Settings beyond the ranges are moved into them`() {
    for value in [-1e9, -1, 0, 1e9, .nan, .infinity, -.infinity] {
      var numbers = LookAheadLimiter.Settings()
      (numbers.ceiling, numbers.lookAhead, numbers.release) = (value, value, value)
      var limiter = LookAheadLimiter(numbers, channelCount: 1, sampleRate: 8_000)
      limiter.set(numbers, over: 0)
      let result = processed(noise(2_000, amplitude: 1e20)) { limiter.process(&$0) }
      #expect(peak(result) <= 1)
    }
  }

  @Test(arguments: ["noise below 20 kHz", "a square below 20 kHz", "a burst of 15 kHz", "pulses below 18 kHz"])
  func `With 16 times the rate, no value of a sound below 20 kHz is 0.4 dB above the ceiling`(name: String) {
    let rate = 48_000.0
    var random = SplitMix64(seed: 3)
    let frames = 4_096
    let frequencies: [Double] =
      switch name {
      case "noise below 20 kHz": (0..<300).map { _ in Double.random(in: 50...19_500, using: &random) }
      case "a square below 20 kHz": stride(from: 441.0, to: 19_500, by: 882).map { $0 }
      case "a burst of 15 kHz": [15_001]
      default: stride(from: 300.0, to: 18_000, by: 300).map { $0 }
      }
    let isSquare = name.hasPrefix("a square")
    let phases = frequencies.map { _ in name.hasPrefix("noise") ? Double.random(in: 0...1, using: &random) : 0 }
    var sound = [Float](repeating: 0, count: frames)
    for (frequency, phase) in zip(frequencies, phases) {
      let amplitude =
        isSquare ? 3 * 441 / frequency : name.hasPrefix("a burst") ? 4 : 6 / Double(frequencies.count).squareRoot()
      let tone = sine(frequency, 48_000, frames: frames, amplitude: amplitude, phase: phase)
      for frame in 0..<frames { sound[frame] += tone[frame] }
    }
    // A rise of 2 ms and a fall: an edge would have higher frequencies.
    for frame in 0..<frames {
      let place = Double(min(frame, frames - 1 - frame)) / (0.002 * rate)
      if place < 1 { sound[frame] *= Float(0.5 - 0.5 * cos(.pi * place)) }
    }
    var limiter = LookAheadLimiter(settings(), channelCount: 1, sampleRate: 48_000)
    let result = processed(sound + [Float](repeating: 0, count: 512)) { limiter.process(&$0) }
    let found = decibels(Self.peakBetweenSamples(result))
    #expect(found <= -0.6 && found > -3, "\(found)")
  }

  /// The largest magnitude at 16 times the rate, by 64 samples of a windowed sine of an arc.
  private static func peakBetweenSamples(_ samples: [Float]) -> Double {
    let reach = 32
    var largest = 0.0
    for phase in 0..<16 {
      let table = (-reach..<reach).map { index -> Double in
        let x = Double(index) + 1 - Double(phase) / 16
        let window = 0.42 + 0.5 * cos(.pi * x / Double(reach + 1)) + 0.08 * cos(2 * .pi * x / Double(reach + 1))
        return window * (x == 0 ? 1 : sin(.pi * x) / (.pi * x))
      }
      unsafe samples.withUnsafeBufferPointer { samples in
        unsafe table.withUnsafeBufferPointer { table in
          var start = 0
          while start + 2 * reach <= samples.count {
            var (sum, index) = (0.0, 0)
            while index < 2 * reach {
              unsafe sum += table[index] * Double(samples[start + index])
              index += 1
            }
            largest = max(largest, sum.magnitude)
            start += 1
          }
        }
      }
    }
    return largest
  }

  @Test func `Another look-ahead or kind of peak needs a new limiter`() {
    let limiter = LookAheadLimiter(settings(), channelCount: 1, sampleRate: 48_000)
    func canGlide(_ change: (inout LookAheadLimiter.Settings) -> Void) -> Bool {
      var numbers = settings()
      change(&numbers)
      return limiter.canGlide(to: numbers)
    }
    #expect(canGlide { ($0.ceiling, $0.release) = (-9, 1) } && !canGlide { $0.isTruePeak = false })
    #expect(!canGlide { $0.lookAhead = 0.002 })
  }

  @Test(arguments: [1, 2, 3, 17, 72])
  func `A sliding minimum is the least number of its window`(length: Int) {
    var random = SplitMix64(seed: UInt64(length))
    let numbers = (0..<2_000).map { _ in Int.random(in: 0...50, using: &random) }
    var (window, found, start) = (SlidingMinimum(length: length, initial: 25), [Int](), 0)
    while start < numbers.count {
      let count = min(Int.random(in: 1...40, using: &random), numbers.count - start)
      var part = Array(numbers[start..<start + count])
      window.process(&part, count: count)
      found += part
      start += count
    }
    let padded = [Int](repeating: 25, count: length) + numbers
    for index in numbers.indices { #expect(found[index] == padded[index + 1...index + length].min()) }
    window.reset()
    var one = [40]
    window.process(&one, count: 1)
    #expect(one[0] == (length == 1 ? 40 : 25))
  }
}
