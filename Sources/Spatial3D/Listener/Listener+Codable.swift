extension Listener: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("position", \.position),
      SavedProperty("velocity", \.velocity),
      SavedProperty("orientation", \.orientation),
      SavedProperty("gain", \.gain),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default, and one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(Listener(), from: decoder).clamped
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension PolarPosition: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("azimuth", \.azimuth),
      SavedProperty("elevation", \.elevation),
      SavedProperty("distance", \.distance),
    ]
  }

  /// Decodes the properties by their names; an absent one has its default.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(PolarPosition(), from: decoder)
  }

  /// Encodes the properties by their names.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}

extension Orientation: Codable {
  /// The two directions of an orientation; the initializer derives the orientation from them.
  private struct Directions: Sendable {
    var forward = Orientation.identity.forward
    var up = Orientation.identity.up

    static var savedProperties: [SavedProperty<Self>] {
      [
        SavedProperty("forward", \.forward),
        SavedProperty("up", \.up),
      ]
    }
  }

  /// Decodes two directions as ``init(forward:up:)`` takes them; an absent direction has its value in ``identity``.
  public init(from decoder: any Decoder) throws {
    let directions = try Directions.savedProperties.decode(Directions(), from: decoder)
    self.init(forward: directions.forward, up: directions.up)
  }

  /// Encodes ``forward`` and ``up``.
  public func encode(to encoder: any Encoder) throws {
    try Directions.savedProperties.encode(Directions(forward: forward, up: up), to: encoder)
  }
}
