internal import Spatial3D

extension Ducking: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty(required: "depth", \.depth), SavedProperty("trigger", \.trigger),
      SavedProperty(seconds: "attack", \.attack), SavedProperty(seconds: "hold", \.hold),
      SavedProperty(seconds: "release", \.release),
    ]
  }

  /// Decodes the properties by their names, times in seconds; an absent one has its default.
  ///
  /// Throws a `DecodingError` for an object without a ``depth``.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Ducking(by: 0), from: decoder)
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Ducking.Trigger: Codable {
  private enum Key: String, CodingKey { case level }

  /// Decodes `"playing"`, or an object with a level, such as `{"level": "-30 dB"}`.
  ///
  /// Throws a `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if let value = try? decoder.singleValueContainer(), let text = try? value.decode(String.self) {
      guard text == "playing" else {
        throw DecodingError.dataCorruptedError(
          in: value,
          debugDescription: "\"\(text)\" is not a trigger: it is \"playing\" or {\"level\": \"-30 dB\"}."
        )
      }
      self = .playing
    } else {
      self = .level(above: try decoder.container(keyedBy: Key.self).decode(Decibels.self, forKey: .level))
    }
  }

  /// Encodes the name, or an object with the level.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .playing:
      var value = encoder.singleValueContainer()
      try value.encode("playing")
    case .level(let level):
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(level, forKey: .level)
    }
  }
}
