/// The levels of low and of high frequencies, for a sound under water, behind a menu or on a telephone.
///
/// Both are shelves. The levels hold at 250 Hz and at 5 kHz, and lower and higher frequencies fall to twice as many
/// decibels.
public struct ToneFilter: Hashable, Sendable {
  /// The level at 250 Hz.
  ///
  /// Range: -60 to 0 dB, clamped. Default: 0.
  public var low: Decibels

  /// The level at 5 kHz.
  ///
  /// Range: -60 to 0 dB, clamped. Default: 0.
  public var high: Decibels

  /// A filter with a level at 250 Hz and a level at 5 kHz; the defaults have no effect.
  public init(low: Decibels = 0, high: Decibels = 0) {
    self.low = low
    self.high = high
  }
}

extension ToneFilter: Clampable {
  /// Silence is valid, and is clamped to the lowest level.
  var isFinite: Bool { [low, high].allSatisfy { $0.rawValue.isFinite || $0 == .silence } }

  var clamped: ToneFilter {
    ToneFilter(low: low.clamped(to: Ranges.filterLevel), high: high.clamped(to: Ranges.filterLevel))
  }
}
