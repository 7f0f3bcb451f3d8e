extension Double {
  /// The number, moved into a range; a value that is not a number becomes `notANumber`.
  func limited(to range: ClosedRange<Double>, notANumber: Double) -> Double {
    isNaN ? notANumber : min(max(self, range.lowerBound), range.upperBound)
  }
}

/// Ranges that all processors and meters share.
enum ProcessingLimits {
  /// Sample rates, in hertz.
  ///
  /// Chosen: wider than any device, and with at least one frame in a window of 10 ms.
  static let sampleRates = 100...10_000_000

  /// The rate, moved into the range.
  static func sampleRate(_ rate: Int) -> Double {
    Double(min(max(rate, sampleRates.lowerBound), sampleRates.upperBound))
  }

  /// The number of channels, 1 at least.
  static func channelCount(_ count: Int) -> Int { max(count, 1) }

  /// The highest frequency of a filter, in hertz: the tangent of a frequency is infinite at half of the rate.
  static func highestFrequency(sampleRate: Double) -> Double { max(0.49 * sampleRate, 10) }

  /// The largest magnitude of a sample that counts.
  ///
  /// Chosen: 270 dB below the largest `Float`. The gain of dynamics and of three bands of an equalizer is less.
  static let largestSample: Float = 1e25

  /// The magnitude below which a state becomes 0.
  ///
  /// Chosen: -200 dB. Tails then end in exact zeros, and slow denormal numbers do not occur, without a change of the
  /// processor's mode.
  static let smallestState = 1e-10
}

extension Float {
  /// The sample, or 0 for a sample that is not finite or is beyond ±1e25.
  ///
  /// Each processor and each meter takes its input by this.
  @inline(__always)
  package var usable: Float {
    // False for what is not a number. Two comparisons are no call in a build without optimization, as a magnitude is.
    self <= 1e25 && self >= -1e25 ? self : 0
  }
}
