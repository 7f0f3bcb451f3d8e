import Glibc

/// A second-order filter of OpenAL Soft, for the calculation of its response.
///
/// Robert Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients".
struct Biquad {
  private let b: (Double, Double, Double)
  private let a: (Double, Double, Double)

  enum Side {
    case low
    case high
  }

  /// A shelf that changes one side of the spectrum, and its own frequency by half of the decibels.
  static func shelf(_ side: Side, frequency: Double, level: Double, slope: Double, rate: Double) -> Biquad {
    let root = pow(10, level / 40)
    let w = omega(frequency, rate)
    let c = side == .high ? cos(w) : -cos(w)
    let alpha = sin(w) / 2 * ((root + 1 / root) * (1 / slope - 1) + 2).squareRoot()
    let lift = 2 * root.squareRoot() * alpha
    let sign = side == .high ? 1.0 : -1.0
    return Biquad(
      b: (
        root * ((root + 1) + (root - 1) * c + lift), -2 * sign * root * ((root - 1) + (root + 1) * c),
        root * ((root + 1) + (root - 1) * c - lift)
      ),
      a: (
        (root + 1) - (root - 1) * c + lift, 2 * sign * ((root - 1) - (root + 1) * c), (root + 1) - (root - 1) * c - lift
      )
    )
  }

  /// A peak that changes a band, and its middle by all of the decibels.
  static func peak(frequency: Double, level: Double, octaves: Double, rate: Double) -> Biquad {
    let root = pow(10, level / 40)
    let w = omega(frequency, rate)
    let alpha = sin(w) * sinh(log(2) / 2 * octaves * w / sin(w))
    return Biquad(
      b: (1 + alpha * root, -2 * cos(w), 1 - alpha * root),
      a: (1 + alpha / root, -2 * cos(w), 1 - alpha / root)
    )
  }

  private static func omega(_ frequency: Double, _ rate: Double) -> Double { 2 * .pi * min(frequency / rate, 0.49) }

  /// The decibels at each frequency of a grid.
  func levels(on grid: FrequencyGrid) -> [Double] {
    grid.cosines.map { cosine, doubled in
      10 * log10(Self.power(b, cosine, doubled) / Self.power(a, cosine, doubled))
    }
  }

  private static func power(_ c: (Double, Double, Double), _ cosine: Double, _ doubled: Double) -> Double {
    c.0 * c.0 + c.1 * c.1 + c.2 * c.2 + 2 * (c.0 * c.1 + c.1 * c.2) * cosine + 2 * c.0 * c.2 * doubled
  }
}

/// The frequencies at which a response is calculated.
struct FrequencyGrid {
  /// In hertz, ascending.
  let frequencies: [Double]
  /// The cosines of each frequency's angle, and of twice the angle.
  fileprivate let cosines: [(Double, Double)]

  /// A grid from 20 to 20,000 Hz below half the rate, even on a logarithmic scale, with some additional frequencies.
  init(count: Int, including others: [Double] = [], rate: Double) {
    let top = min(20_000, Self.end(rate: rate))
    let even = (0..<count).map { 20 * pow(top / 20, Double($0) / Double(count - 1)) }
    self.init((even + others.filter { (20...top).contains($0) }).sorted(), rate: rate)
  }

  /// The upper end of a grid, below half the rate, because all filters are distorted there.
  static func end(rate: Double) -> Double { 0.45 * rate }

  init(_ frequencies: [Double], rate: Double) {
    self.frequencies = frequencies
    cosines = frequencies.map { (cos(2 * .pi * $0 / rate), cos(4 * .pi * $0 / rate)) }
  }

  /// The width that each frequency represents, in octaves.
  var octaves: [Double] {
    let last = frequencies.count - 1
    return frequencies.indices.map { log2(frequencies[min($0 + 1, last)] / frequencies[max($0 - 1, 0)]) / 2 }
  }
}
