extension OutputSettings: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty(optional: "sampleRate", \.sampleRate),
      SavedProperty(optional: "layout", \.layout),
      SavedProperty("hrtf", \.hrtf),
      SavedProperty("limiter", \.limiter),
      SavedProperty(optional: "sourceLimit", \.sourceLimit),
      SavedProperty(optional: "auxiliarySendLimit", \.auxiliarySendLimit),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(OutputSettings(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension OutputSettings {
  private var clamped: OutputSettings {
    var settings = self
    settings.sampleRate = sampleRate?.clamped(to: Ranges.mixRate)
    settings.sourceLimit = sourceLimit?.clamped(to: Ranges.sourceLimit)
    settings.auxiliarySendLimit = auxiliarySendLimit?.clamped(to: Ranges.sendLimit)
    return settings
  }
}

extension OutputSettings.HRTF: Codable {
  /// Decodes the name of a case, or the key `named` with the name of the data.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let name = try? value.decode(String.self) else {
      let values = try decoder.container(keyedBy: SavedKey.self)
      self = .named(try values.decode(String.self, forKey: "named"))
      return
    }
    switch name {
    case "automatic": self = .automatic
    case "off": self = .off
    case "on": self = .on
    default:
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription:
          "\"\(name)\" is not an HRTF setting: it is \"automatic\", \"off\", \"on\" or has the key \"named\"."
      )
    }
  }

  /// Encodes the name of the case, and for ``named(_:)`` the key `named`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .automatic: try value.encode("automatic")
    case .off: try value.encode("off")
    case .on: try value.encode("on")
    case .named(let name): try value.encode(["named": name])
    }
  }
}
