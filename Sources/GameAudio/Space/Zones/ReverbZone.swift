public import Spatial3D

/// A part of the scene with a reverb of its own: a hall, a cave, a street.
///
/// ```swift
/// world.zones = [
///   ReverbZone(
///     .box(center: [0, 2, -10], size: [12, 5, 20]),
///     Reverb(.largeHall, level: -4),
///     name: "hall"
///   ),
///   ReverbZone(
///     .box(center: [12, 2, -10], size: [8, 5, 8], yaw: 15),
///     Reverb(.smallRoom),
///     fade: 1,
///     name: "cell"
///   ),
///   ReverbZone(
///     .hull([[0, 0, 2], [9, 0, 2], [4, 0, 12], [4, 6, 6]]),
///     Reverb(efx: .cave),
///     name: "cave"
///   ),
/// ]
/// ```
///
/// Unity: `AudioReverbZone`. FMOD: `Reverb3D`. Wwise: a room with an auxiliary bus.
public struct ReverbZone: Hashable, Sendable, Codable {
  /// The space that a zone fills.
  public enum Shape: Hashable, Sendable, Codable {
    /// A ball, in metres.
    case sphere(center: SIMD3<Float>, radius: Float)
    /// A box, in metres; its yaw, in degrees, turns it to the left about the axis +y.
    case box(center: SIMD3<Float>, size: SIMD3<Float>, yaw: Float = 0)
    /// The smallest convex body around some points, in any order.
    case hull([SIMD3<Float>])
  }

  /// The space in which the zone has its whole weight.
  public var shape: Shape
  /// The reverb of the zone.
  ///
  /// Range: the ranges of `Reverb`, clamped by the effect of the zone without a report.
  public var reverb: Reverb
  /// The distance from the shape, in metres, over which the weight falls to 0.
  ///
  /// Range: 0 and up. Default: 3.
  public var fade: Float
  /// The rank among zones that overlap: lower zones share the weight that the higher zones leave.
  ///
  /// Default: 0.
  public var priority: Int
  /// The name, by which a ``Portal`` connects the zone to another zone; empty by default.
  ///
  /// Zones of one name are one room, which may have several shapes.
  public var name: String

  /// A zone.
  public init(_ shape: Shape, _ reverb: Reverb, fade: Float = 3, priority: Int = 0, name: String = "") {
    // Chosen: 3 m are two seconds of walking, which is longer than the crossfade of the effect units.
    self.shape = shape
    self.reverb = reverb
    self.fade = fade
    self.priority = priority
    self.name = name
  }

  /// The weight of the zone at a position: 1 inside of the shape, 0 from the distance ``fade`` on, linear between.
  ///
  /// 0 everywhere for a negative radius, size or fade, and if a number of the shape, fade or reverb is not finite.
  public func weight(at place: SIMD3<Float>) -> Float {
    hasUsableFade && reverb.isFinite ? usableWeight(at: place) : 0
  }

  /// The weight of a usable zone at a position, without the checks.
  func usableWeight(at place: SIMD3<Float>) -> Float {
    let distance = shape.distance(to: place)
    if distance <= 0 { return 1 }
    return fade > 0 && distance < fade ? (fade - distance) / fade : 0
  }

  /// Whether all of the numbers are finite, and the shape is one.
  var isUsable: Bool { shape.isUsable && hasUsableFade && reverb.isFinite }

  var hasUsableFade: Bool { fade.isFinite && fade >= 0 }

  /// The seconds that the reverb of a usable zone rings on; 0 for an unusable zone.
  var usableRinging: Float { isUsable ? ringing : 0 }

  /// The seconds that the reverb rings on, 8 at most.
  ///
  /// Chosen: a unit that rings costs as much as 30 to 50 voices without a reverb, and is not free for another zone. A
  /// reverb with a decay time of 20 s, the longest, has fallen by 24 dB by then.
  var ringing: Float {
    let room = reverb.clamped.room
    let ratio = max(1, room.highFrequencyDecayRatio, room.lowFrequencyDecayRatio)
    return min(Float(room.decayTime / .seconds(1)) * ratio, 8)
  }
}

extension ReverbZone.Shape {
  /// The distance from a position to the shape, in metres; 0 inside.
  ///
  /// Infinite for a shape without points, a negative radius or size, and a number that is not finite.
  public func distance(to place: SIMD3<Float>) -> Float {
    guard isUsable else { return .infinity }
    switch self {
    case .sphere(let center, let radius):
      let way = place - center
      return max((way * way).sum().squareRoot() - radius, 0)
    case .box(let center, let size, let yaw):
      let way = yaw == 0 ? place - center : (place - center).turned(by: -yaw)
      let half = size / 2
      let outside = pointwiseMax(pointwiseMax(-way, way) - half, .zero)
      return (outside * outside).sum().squareRoot()
    case .hull(let points): return ConvexHull.distance(from: place, to: points)
    }
  }

  /// Whether all of the numbers are finite, and the shape is one.
  var isUsable: Bool {
    switch self {
    case .sphere(let center, let radius): return center.isFinite && radius.isFinite && radius >= 0
    case .box(let center, let size, let yaw):
      return center.isFinite && size.isFinite && size.min() >= 0 && yaw.isFinite
    case .hull(let points): return !points.isEmpty && points.allSatisfy(\.isFinite)
    }
  }
}
