extension Decibels: Codable {
  /// Decodes a level such as `"-6 dB"` or `"-inf dB"`, or a factor such as `"0.5x"`.
  ///
  /// Throws a `DecodingError` for anything else, and for a number without a unit, which could be either.
  public init(from decoder: any Decoder) throws {
    switch try NumberWithUnit(from: decoder) {
    case .factor(let factor): self.init(factor: factor)
    case .decibels(let level): self.init(level)
    }
  }

  /// Encodes the level, such as `"-6.0 dB"`.
  ///
  /// Throws an `EncodingError` for NaN.
  public func encode(to encoder: any Encoder) throws {
    guard !rawValue.isNaN else { throw EncodingError(self, of: encoder, "A level is not NaN.") }
    try NumberWithUnit.decibels(rawValue).encode(to: encoder)
  }
}
