internal import Glibc

/// The coefficients of a state-variable filter with trapezoidal integrators.
///
/// Source: Andrew Simper, "Linear Trapezoidal Integrated SVF" (Cytomic, 2013), and Vadim Zavalishin, "The Art of VA
/// Filter Design", chapter 4. The responses equal the filters of Robert Bristow-Johnson's "Audio EQ Cookbook" with
/// the same frequency, quality and gain. A filter stays stable while its coefficients change, for any positive `g`
/// and `k`.
struct FilterCoefficients: Hashable, Sendable {
  /// The gain of an integrator: the tangent of half of the frequency, in radians a frame.
  var g: Double
  /// The damping.
  var k: Double
  /// The gains of the input, the band-pass output and the low-pass output in the result.
  var (input, band, low): (Double, Double, Double)

  /// The coefficients of a filter whose numbers are within their ranges.
  init(_ filter: FilterBand, sampleRate: Double) {
    let tangent = tan(.pi * filter.frequency / sampleRate)
    // The square root of the gain.
    let a = pow(10, filter.gain / 40)
    (g, k) = (tangent, 1 / filter.quality)
    switch filter.shape {
    case .lowPass: (input, band, low) = (0, 0, 1)
    case .highPass: (input, band, low) = (1, -k, -1)
    case .bandPass: (input, band, low) = (0, k, 0)
    case .notch: (input, band, low) = (1, -k, 0)
    case .bell:
      k /= a
      (input, band, low) = (1, k * (a * a - 1), 0)
    case .lowShelf:
      g /= a.squareRoot()
      (input, band, low) = (1, k * (a - 1), a * a - 1)
    case .highShelf:
      g *= a.squareRoot()
      (input, band, low) = (a * a, k * (1 - a) * a, 1 - a * a)
    }
  }

  /// Whether the result is the input.
  var isNeutral: Bool { input == 1 && band == 0 && low == 0 }

  /// The coefficients with a part of the effect, 0 to 1: the rest is the input.
  func faded(_ share: Double) -> FilterCoefficients {
    var result = self
    result.input = 1 + (input - 1) * share
    result.band *= share
    result.low *= share
    return result
  }

  /// The coefficients, moved by a number of steps.
  @inline(__always)
  func moved(_ step: FilterCoefficients, _ count: Double) -> FilterCoefficients {
    var result = self
    result.g += step.g * count
    result.k += step.k * count
    result.input += step.input * count
    result.band += step.band * count
    result.low += step.low * count
    return result
  }

  /// The step of a frame on a line of so many frames from other coefficients to these.
  func step(from other: FilterCoefficients, frames: Int) -> FilterCoefficients {
    var result = self
    let part = 1 / Double(frames)
    result.g = (g - other.g) * part
    result.k = (k - other.k) * part
    result.input = (input - other.input) * part
    result.band = (band - other.band) * part
    result.low = (low - other.low) * part
    return result
  }

  /// The magnitude of the response at a frequency in hertz, up to half of the rate.
  func response(at frequency: Double, sampleRate: Double) -> Double {
    // The bilinear transform of the frequency, relative to the frequency of the filter. Its end is beyond all numbers.
    let x = tan(.pi * min(max(frequency / sampleRate, 0), 0.499_999)) / g
    let (real, imaginary) = (1 - x * x, k * x)
    let top = (input * real + low, (input * k + band) * x)
    return hypot(top.0, top.1) / hypot(real, imaginary)
  }

  /// The decibels by which the memory falls in a frame of silence, in the end.
  ///
  /// The poles of the filter after the bilinear transform give them.
  var decay: Double {
    let half = k / 2
    if half < 1 { return -4.342_944_819 * log1p(-4 * g * half / (1 + 2 * g * half + g * g)) }
    let root = (half * half - 1).squareRoot()
    // The slow pole, and the fast one: behind a quarter of the rate the latter has the longer memory.
    let (slow, fast) = (g / (half + root), g * (half + root))
    return -8.685_889_638 * log(max(abs((1 - slow) / (1 + slow)), abs((1 - fast) / (1 + fast))))
  }
}
