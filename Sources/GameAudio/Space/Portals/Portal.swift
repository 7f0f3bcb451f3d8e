/// An opening between two zones, or between a zone and the outdoors: a door, a window, a shaft.
///
/// ```swift
/// world.portals = [
///   Portal(between: "hall", and: "cell", at: [7, 1, -10], radius: 0.6),
///   Portal(between: "hall", and: nil, at: [0, 1, 0], radius: 1.5),
/// ]
/// world.wallOcclusion = -36
/// ```
///
/// Wwise: `AkRoomPortal`.
public struct Portal: Hashable, Sendable, Codable {
  /// The name of one of the two zones; `nil` is the outdoors, outside of all zones.
  public var first: String?
  /// The name of the other zone; `nil` is the outdoors.
  public var second: String?
  /// The centre of the opening, in metres.
  public var position: SIMD3<Float>
  /// The radius of the opening, in metres.
  ///
  /// Range: 0 and up, clamped by ``AudioWorld/portals``. Default: 1.
  public var radius: Float
  /// How far the opening is open: 0 is closed, 1 open.
  ///
  /// Half open lowers the highs by 6 dB. Range: 0 to 1, clamped by ``AudioWorld/portals``. Default: 1.
  public var openness: Float

  /// An opening.
  public init(
    between first: String?,
    and second: String?,
    at position: SIMD3<Float>,
    radius: Float = 1,
    openness: Float = 1
  ) {
    (self.first, self.second, self.position) = (first, second, position)
    (self.radius, self.openness) = (radius, openness)
  }

  /// The names of the two zones, such as `hall–cell`.
  public var name: String { "\(first ?? "outdoors")–\(second ?? "outdoors")" }

  /// Whether all of the numbers are finite.
  var isUsable: Bool { position.isFinite && radius.isFinite && openness.isFinite }
}
