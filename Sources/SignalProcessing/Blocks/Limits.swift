extension Double {
  /// The number, moved into a range; a value that is not a number becomes `notANumber`.
  package func limited(to range: ClosedRange<Double>, notANumber: Double) -> Double {
    isNaN ? notANumber : min(max(self, range.lowerBound), range.upperBound)
  }
}

/// Ranges that all processors share.
package enum ProcessingLimits {
  /// Sample rates, in hertz.
  package static let sampleRates = 8_000...384_000
  /// Interleaved channels.
  package static let channelCounts = 1...8

  /// The rate, moved into the range.
  package static func sampleRate(_ rate: Int) -> Double {
    Double(min(max(rate, sampleRates.lowerBound), sampleRates.upperBound))
  }

  /// The number of channels, moved into the range.
  package static func channelCount(_ count: Int) -> Int {
    min(max(count, channelCounts.lowerBound), channelCounts.upperBound)
  }

  /// The largest magnitude of a sample that processors guarantee finite results for.
  ///
  /// Chosen: eight bands of +24 dB and a make-up of 24 dB raise it to 6e35, below the largest `Float`.
  package static let largestSample: Float = 1e25

  /// The magnitude below which a state becomes 0.
  ///
  /// Chosen: -300 dB. Tails then end in exact zeros, and slow denormal numbers do not occur, without a change of the
  /// processor's mode.
  package static let smallestState = 1e-15
}

extension MutableSpan<Float> {
  /// Replaces samples that are not finite, or beyond ±1e25, by 0; returns their number.
  package mutating func removeUnusableSamples() -> Int {
    var (index, removed) = (0, 0)
    while index < count {
      // False for what is not a number.
      if !(abs(self[index]) <= ProcessingLimits.largestSample) {
        self[index] = 0
        removed &+= 1
      }
      index &+= 1
    }
    return removed
  }
}
