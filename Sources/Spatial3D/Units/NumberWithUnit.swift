/// A number with its unit, as the text of a file: `"0.5x"` for a factor, `"-6.0 dB"` for a level.
///
/// A number without a unit could be either: a file with one is refused.
enum NumberWithUnit {
  case factor(Float)
  case decibels(Float)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    func invalid(_ found: String, _ fault: String) -> DecodingError {
      .dataCorruptedError(
        in: value,
        debugDescription: "\(found) \(fault): a factor is written as \"0.5x\", a level as \"-6 dB\"."
      )
    }
    if let number = try? value.decode(Double.self) { throw invalid("\(number)", "has no unit") }
    let text = try value.decode(String.self)
    if text.hasSuffix("x"), let number = Float(text.dropLast()), number >= 0, number.isFinite {
      self = .factor(number)
    } else if text.hasSuffix(" dB"), let number = Float(text.dropLast(3)), !number.isNaN {
      self = .decibels(number)
    } else {
      throw invalid("\"\(text)\"", "is neither a factor of 0 or more nor a level")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .factor(let number): try value.encode("\(number)x")
    case .decibels(let number): try value.encode("\(number) dB")
    }
  }
}

extension EncodingError {
  /// The error of a value that has no form in a file.
  init(_ value: Any, of encoder: any Encoder, _ sentence: String) {
    self = .invalidValue(value, Context(codingPath: encoder.codingPath, debugDescription: sentence))
  }
}
