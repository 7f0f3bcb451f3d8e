internal import Glibc

/// The curve of a distortion, from the sample that comes in to the sample that goes out.
package enum ShapingCurve: Int, Hashable, Sendable, CaseIterable {
  /// x / (1 + |x|^2.5)^(1/2.5): nearly straight up to one half, then ever flatter.
  case soft
  /// The soft curve around a point beside 0: even harmonics as well.
  case tube
  /// Cut at 1.
  case hard
  /// A sine: a sample beyond 1 comes back.
  case fold

  /// The value of the curve.
  package func value(at x: Double) -> Double {
    switch self {
    case .soft: Self.soft(x)
    case .tube: Self.soft(x + Self.bias) - Self.soft(Self.bias)
    case .hard: min(max(x, -1), 1)
    case .fold: sin(x * .pi / 2)
    }
  }

  private static func soft(_ x: Double) -> Double { x / pow(1 + pow(x.magnitude, 2.5), 0.4) }

  /// Chosen: the second harmonic of a loud sine is then about 20 dB below the first.
  private static let bias = 0.35

  /// The root mean square of a shaped sine over the root mean square of the sine, without a constant offset.
  func gain(ofSine amplitude: Double, drive: Double) -> Double {
    var (sum, mean) = (0.0, 0.0)
    for index in 0..<256 {
      let y = value(at: amplitude * drive * sin(2 * .pi * (Double(index) + 0.5) / 256))
      mean += y / 256
      sum += y * y / 256
    }
    return (2 * max(sum - mean * mean, 1e-12)).squareRoot() / amplitude
  }
}
