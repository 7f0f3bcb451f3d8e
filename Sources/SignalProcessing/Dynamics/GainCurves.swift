/// The static curve of a compressor, with a knee.
///
/// Source: Dimitrios Giannoulis, Michael Massberg, Joshua Reiss, "Digital Dynamic Range Compressor Design", Journal of
/// the Audio Engineering Society 60(6), 2012, equation 4.
package struct CompressionCurve: Hashable, Sendable {
  /// The level from which on the gain is lowered, in decibels.
  package var threshold: Double
  /// The decibels of input for a decibel of output, above the threshold: 1 or more.
  package var ratio: Double
  /// The width of the knee around the threshold, in decibels: 0 or more.
  package var knee: Double

  package init(threshold: Double, ratio: Double, knee: Double) {
    (self.threshold, self.ratio, self.knee) = (threshold, ratio, knee)
  }

  /// The gain for a level, both in decibels: 0 or less.
  package func gain(at level: Double) -> Double {
    let (over, slope) = (level - threshold, 1 / ratio - 1)
    if 2 * over <= -knee { return 0 }
    if 2 * over >= knee { return slope * over }
    let distance = over + knee / 2
    return slope * distance * distance / (2 * knee)
  }
}

/// The static curve of a gate or a downward expander.
struct ExpansionCurve: Hashable, Sendable {
  /// The level below which the gain is lowered, in decibels.
  var threshold: Double
  /// The decibels of output for a decibel of input, below the threshold: 1 or more.
  var ratio: Double
  /// The lowest gain, in decibels: 0 or less.
  var depth: Double

  init(threshold: Double, ratio: Double, depth: Double) {
    (self.threshold, self.ratio, self.depth) = (threshold, ratio, depth)
  }

  /// The gain for a level, both in decibels: from `depth` to 0.
  func gain(at level: Double) -> Double {
    min(max((ratio - 1) * (level - threshold), depth), 0)
  }
}
