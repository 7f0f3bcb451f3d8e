import Glibc
import TestSupport
import Testing

@testable import Spatial3D

/// The approximation of a parametric band, computed at many frequencies.
@Suite struct EqualizerDesignTests {
  private static let rate = 48_000.0

  /// Bands at random frequencies, and narrow bands around the ends of the library's range.
  private static let bands: [ParametricEqualizer] = {
    var random = SplitMix64(seed: 1)
    func any(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    func band(_ frequency: Double, _ bandwidth: Double) -> ParametricEqualizer {
      .init(frequency: Float(frequency), bandwidth: Float(bandwidth), level: Decibels(Float(any(-18...18))))
    }
    return (0..<40).map { _ in band(pow(10, any(1...4.3)), 0.05 * pow(80, any(0...1))) }
      + (0..<40).map { band(($0 % 2 == 0 ? 200 : 8_000) * exp2(any(-0.5...0.5)), any(0.05...0.5)) }
      + [
        .init(frequency: 182.4, bandwidth: 0.065, level: 8), .init(frequency: 176, bandwidth: 0.15, level: -18),
        .init(frequency: 9_000, bandwidth: 0.1, level: 12), .init(frequency: 1_000, bandwidth: 0.05, level: -18),
      ]
  }()

  /// Frequencies spread evenly, and densely around a band and the ends of the library's range.
  private func grid(for band: ParametricEqualizer) -> FrequencyGrid {
    let centers = [200, 8_000, Double(band.frequency)].flatMap { center in
      (-50...50).map { center * exp2(Double($0) / 200) }
    }
    return FrequencyGrid(count: 301, including: centers, rate: Self.rate)
  }

  /// The largest error, the root mean square of the errors over octaves, and the same mean without a filter.
  private func errors(_ made: [Double], _ wanted: [Double], _ grid: FrequencyGrid) -> (Double, Double, Double) {
    var (largest, squares, nothing, octaves) = (0.0, 0.0, 0.0, 0.0)
    for (index, weight) in grid.octaves.enumerated() {
      let error = wanted[index] - made[index]
      largest = max(largest, abs(error))
      squares += weight * error * error
      nothing += weight * wanted[index] * wanted[index]
      octaves += weight
    }
    return (largest, (squares / octaves).squareRoot(), (nothing / octaves).squareRoot())
  }

  @Test func `Each frequency of a grid represents the octaves up to the middles between it and its neighbours`() {
    let grid = FrequencyGrid([100, 200, 800, 1_600], rate: Self.rate)
    #expect(zip(grid.octaves, [0.5, 1.5, 1.5, 0.5]).allSatisfy { abs($0 - $1) < 1e-12 } && grid.octaves.count == 4)
    let even = FrequencyGrid(count: 50, rate: Self.rate)
    #expect(even.frequencies.count == 50)
    #expect(abs(even.octaves.reduce(0, +) - log2(even.frequencies[49] / even.frequencies[0])) < 1e-9)
  }

  @Test func `The error of an equalizer chain is below its stated accuracy and below that of no equalizer`() {
    for band in Self.bands {
      let fit = EqualizerDesign(of: band, rate: Self.rate)
      let grid = grid(for: band)
      let made = fit.stages.flatMap(\.filters).reduce([Double](repeating: 0, count: grid.frequencies.count)) {
        sum,
        filter in
        zip(sum, filter(Self.rate).levels(on: grid)).map { $0 + $1 }
      }
      let (largest, mean, none) = errors(made, band.response(rate: Self.rate).levels(on: grid), grid)
      #expect(largest < fit.accuracy.largestError + 0.2, "\(band)")
      #expect(mean <= none, "\(band)")
    }
  }

  @Test(arguments: [RoomPreset.mediumRoom, .plate])
  func `The error of a reverb's shelves is below their stated accuracy and below that of none`(preset: RoomPreset) {
    let room = RoomAcoustics(preset)
    for band in Self.bands {
      let fit = ShelfDesign(of: band, in: room, rate: Self.rate)
      let grid = grid(for: band)
      let (before, after) = (room.shelves(on: grid, rate: Self.rate), fit.room.shelves(on: grid, rate: Self.rate))
      let made = zip(before, after).map { $1 - $0 + Double(fit.offset) }
      let (largest, mean, none) = errors(made, band.response(rate: Self.rate).levels(on: grid), grid)
      #expect(largest < fit.accuracy.largestError + 0.2, "\(band)")
      #expect(mean <= none + 1e-3, "\(band)")
    }
  }

  @Test func `A band too narrow for the shelves does not change the level of the reverb`() {
    for band in [
      ParametricEqualizer(frequency: 3_500, bandwidth: 0.3, level: -18),
      .init(frequency: 1_000, bandwidth: 0.05, level: -18),
    ] {
      let fit = ShelfDesign(of: band, in: RoomAcoustics(.mediumRoom), rate: Self.rate)
      #expect(abs(fit.offset) < 1, "\(fit)")
    }
  }

  @Test func `A center frequency near or above half the mix rate is out of range`() {
    let band = ParametricEqualizer(frequency: 6_000, bandwidth: 1, level: 6)
    for (rate, isReached) in [(8_000.0, false), (11_025, false), (13_000, false), (14_000, true), (48_000, true)] {
      #expect((EqualizerDesign(of: band, rate: rate).accuracy == .exact) == isReached)
      if case .clamped = ShelfDesign(of: band, in: RoomAcoustics(), rate: rate).accuracy {
        #expect(!isReached)
      } else {
        #expect(isReached)
      }
    }
  }
}

extension EqualizerAccuracy {
  /// The largest error in decibels.
  var largestError: Double {
    switch self {
    case .exact: 0
    case .approximate(let error), .clamped(let error): Double(error.rawValue)
    }
  }
}

extension Effect.Equalizer {
  /// The library's filters for this effect, at a rate.
  fileprivate var filters: [(Double) -> Biquad] {
    func peak(_ band: Band) -> (Double) -> Biquad {
      let (frequency, level) = (Double(band.center), Double(band.level.rawValue))
      return { .peak(frequency: frequency, level: level, octaves: Double(band.width), rate: $0) }
    }
    func shelf(_ side: Biquad.Side, _ shelf: Shelf) -> (Double) -> Biquad {
      let (frequency, level) = (Double(shelf.cutoff), Double(shelf.level.rawValue))
      return { .shelf(side, frequency: frequency, level: level, slope: 0.75, rate: $0) }
    }
    return [peak(band1), peak(band2), shelf(.low, low), shelf(.high, high)]
  }
}

extension RoomAcoustics {
  /// The response of the reverb's shelves in decibels; at their frequencies the library applies half of it.
  fileprivate func shelves(on grid: FrequencyGrid, rate: Double) -> [Double] {
    func shelf(_ side: Biquad.Side, _ frequency: Float, _ gain: Gain) -> [Double] {
      let level = 2 * max(Double(gain.decibels.rawValue), -60)
      return Biquad.shelf(side, frequency: Double(frequency), level: level, slope: 1, rate: rate).levels(on: grid)
    }
    let low = shelf(.low, lowFrequencyReference, lowFrequencyGain)
    return zip(low, shelf(.high, highFrequencyReference, highFrequencyGain)).map { $0 + $1 }
  }
}
