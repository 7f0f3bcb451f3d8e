import Glibc
import SignalProcessing
import TestSupport
import Testing

/// The responses of filters, against the "Audio EQ Cookbook".
@Suite struct FilterResponseTests {
  /// Settings of one shape, from a generator: frequency, gain, quality.
  private func settings(_ shape: FilterShape, rate: Int, count: Int, lowest: Double = 10) -> [FilterBand] {
    var random = SplitMix64(seed: UInt64(rate))
    return (0..<count).map { _ in
      FilterBand(
        shape,
        lowest * pow(0.49 * Double(rate) / lowest, Double.random(in: 0...1, using: &random)),
        gain: Double.random(in: -24...24, using: &random),
        quality: 0.1 * pow(200, Double.random(in: 0...1, using: &random))
      )
    }
  }

  /// Frequencies from 10 Hz to 0.49 of the rate, in equal ratios.
  private func frequencies(_ rate: Int, _ count: Int = 40) -> [Double] {
    (0..<count).map { 10 * pow(0.049 * Double(rate), Double($0) / Double(count - 1)) }
  }

  @Test(arguments: FilterShape.allCases, [8_000, 44_100, 48_000, 96_000, 384_000])
  func `The design has the response of the cookbook`(shape: FilterShape, rate: Int) {
    for band in settings(shape, rate: rate, count: 60) {
      let (design, reference) = (EqualizerDesign([band], sampleRate: rate), CookbookFilter(band, rate: Double(rate)))
      for frequency in frequencies(rate) {
        let (found, expected) = (design.gain(at: frequency), reference.gain(at: frequency, rate: Double(rate)))
        // At the bottom of a notch both are the rounding of a difference.
        #expect(abs(max(found, -120) - max(expected, -120)) < 1e-3, "\(band) \(frequency)")
      }
    }
  }

  @Test(arguments: FilterShape.allCases, [44_100, 48_000, 96_000])
  func `An impulse response has the gain of the design within 0.01 dB`(shape: FilterShape, rate: Int) {
    for band in settings(shape, rate: rate, count: 12, lowest: 60) {
      // Until the slowest part has decayed by 100 dB.
      let periods = 2 * max(2 * band.quality, 1 / band.quality) + 1
      let length = 2_048 + Int(periods * 2 * Double(rate) / band.frequency)
      var response = [Float](repeating: 0, count: length)
      response[0] = 1
      var cascade = FilterCascade([band], channelCount: 1, sampleRate: rate)
      var span = response.mutableSpan
      cascade.process(&span)
      let design = EqualizerDesign([band], sampleRate: rate)
      for frequency in frequencies(rate, 40) where design.gain(at: frequency) > -60 {
        let found = TestSupport.level(at: frequency, of: response, rate: rate)
        #expect(abs(found - design.gain(at: frequency)) < 0.01, "\(band) \(frequency)")
      }
    }
  }

  @Test func `Bands in a row add their decibels`() {
    let bands = [FilterBand(.highPass, 80), FilterBand(.bell, 2_500, gain: -3, quality: 0.9), FilterBand(.notch, 50)]
    let whole = EqualizerDesign(bands, sampleRate: 48_000)
    for frequency in frequencies(48_000) {
      let sum = bands.map { EqualizerDesign([$0], sampleRate: 48_000).gain(at: frequency) }.reduce(0, +)
      #expect(abs(whole.gain(at: frequency) - sum) < 1e-9)
    }
    #expect(EqualizerDesign([], sampleRate: 48_000).gain(at: 1_000) == 0)
  }

  @Test func `A filter has its gain at its frequency`() {
    for (shape, expected) in [
      (FilterShape.lowPass, -3.0103), (.highPass, -3.0103), (.bandPass, 0), (.bell, 12), (.lowShelf, 6),
      (.highShelf, 6),
    ] {
      let design = EqualizerDesign([FilterBand(shape, 1_000, gain: 12)], sampleRate: 48_000)
      #expect(abs(design.gain(at: 1_000) - expected) < 1e-3, "\(shape)")
    }
    #expect(EqualizerDesign([FilterBand(.notch, 1_000)], sampleRate: 48_000).gain(at: 1_000) < -200)
    // The bilinear transform takes the low pass to zero at half of the rate.
    #expect(EqualizerDesign([FilterBand(.lowPass, 1_000)], sampleRate: 48_000).gain(at: 24_000) < -150)
  }

  @Test func `Numbers beyond the ranges are moved into them`() {
    let bands = [
      FilterBand(.bell, 1, gain: 100, quality: 1_000), FilterBand(.bell, 1e9, gain: -100, quality: 0),
      FilterBand(.bell, .nan, gain: .nan, quality: .nan), FilterBand(.bell, -.infinity, gain: .infinity, quality: -1),
    ]
    let design = EqualizerDesign(bands, sampleRate: 48_000)
    #expect(design.bands[0] == FilterBand(.bell, 10, gain: 24, quality: 20))
    #expect(design.bands[1] == FilterBand(.bell, 23_520, gain: -24, quality: 0.1))
    #expect(design.bands[2] == FilterBand(.bell, 1_000, gain: 0))
    #expect(design.bands[3] == FilterBand(.bell, 10, gain: 24, quality: 0.1))
    #expect(EqualizerDesign([], sampleRate: 1).sampleRate == 100)
    #expect(EqualizerDesign([], sampleRate: .max).sampleRate == 10_000_000)
    #expect(EqualizerDesign([FilterBand(.bell, .nan)], sampleRate: 1).bands == [FilterBand(.bell, 49)])
    for frequency in [-1.0, 0, 1, 24_000, 1e9, .nan, .infinity] { #expect(design.gain(at: frequency).isFinite) }
  }
}
