extension Gain: Codable {
  /// Decodes a factor such as `"0.5x"`, or a level such as `"-6 dB"`.
  ///
  /// Throws a `DecodingError` for anything else, and for a number without a unit, which could be either.
  public init(from decoder: any Decoder) throws {
    self =
      switch try NumberWithUnit(from: decoder) {
      case .factor(let factor): Gain(factor)
      case .decibels(let level): .decibels(Decibels(level))
      }
    guard isUsable else {
      throw DecodingError.dataCorruptedError(
        in: try decoder.singleValueContainer(),
        debugDescription: "The factor of this level is not finite."
      )
    }
  }

  /// Encodes the factor, such as `"0.5x"`.
  ///
  /// Throws an `EncodingError` for a factor that is negative or not finite.
  public func encode(to encoder: any Encoder) throws {
    guard isUsable else { throw EncodingError(self, of: encoder, "A gain is a finite factor of 0 or more.") }
    try NumberWithUnit.factor(rawValue).encode(to: encoder)
  }
}
