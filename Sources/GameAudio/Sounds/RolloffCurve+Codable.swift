internal import Spatial3D

extension RolloffCurve: Codable {
  /// Decodes a list of points, such as `[{"distance": 1, "level": "0 dB"}, {"distance": 40, "level": "-60 dB"}]`.
  ///
  /// The points are taken as ``init(_:)`` takes them.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Point].self))
  }

  /// Encodes the list of ``points``.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(points)
  }
}

extension RolloffCurve.Point: Codable {
  private enum Key: String, CodingKey { case distance, level }

  /// Decodes the distance in metres and the level.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode(Float.self, forKey: .distance),
      try values.decode(Decibels.self, forKey: .level)
    )
  }

  /// Encodes the distance in metres and the level.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(distance, forKey: .distance)
    try values.encode(level, forKey: .level)
  }
}
