extension Tempo: Codable {
  /// Decodes a number of beats a minute, such as `120`; one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self.init(try Double(from: decoder))
  }

  /// Encodes the number of beats a minute: a tempo that was made of a number of beats a minute comes back exactly.
  public func encode(to encoder: any Encoder) throws { try beatsPerMinute.encode(to: encoder) }
}

extension Meter: Codable {
  /// Decodes a meter as it is written in music, such as `"7/8"`; a number out of range is clamped.
  ///
  /// Throws a `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let text = try value.decode(String.self)
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let beats = numbers[0], let unit = numbers[1] else {
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription: "\"\(text)\" is not a meter: it is two numbers, such as \"4/4\" or \"7/8\"."
      )
    }
    self.init(beats, unit)
  }

  /// Encodes the meter as it is written in music, such as `"7/8"`.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Meter: CustomStringConvertible {
  /// The meter as it is written in music, such as `7/8`.
  public var description: String { "\(beats)/\(unit)" }
}

extension Tempo: CustomStringConvertible {
  /// The tempo with its unit, such as `120.0 beats a minute`.
  public var description: String { "\(beatsPerMinute) beats a minute" }
}

extension Grid: Codable {
  private enum Key: String, CodingKey { case bars, beats }

  /// Decodes `"beat"`, `"bar"`, or an object with a number, such as `{"bars": 4}` or `{"beats": 1.5}`.
  ///
  /// Throws a `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if let value = try? decoder.singleValueContainer(), let text = try? value.decode(String.self) {
      switch text {
      case "beat": self = .beat
      case "bar": self = .bar
      default:
        throw DecodingError.dataCorruptedError(
          in: value,
          debugDescription: "\"\(text)\" is not a grid: it is \"beat\", \"bar\", {\"bars\": 4} or {\"beats\": 1.5}."
        )
      }
      return
    }
    let values = try decoder.container(keyedBy: Key.self)
    if let count = try values.decodeIfPresent(Int.self, forKey: .bars) {
      self = .bars(count)
    } else {
      self = .beats(try values.decode(Double.self, forKey: .beats))
    }
  }

  /// Encodes the name, or an object with the number.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .beat: try "beat".encode(to: encoder)
    case .bar: try "bar".encode(to: encoder)
    case .bars(let count):
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(count, forKey: .bars)
    case .beats(let count):
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(count, forKey: .beats)
    }
  }
}
