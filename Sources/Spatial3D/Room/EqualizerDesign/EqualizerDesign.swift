import Glibc

/// A fit of a parametric band with the library's equaliser: one or two of them in series.
struct EqualizerDesign: Equatable, Sendable {
  /// The equalisers, one for each effect slot behind the reverb.
  var stages: [Effect.Equalizer]
  var accuracy: EqualizerAccuracy

  /// The bandwidths that one band of the library matches exactly.
  private static let exactBandwidths: ClosedRange<Float> = 0.01...1

  /// Whether a band of the library can have this middle; the library lowers middles near or above half the rate of the
  /// mix.
  static func reaches(_ frequency: Float, rate: Double) -> Bool {
    (200...8_000).contains(frequency) && Double(frequency) < FrequencyGrid.end(rate: rate)
  }

  init(of wanted: ParametricEqualizer, rate: Double) {
    (stages, accuracy) = ([], .exact)
    guard wanted.level != 0 else { return }
    let isReached = Self.reaches(wanted.frequency, rate: rate)
    if isReached, Self.exactBandwidths.contains(wanted.bandwidth) {
      stages = [Self.exact(wanted)]
      return
    }
    var best = Candidate(of: wanted, rate: rate)
    // Close bands fit a narrow band, distant bands fit a wide band. Each try costs a tenth of a millisecond.
    for (spread, shelves) in [(0.85, 1.0), (0.7, 1.5), (0.4, 1.0)] {
      let bands = Self.bands(about: wanted, spread: spread, shelves: shelves, rate: rate)
      let candidate = Candidate(of: wanted, bands: bands, rate: rate)
      if candidate.error < best.error { best = candidate }
    }
    stages = best.stages
    let error = Decibels(Float(best.error))
    accuracy = isReached ? .approximate(largestError: error) : .clamped(largestError: error)
  }

  private static func exact(_ wanted: ParametricEqualizer) -> Effect.Equalizer {
    let band = Effect.Equalizer.Band(center: wanted.frequency, width: wanted.bandwidth, level: wanted.level)
    var stage = Effect.Equalizer()
    if wanted.frequency <= 3_000 { stage.band1 = band } else { stage.band2 = band }
    return stage
  }

  /// Four bands in a row around the wanted one, and shelves on both sides, for two stages.
  ///
  /// An entry is `nil` if it would duplicate another.
  private static func bands(
    about wanted: ParametricEqualizer,
    spread: Double,
    shelves: Double,
    rate: Double
  ) -> [Band?] {
    let highestPeak = EffectLimits.highestPeak(rate: rate)
    let (middle, octaves) = (Double(wanted.frequency), Double(wanted.bandwidth))
    var centers: [Double] = []
    var bands: [Band?] = [-1.0, -1 / 3.0, 1 / 3.0, 1.0].enumerated().map { index, offset in
      let center = (middle * exp2(offset * octaves / 2 * spread)).clamped(
        to: index < 2 ? 200...3_000 : 1_000...min(8_000, highestPeak)
      )
      guard !centers.contains(center) else { return nil }
      centers.append(center)
      return .peak(center, octaves: octaves.clamped(to: 0.01...1))
    }
    for side in [1.0, -1] {
      let cutoff = middle * exp2(side * shelves * octaves / 2)
      bands += [.low(cutoff.clamped(to: 50...800)), .high(cutoff.clamped(to: 4_000...16_000))]
    }
    return bands
  }

  /// A filter of the library without its level.
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

    /// The frequencies that a grid needs to include a narrow band: `count` on both sides of its middle, and the middle.
    func landmarks(_ count: Int) -> [Double] {
      guard case .peak(let center, let octaves) = self else { return [] }
      return ParametricEqualizer.landmarks(center, octaves, count)
    }
  }
}

extension ParametricEqualizer {
  func response(rate: Double) -> Biquad {
    .peak(frequency: Double(frequency), level: Double(level.rawValue), octaves: Double(bandwidth), rate: rate)
  }

