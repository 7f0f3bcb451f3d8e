internal import Spatial3D

extension Priority: Codable {
  /// Decodes a number from 0 to 100; one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self.init(try Int(from: decoder))
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

extension Repeats: Codable {
  /// Decodes a number of repetitions, or `"forever"`.
  ///
  /// Throws a `DecodingError` for a negative number and any other text.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let count = try? value.decode(Int.self), count >= 0 {
      self = .times(count)
    } else if (try? value.decode(String.self)) == "forever" {
      self = .forever
    } else {
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription: "The repeats are a number of 0 or more, or \"forever\"."
      )
    }
  }

  /// Encodes the number of repetitions, or `"forever"`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .times(let count): try value.encode(max(count, 0))
    case .forever: try value.encode("forever")
    }
  }
}

extension PlaybackLimit: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("count", \.count), SavedProperty("whenReached", \.whenReached),
      SavedProperty(seconds: "spacing", \.spacing),
    ]
  }

  /// Decodes the properties by their names, and the ``spacing`` in seconds.
  ///
  /// An absent one has its default, and an absent ``count`` is 1.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(PlaybackLimit(1), from: decoder)
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}
