extension Effect.Echo: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty(seconds: "delay", \.delay),
      SavedProperty(seconds: "otherSideDelay", \.otherSideDelay),
      SavedProperty("damping", \.damping),
      SavedProperty("feedback", \.feedback),
      SavedProperty("spread", \.spread),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.Modulation: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("waveform", \.waveform),
      SavedProperty("phase", \.phase),
      SavedProperty("rate", \.rate),
      SavedProperty("depth", \.depth),
      SavedProperty("feedback", \.feedback),
      SavedProperty(seconds: "delay", \.delay),
    ]
  }

  /// Decodes the properties by their names; absent properties come from ``chorus``; values out of range are clamped.
  ///
  /// In the effect ``Effect/flanger(_:)`` absent properties come from ``flanger``.
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder, defaults: .chorus)
  }

  init(from decoder: any Decoder, defaults: Self) throws {
    self = try Self.savedProperties.decode(defaults, from: decoder).clamped(longestDelay: .milliseconds(16))
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.Distortion: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("edge", \.edge),
      SavedProperty("gain", \.gain),
      SavedProperty("lowPassCutoff", \.lowPassCutoff),
      SavedProperty("center", \.center),
      SavedProperty("bandwidth", \.bandwidth),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.Equalizer: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("low", \.low),
      SavedProperty("band1", \.band1),
      SavedProperty("band2", \.band2),
      SavedProperty("high", \.high),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.Equalizer.Shelf: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty(required: "cutoff", \.cutoff),
      SavedProperty(former: "gain", nowNamed: "level"),
      SavedProperty("level", \.level),
    ]
  }

  /// Decodes the properties by their names; the file must have a ``cutoff``, and another absent one has its default.
  ///
  /// The equaliser clamps them.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(cutoff: 0), from: decoder)
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.Equalizer.Band: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty(required: "center", \.center),
      SavedProperty("width", \.width),
      SavedProperty(former: "gain", nowNamed: "level"),
      SavedProperty("level", \.level),
    ]
  }

  /// Decodes the properties by their names; the file must have a ``center``, and another absent one has its default.
  ///
  /// The equaliser clamps them.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(center: 0), from: decoder)
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.PitchShifter: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("semitones", \.semitones)
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.FrequencyShifter: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("frequency", \.frequency),
      SavedProperty("left", \.left),
      SavedProperty("right", \.right),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Effect.RingModulator: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("frequency", \.frequency),
      SavedProperty("highPassCutoff", \.highPassCutoff),
      SavedProperty("waveform", \.waveform),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Self(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}
