/// The response of a filter of second order.
package enum FilterShape: Hashable, Sendable, CaseIterable {
  /// Low pass, high pass, and a band pass with 0 dB at its frequency: 12, 12 and 6 dB an octave.
  case lowPass, highPass, bandPass
  /// All frequencies but one.
  case notch
  /// A gain around a frequency, below it, or above it.
  case bell, lowShelf, highShelf
}

/// A filter of second order, by the numbers that a program sets.
package struct FilterBand: Hashable, Sendable {
  package var shape: FilterShape
  /// In hertz: 10 to 0.49 of the sample rate.
  ///
  /// For a shelf the frequency with half of the gain in decibels.
  package var frequency: Double
  /// In decibels, -24 to 24; of the bell and the shelves alone.
  package var gain: Double
  /// The quality, 0.1 to 20: 0.7071 for a pass that is flat.
  ///
  /// A bell is narrower with a higher quality. A shelf with a quality above 0.7071 resonates beside its frequency: by
  /// 26 dB at 20.
  package var quality: Double

  package init(_ shape: FilterShape, _ frequency: Double, gain: Double = 0, quality: Double = 0.5.squareRoot()) {
    (self.shape, self.frequency, self.gain, self.quality) = (shape, frequency, gain, quality)
  }

  /// The filter that is nearest within the ranges; a value that is not a number becomes the default.
  package func limited(sampleRate: Double) -> FilterBand {
    let highest = ProcessingLimits.highestFrequency(sampleRate: sampleRate)
    return FilterBand(
      shape,
      min(frequency.limited(to: 10...highest, notANumber: 1_000), highest),
      gain: gain.limited(to: -24...24, notANumber: 0),
      quality: quality.limited(to: 0.1...20, notANumber: 0.5.squareRoot())
    )
  }
}
