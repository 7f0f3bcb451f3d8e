internal import Glibc

/// The coefficients of a state-variable filter with trapezoidal integrators.
///
/// Source: Andrew Simper, "Linear Trapezoidal Integrated SVF" (Cytomic, 2013), and Vadim Zavalishin, "The Art of VA
/// Filter Design", chapter 4. The responses equal the filters of Robert Bristow-Johnson's "Audio EQ Cookbook" with
/// the same frequency, quality and gain. A filter stays stable while its coefficients change, for any positive `g`
/// and `k`.
package struct FilterCoefficients: Hashable, Sendable {
  /// The gain of an integrator: the tangent of half of the frequency, in radians a frame.
  package var g: Double
  /// The damping.
  package var k: Double
  /// The shares of the input, the band-pass output and the low-pass output in the result.
  package var (input, band, low): (Double, Double, Double)

  /// The coefficients of a filter whose numbers are within their ranges.
  package init(_ filter: FilterBand, sampleRate: Double) {
    let tangent = tan(.pi * filter.frequency / sampleRate)
    // The square root of the gain.
    let a = pow(10, filter.gain / 40)
    (g, k) = (tangent, 1 / filter.quality)
    switch filter.shape {
    case .lowPass: (input, band, low) = (0, 0, 1)
    case .highPass: (input, band, low) = (1, -k, -1)
    case .bandPass: (input, band, low) = (0, k, 0)
    case .notch: (input, band, low) = (1, -k, 0)
    case .allPass: (input, band, low) = (1, -2 * k, 0)
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
  package var isNeutral: Bool { input == 1 && band == 0 && low == 0 }

  /// The coefficients between these and others; 1 is the others.
  func mixed(with other: FilterCoefficients, _ share: Double) -> FilterCoefficients {
    var result = self
    result.g += (other.g - g) * share
    result.k += (other.k - k) * share
    result.input += (other.input - input) * share
    result.band += (other.band - band) * share
    result.low += (other.low - low) * share
    return result
  }

  /// The magnitude of the response at a frequency in hertz, up to half of the rate.
  package func response(at frequency: Double, sampleRate: Double) -> Double {
    // The bilinear transform of the frequency, relative to the frequency of the filter. Its end is beyond all numbers.
    let x = tan(.pi * min(max(frequency / sampleRate, 0), 0.499_999)) / g
    let (real, imaginary) = (1 - x * x, k * x)
    let top = (input * real + low, (input * k + band) * x)
    return hypot(top.0, top.1) / hypot(real, imaginary)
  }
}

/// The design of an equalizer: bands in a row, and their response.
package struct EqualizerDesign: Hashable, Sendable {
  /// The bands, with their numbers moved into the ranges.
  package let bands: [FilterBand]
  package let sampleRate: Double

  package init(_ bands: [FilterBand], sampleRate: Int) {
    let rate = ProcessingLimits.sampleRate(sampleRate)
    (self.bands, self.sampleRate) = (bands.map { $0.limited(sampleRate: rate) }, rate)
  }

  /// The gain of all bands together at a frequency in hertz, in decibels; -240 at least for each band.
  package func gain(at frequency: Double) -> Double {
    bands.reduce(0) { sum, band in
      let coefficients = FilterCoefficients(band, sampleRate: sampleRate)
      return sum + 20 * log10(max(coefficients.response(at: frequency, sampleRate: sampleRate), 1e-12))
    }
  }
}
