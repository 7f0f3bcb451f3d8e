internal import Spatial3D

extension Fade: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [SavedProperty(seconds: "duration", \.duration), SavedProperty("curve", \.curve)]
  }

  /// Decodes the duration in seconds and the curve; an absent duration is 0, and an absent curve the default.
  public init(from decoder: any Decoder) throws {
    self = try Self.savedProperties.decode(.none, from: decoder)
  }

  /// Encodes the duration in seconds and the curve.
  public func encode(to encoder: any Encoder) throws {
    try Self.savedProperties.encode(self, to: encoder)
  }
}
