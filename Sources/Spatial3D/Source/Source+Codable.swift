extension Cone: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("innerAngle", \.innerAngle),
      SavedProperty("outerAngle", \.outerAngle),
      SavedProperty("outerGain", \.outerGain),
      SavedProperty("outerHighFrequencyGain", \.outerHighFrequencyGain),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Cone(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension DistanceAttenuation: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("referenceDistance", \.referenceDistance),
      SavedProperty("maximumDistance", \.maximumDistance),
      SavedProperty("rolloffFactor", \.rolloffFactor),
      SavedProperty(optional: "model", \.model),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(DistanceAttenuation(), from: decoder).clamped
  }

  /// Encodes the properties by their names, and an infinite ``maximumDistance`` as the largest number.
  public func encode(to encoder: any Encoder) throws {
    var attenuation = self
    if maximumDistance == .infinity { attenuation.maximumDistance = .greatestFiniteMagnitude }
    try Self.savedProperties.encode(attenuation, to: encoder)
  }
}

extension ToneFilter: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("low", \.low),
      SavedProperty("high", \.high),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(ToneFilter(), from: decoder).clamped
  }

  /// Encodes the properties by their names, and silence as the lowest level.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(isFinite ? clamped : self, to: encoder)
  }
}

extension StereoAngles: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("left", \.left),
      SavedProperty("right", \.right),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(StereoAngles(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}
