import Glibc

/// A parametric band out of what the library's equaliser can do: one or two of them, one after the other.
struct EqualizerFit: Equatable, Sendable {
  /// One for each effect slot behind the reverb.
  var stages: [Effect.Equalizer]
  var accuracy: EqualizerAccuracy

  /// The centres and widths that one band of the library meets exactly.
  static let exactFrequencies: ClosedRange<Float> = 200...8_000
  static let exactBandwidths: ClosedRange<Float> = 0.01...1

  init(of wanted: ParametricEqualizer, rate: Double) {
    (stages, accuracy) = ([], .exact)
    guard wanted.gain != 0 else { return }
    let isReached = Self.exactFrequencies.contains(wanted.frequency)
    if isReached, Self.exactBandwidths.contains(wanted.bandwidth) {
      stages = [Self.exact(wanted)]
      return
    }
    let edge = exp2(Double(wanted.bandwidth) / 2)
    let frequency = Double(wanted.frequency)
    let grid = FrequencyGrid(count: 33, including: [frequency, frequency / edge, frequency * edge], rate: rate)
    let target = wanted.response(rate: rate).levels(on: grid)
    var best = Candidate(bands: [], levels: [], error: .infinity)
    // Of thirty ways to place the bands, the three that between them come closest to the best everywhere.
    for (spread, shelves) in [(0.85, 1.0), (0.7, 1.5), (0.4, 1.0)] {
      let bands = Self.bands(about: wanted, spread: spread, shelves: shelves)
      let candidate = Candidate(bands: bands, target: target, grid: grid, rate: rate)
      if candidate.error < best.error { best = candidate }
    }
    stages = best.stages
    let error = Decibels(rawValue: Float(best.error))
    accuracy = isReached ? .approximate(largestError: error) : .clamped(largestError: error)
  }

  private static func exact(_ wanted: ParametricEqualizer) -> Effect.Equalizer {
    let band = Effect.Equalizer.Band(center: wanted.frequency, width: wanted.bandwidth, gain: wanted.gain)
    var stage = Effect.Equalizer()
    if wanted.frequency <= 3_000 { stage.band1 = band } else { stage.band2 = band }
    return stage
  }

  /// Four bands in a row about the wanted one, and shelves to either side, for two stages.
  private static func bands(about wanted: ParametricEqualizer, spread: Double, shelves: Double) -> [Band] {
    let (middle, octaves) = (Double(wanted.frequency), Double(wanted.bandwidth))
    var bands = [-1.0, -1 / 3.0, 1 / 3.0, 1.0].enumerated().map { index, place in
      let center = middle * exp2(place * octaves / 2 * spread)
      let reach = index < 2 ? 200.0...3_000 : 1_000...8_000
      return Band.peak(center.clamped(to: reach), octaves: octaves.clamped(to: 0.01...1))
    }
    for side in [1.0, -1] {
      let cutoff = middle * exp2(side * shelves * octaves / 2)
      bands += [.low(cutoff.clamped(to: 50...800)), .high(cutoff.clamped(to: 4_000...16_000))]
    }
    return bands
  }

  /// A filter of the library, but for its level.
  fileprivate enum Band {
    case peak(Double, octaves: Double)
    case low(Double)
    case high(Double)

    func response(level: Double, rate: Double) -> Biquad {
      switch self {
      case .peak(let center, let octaves): .peak(frequency: center, level: level, octaves: octaves, rate: rate)
      case .low(let cutoff): .shelf(.low, frequency: cutoff, level: level, slope: 0.75, rate: rate)
      case .high(let cutoff): .shelf(.high, frequency: cutoff, level: level, slope: 0.75, rate: rate)
      }
    }
  }
}

extension ParametricEqualizer {
  func response(rate: Double) -> Biquad {
    .peak(frequency: Double(frequency), level: Double(gain.rawValue), octaves: Double(bandwidth), rate: rate)
  }
}

/// Bands in the order that ``EqualizerFit`` makes them, with the levels that come closest to a target.
private struct Candidate {
  var bands: [EqualizerFit.Band]
  var levels: [Double]
  var error: Double

  init(bands: [EqualizerFit.Band], levels: [Double], error: Double) {
    (self.bands, self.levels, self.error) = (bands, levels, error)
  }

  /// Least squares, with each band's shape taken as its own at 6 dB, and what that leaves a few times over.
  init(bands: [EqualizerFit.Band], target: [Double], grid: FrequencyGrid, rate: Double) {
    let shapes = bands.map { $0.response(level: 6, rate: rate).levels(on: grid).map { $0 / 6 } }
    var levels = [Double](repeating: 0, count: bands.count)
    var best = levels
    var rest = target
    var error = Double.infinity
    for _ in 0..<4 {
      let steps = leastSquares(shapes, rest, damping: 0.02)
      for index in levels.indices { levels[index] = (levels[index] + steps[index]).clamped(to: -18...18) }
      rest = target
      for (band, level) in zip(bands, levels) {
        for (index, value) in band.response(level: level, rate: rate).levels(on: grid).enumerated() {
          rest[index] -= value
        }
      }
      let largest = rest.reduce(0) { max($0, abs($1)) }
      if largest < error { (error, best) = (largest, levels) }
    }
    self.init(bands: bands, levels: best, error: error)
  }

  var stages: [Effect.Equalizer] {
    guard bands.count == 8 else { return [] }
    return [0, 1].map { stage in
      var equalizer = Effect.Equalizer()
      equalizer.band1 = band(stage)
      equalizer.band2 = band(stage + 2)
      equalizer.low = shelf(4 + 2 * stage)
      equalizer.high = shelf(5 + 2 * stage)
      return equalizer
    }
  }

  private func band(_ index: Int) -> Effect.Equalizer.Band {
    guard case .peak(let center, let octaves) = bands[index] else { return .init(center: 1_000) }
    return .init(center: Float(center), width: Float(octaves), gain: Decibels(rawValue: Float(levels[index])))
  }

  private func shelf(_ index: Int) -> Effect.Equalizer.Shelf {
    switch bands[index] {
    case .low(let cutoff), .high(let cutoff), .peak(let cutoff, _):
      .init(cutoff: Float(cutoff), gain: Decibels(rawValue: Float(levels[index])))
    }
  }
}
