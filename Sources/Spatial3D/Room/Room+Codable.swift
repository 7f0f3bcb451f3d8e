extension ParametricEqualizer: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("frequency", \.frequency),
      SavedProperty("bandwidth", \.bandwidth),
      SavedProperty(former: "gain", nowNamed: "level"),
      SavedProperty("level", \.level),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(ParametricEqualizer(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Reverb: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("room", \.room),
      SavedProperty("level", \.level),
      SavedProperty(optional: "equalizer", \.equalizer),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Reverb(room: RoomAcoustics()), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension RoomAcoustics: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("density", \.density),
      SavedProperty("diffusion", \.diffusion),
      SavedProperty("gain", \.gain),
      SavedProperty("highFrequencyGain", \.highFrequencyGain),
      SavedProperty("lowFrequencyGain", \.lowFrequencyGain),
      SavedProperty(seconds: "decayTime", \.decayTime),
      SavedProperty("highFrequencyDecayRatio", \.highFrequencyDecayRatio),
      SavedProperty("lowFrequencyDecayRatio", \.lowFrequencyDecayRatio),
      SavedProperty("reflectionsGain", \.reflectionsGain),
      SavedProperty(seconds: "reflectionsDelay", \.reflectionsDelay),
      SavedProperty("reflectionsPan", \.reflectionsPan),
      SavedProperty("lateGain", \.lateGain),
      SavedProperty(seconds: "lateDelay", \.lateDelay),
      SavedProperty("latePan", \.latePan),
      SavedProperty(seconds: "echoTime", \.echoTime),
      SavedProperty("echoDepth", \.echoDepth),
      SavedProperty(seconds: "modulationTime", \.modulationTime),
      SavedProperty("modulationDepth", \.modulationDepth),
      SavedProperty("airAbsorptionGain", \.airAbsorptionGain),
      SavedProperty("highFrequencyReference", \.highFrequencyReference),
      SavedProperty("lowFrequencyReference", \.lowFrequencyReference),
      SavedProperty("roomRolloff", \.roomRolloff),
      SavedProperty("limitsHighFrequencyDecay", \.limitsHighFrequencyDecay),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(RoomAcoustics(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}
