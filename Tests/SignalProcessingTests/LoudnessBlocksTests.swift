import Glibc
import PCM
@testable import SignalProcessing
import TestSupport
import Testing

/// Loudness by ITU-R BS.1770-4, with the synthetic signals of EBU Tech 3341 and 3342 in their numbers.
@Suite struct LoudnessBlocksTests {
  private let stereo = PCMFormat.stereo(sampleRate: 48_000)

  @Test func `The filters have the coefficients of the recommendation at 48 kHz`() {
    let weighting = KWeighting(sampleRate: 48_000)
    let (shelf, highPass) = (weighting.shelf, weighting.highPass)
    for (found, expected) in [
      (shelf.b0, 1.53512485958697), (shelf.b1, -2.69169618940638), (shelf.b2, 1.19839281085285),
      (shelf.a1, -1.69065929318241), (shelf.a2, 0.73248077421585), (highPass.a1, -1.99004745483398),
      (highPass.a2, 0.99007225036621),
    ] {
      #expect(abs(found - expected) < 1e-8)
    }
  }

  @Test(arguments: [-23.0, -33])
  func `3341, 1 and 2: a tone has its level in all three measures`(level: Double) throws {
    let meter = LoudnessBlocks.measured([.tone(level, 20)])
    for value in [meter.momentary, meter.shortTerm, meter.integrated] {
      #expect(abs(try #require(value) - level) < 0.1)
    }
  }

  @Test(
    arguments: [
      [.tone(-36, 10), .tone(-23, 60), .tone(-36, 10)],
      [.tone(-72, 10), .tone(-36, 10), .tone(-23, 60), .tone(-36, 10), .tone(-72, 10)],
      [.tone(-26, 20), .tone(-20, 20.1), .tone(-26, 20)],
    ] as [[TonePart]]
  )
  func `3341, 3 to 5: the gates leave out what is soft`(parts: [TonePart]) throws {
    #expect(abs(try #require(LoudnessBlocks.measured(parts).integrated) + 23) < 0.1)
  }

  @Test func `3341, 6: the channels of surround sound have their weights`() throws {
    let format = PCMFormat(sampleRate: 48_000, layout: .surround51)
    var meter = LoudnessBlocks(format: format)
    // The fourth channel is not measured.
    let weights = ([-28, -28, -24, -10, -30, -30] as [Double]).map { pow(10, $0 / 20) }
    meter.append([.tone(0, 20)], format, weights: weights)
    #expect(abs(try #require(meter.integrated) + 23) < 0.1)
  }

  @Test func `3341, 9: the short-term loudness of a pattern of 3 s is constant`() {
    var (meter, count) = (LoudnessBlocks(format: stereo), 0)
    let parts = [[TonePart]](repeating: [.tone(-20, 1.34), .tone(-30, 1.66)], count: 5).flatMap(\.self)
    meter.append(parts, stereo) { meter in
      guard let value = meter.windows.shortTerm else { return }
      count += 1
      #expect(abs(value + 23) < 0.1)
    }
    #expect(count == 1_201)
  }

  @Test(arguments: 1...20)
  func `3341, 10 and 11: the largest short-term loudness of a tone of 3 s is its level`(index: Int) throws {
    for level in [-23, Double(index) - 39] {
      let parts: [TonePart] = [.silence(0.15 * Double(index)), .tone(level, 3), .silence(1)]
      #expect(abs(try #require(LoudnessBlocks.largest(\.shortTerm, parts)) - level) < 0.1)
    }
  }

  @Test func `3341, 12: the momentary loudness of a pattern of 0.4 s is constant`() {
    var (meter, count) = (LoudnessBlocks(format: stereo), 0)
    let parts = [[TonePart]](repeating: [.tone(-20, 0.18), .tone(-30, 0.22)], count: 25).flatMap(\.self)
    meter.append(parts, stereo) { meter in
      guard let value = meter.windows.momentary else { return }
      count += 1
      if count > 60 { #expect(abs(value + 23) < 0.1) }
    }
    #expect(count == 961)
  }

  @Test(arguments: 1...20)
  func `3341, 13 and 14: the largest momentary loudness of a tone of 0.4 s is its level`(index: Int) throws {
    for level in [-23, Double(index) - 39] {
      let parts: [TonePart] = [.silence(0.02 * Double(index)), .tone(level, 0.4), .silence(1)]
      #expect(abs(try #require(LoudnessBlocks.largest(\.momentary, parts)) - level) < 0.1)
    }
  }

  @Test(
    arguments: [
      ([.tone(-20, 20), .tone(-30, 20)], 10), ([.tone(-20, 20), .tone(-15, 20)], 5),
      ([.tone(-40, 20), .tone(-20, 20)], 20),
      ([.tone(-50, 20), .tone(-35, 20), .tone(-20, 20), .tone(-35, 20), .tone(-50, 20)], 15),
    ] as [([TonePart], Double)]
  )
  func `3342, 1 to 4: the loudness range`(parts: [TonePart], expected: Double) throws {
    #expect(abs(try #require(LoudnessBlocks.measured(parts).range) - expected) < 1)
  }

  @Test(arguments: [8_000, 11_025, 22_050, 44_100, 96_000, 192_000, 384_000])
  func `A tone has its level at every rate`(rate: Int) throws {
    let format = PCMFormat.stereo(sampleRate: rate)
    var meter = LoudnessBlocks(format: format)
    let tone = sine(1_000, rate, frames: 7 * rate / 2, amplitude: pow(10, -23.0 / 20))
    meter.append(interleaved([tone, tone]).span)
    #expect(meter.windows.stepCount == 350)
    let reading = meter.reading
    for value in [reading.momentary, reading.shortTerm, reading.integrated] {
      #expect(abs(try #require(value) + 23) < 0.1)
    }
  }

  @Test func `The gated mean differs from the exact one by less than 0.02 LU`() throws {
    for seed in 0..<10 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var histogram = LoudnessHistogram()
      let powers = (0..<5_000).map { _ in
        LoudnessScale.power(ofLoudness: Double.random(in: -60 ... -10, using: &random))
      }
      for power in powers { histogram.insert(power: power) }
      let threshold = powers.reduce(0, +) / 5_000 / 10
      let audible = powers.filter { $0 > threshold }
      let exact = LoudnessScale.loudness(ofPower: audible.reduce(0, +) / Double(audible.count))
      #expect(abs(try #require(histogram.gatedMean) - exact) < 0.02)
      // The percentiles by sorting.
      let sorted = powers.filter { $0 > threshold / 10 }.sorted()
      func percentile(_ share: Double) -> Double {
        LoudnessScale.loudness(ofPower: sorted[Int((share * Double(sorted.count - 1)).rounded())])
      }
      #expect(abs(try #require(histogram.range) - (percentile(0.95) - percentile(0.1))) < 0.11)
    }
  }

