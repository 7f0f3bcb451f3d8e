extension Decibels: Codable {
  private static let infinities = ["-infinity": -Float.infinity, "infinity": .infinity]

  /// Decodes a number, or the text `"-infinity"` or `"infinity"`.
  ///
  /// Throws a `DecodingError` for another text, and for a number that is not one.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      guard let number = Self.infinities[text] else {
        throw DecodingError.dataCorruptedError(
          in: value,
          debugDescription: "\"\(text)\" is not a level: it is a number of decibels, \"-infinity\" or \"infinity\"."
        )
      }
      self.init(rawValue: number)
    } else {
      self.init(rawValue: try value.decode(Float.self))
      guard !rawValue.isNaN else {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "A level is not NaN.")
      }
    }
  }

  /// Encodes the number of decibels, and an infinite one as the text `"-infinity"` or `"infinity"`.
  ///
  /// JSON has no infinite numbers. Throws an `EncodingError` for NaN.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    if rawValue.isFinite {
      try value.encode(rawValue)
    } else if rawValue.isNaN {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "A level is not NaN.")
      )
    } else {
      try value.encode(rawValue < 0 ? "-infinity" : "infinity")
    }
  }
}