  /// The frequencies of the band for a grid: `count` on both sides of its middle, the farthest a bandwidth away.
  func landmarks(_ count: Int) -> [Double] { Self.landmarks(Double(frequency), Double(bandwidth), count) }

  fileprivate static func landmarks(_ center: Double, _ octaves: Double, _ count: Int) -> [Double] {
    (-count...count).map { center * exp2(octaves * Double($0) / Double(count)) }
  }
}

/// The bands of an ``EqualizerDesign`` in order, with the levels that come closest to a target.
private struct Candidate {
  private let bands: [EqualizerDesign.Band?]
  private var levels: [Double]
  /// The largest error at any frequency.
  private(set) var error = Double.infinity

  /// A least-squares fit that takes each band's shape at 6 dB, and repeats the fit on the remainder.
  ///
  /// Without bands, it only calculates the error.
  init(of wanted: ParametricEqualizer, bands: [EqualizerDesign.Band?] = [], rate: Double) {
    self.bands = bands
    levels = [Double](repeating: 0, count: bands.count)
    func grid(_ count: Int, _ landmarks: Int) -> FrequencyGrid {
      let others = wanted.landmarks(landmarks) + bands.flatMap { $0?.landmarks(landmarks) ?? [] }
      return FrequencyGrid(count: count, including: others, rate: rate)
    }
    func rest(_ levels: [Double], on grid: FrequencyGrid) -> [Double] {
      var rest = wanted.response(rate: rate).levels(on: grid)
      for case let (band?, level) in zip(bands, levels) {
        for (index, value) in band.response(level: level, rate: rate).levels(on: grid).enumerated() {
          rest[index] -= value
        }
      }
      return rest
    }
    func largest(_ rest: [Double]) -> Double { rest.reduce(0) { max($0, abs($1)) } }

    let coarse = grid(33, 2)
    let weights = coarse.octaves.map { ($0 * 3).squareRoot() }
    func weighted(_ levels: [Double]) -> [Double] { zip(levels, weights).map { $0 * $1 } }
    // A band that is left out fits nothing: its level stays 0.
    let shapes = bands.map { band in
      guard let band else { return [Double](repeating: 0, count: coarse.frequencies.count) }
      return weighted(band.response(level: 6, rate: rate).levels(on: coarse).map { $0 / 6 })
    }
    var (next, least) = (levels, Double.infinity)
    for _ in 0..<(bands.isEmpty ? 0 : 4) {
      let steps = leastSquares(shapes, weighted(rest(next, on: coarse)), damping: 0.02)
      for index in next.indices { next[index] = (next[index] + steps[index]).clamped(to: -18...18) }
      let error = largest(rest(next, on: coarse))
      if error < least { (least, levels) = (error, next) }
    }
    error = largest(rest(levels, on: grid(161, 8)))
  }

  var stages: [Effect.Equalizer] {
    guard bands.count == 8 else { return [] }
    return [0, 1].map { stage in
      var equalizer = Effect.Equalizer()
      equalizer.band1 = band(stage) ?? equalizer.band1
      equalizer.band2 = band(stage + 2) ?? equalizer.band2
      equalizer.low = shelf(4 + 2 * stage) ?? equalizer.low
      equalizer.high = shelf(5 + 2 * stage) ?? equalizer.high
      return equalizer
    }
  }

  private func band(_ index: Int) -> Effect.Equalizer.Band? {
    guard case .peak(let center, let octaves) = bands[index] else { return nil }
    return .init(center: Float(center), width: Float(octaves), level: Decibels(Float(levels[index])))
  }

  private func shelf(_ index: Int) -> Effect.Equalizer.Shelf? {
    switch bands[index] {
    case .low(let cutoff), .high(let cutoff):
      .init(cutoff: Float(cutoff), level: Decibels(Float(levels[index])))
    case .peak, nil: nil
    }
  }
}