  @Test func `Blocks at the ends of the histogram count`() {
    var histogram = LoudnessHistogram()
    #expect(histogram.gatedMean == nil && histogram.range == nil)
    histogram.insert(power: 0)
    histogram.insert(power: LoudnessScale.power(ofLoudness: -70.001))
    #expect(histogram.gatedMean == nil)
    histogram.insert(power: LoudnessScale.power(ofLoudness: -69.99))
    #expect(abs((histogram.gatedMean ?? 0) + 69.99) < 1e-9)
    #expect(histogram.range == 0)
    histogram.insert(power: 1e60)
    #expect(abs((histogram.gatedMean ?? 0) - LoudnessScale.loudness(ofPower: 1e60)) < 1e-9)
    histogram.reset()
    #expect(histogram.gatedMean == nil)
  }

  @Test func `A sound has no loudness before 400 ms and 3 s, and silence has none that is integrated`() {
    var meter = LoudnessBlocks(format: stereo)
    meter.append([.tone(-20, 0.39)], stereo)
    #expect(meter.reading == LoudnessBlocks.Reading())
    meter.append([.tone(-20, 0.01)], stereo)
    #expect(meter.reading.momentary != nil && meter.integrated != nil)
    #expect(meter.reading.shortTerm == nil && meter.reading.range == nil)
    meter.append([.tone(-20, 2.6)], stereo)
    #expect(meter.reading.shortTerm != nil && meter.reading.range == 0)
    meter.reset()
    #expect(meter.reading == LoudnessBlocks.Reading())
    meter.append([.silence(4)], stereo)
    #expect(meter.integrated == nil && meter.reading.range == nil && (meter.reading.momentary ?? 0) < -200)
  }

  @Test func `A sound in parts of any length has the loudness of the whole, to the bit`() {
    let sound = noise(2 * 22_050 * 4)
    var whole = LoudnessBlocks(format: .stereo(sampleRate: 22_050))
    whole.append(sound.span)
    for length in [1, 7, 221, 2_205, 50_000] {
      var meter = LoudnessBlocks(format: .stereo(sampleRate: 22_050))
      for start in stride(from: 0, to: sound.count, by: 2 * length) {
        meter.append(sound.span.extracting(start..<min(start + 2 * length, sound.count)))
      }
      #expect(meter.reading == whole.reading)
    }
  }

  @Test func `A reset forgets the sound`() {
    var (used, new) = (LoudnessBlocks(format: stereo), LoudnessBlocks(format: stereo))
    used.append(noise(2 * 50_001).span)
    used.reset()
    let sound = noise(2 * 160_000, amplitude: 0.2, seed: 4)
    used.append(sound.span)
    new.append(sound.span)
    #expect(used.reading == new.reading && new.reading.range != nil)
  }

  @Test func `A new integration keeps the windows of the sound that goes on`() {
    var meter = LoudnessBlocks(format: stereo)
    meter.append(noise(2 * 200_000, amplitude: 0.5).span)
    let before = meter.reading
    meter.resetIntegration()
    #expect(meter.reading == LoudnessBlocks.Reading(momentary: before.momentary, shortTerm: before.shortTerm))
    meter.append([Float](repeating: 0, count: 2 * 4_800).span)
    #expect(meter.reading.integrated != nil && meter.reading.range != nil)
  }

  @Test func `Samples that are not finite count as silence, and spoil nothing`() throws {
    var sound = interleaved([sine(1_000, 48_000, frames: 96_000), sine(1_000, 48_000, frames: 96_000)])
    for (index, value) in [Float.nan, .infinity, -.infinity, 3e38].enumerated() { sound[10_000 * index] = value }
    var meter = LoudnessBlocks(format: stereo)
    meter.append(sound.span)
    #expect(abs(try #require(meter.integrated)) < 0.1)
  }
}
