internal import Glibc

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
  ///
  /// It is 0 at a frequency that is not a number.
  package func gain(at frequency: Double) -> Double {
    guard !frequency.isNaN else { return 0 }
    return bands.reduce(0) { sum, band in
      let coefficients = FilterCoefficients(band, sampleRate: sampleRate)
      return sum + 20 * log10(max(coefficients.response(at: frequency, sampleRate: sampleRate), 1e-12))
    }
  }
}
