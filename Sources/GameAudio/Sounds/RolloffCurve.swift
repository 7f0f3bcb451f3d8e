public import Spatial3D

/// The level of a sound at each distance, drawn by points.
///
/// The level is straight in decibels between two neighboring points, over the distance in metres, as in the attenuation
/// editors of the field. Nearer than the first point, the level of the first point holds; beyond the last point, the
/// level of the last point.
///
/// ```swift
/// let curve = RolloffCurve([.init(1, 0), .init(10, -12), .init(40, -60)])
/// step.rolloffCurve = curve
/// step.silentBeyond = 40
/// ```
public struct RolloffCurve: Hashable, Sendable {
  /// A level at a distance.
  public struct Point: Hashable, Sendable {
    /// The distance from the listener, in metres.
    ///
    /// Range: 0 and up. ``RolloffCurve/init(_:)`` leaves a point with another distance out.
    public let distance: Float
    /// The level there.
    ///
    /// Range: -96 dB, which is silence, to 24 dB, clamped by ``RolloffCurve/init(_:)``.
    public let level: Decibels

    /// A level at a distance in metres.
    public init(_ distance: Float, _ level: Decibels) { (self.distance, self.level) = (distance, level) }
  }

  /// The points that count, by their distance.
  public let points: [Point]

  /// The level from which on a point is silent: the dynamic range of 16 bits.
  private static let floor: Decibels = -96
  /// The highest level of a point: the mixer's own limit.
  private static let ceiling: Decibels = 24

  /// A curve through points.
  ///
  /// Points in another order are sorted. If two points have the same distance, the first in the list holds up to it,
  /// and the other beyond it. A point whose distance is negative or not finite is left out, and so is a point whose
  /// level is NaN. A level above 24 dB counts as 24 dB. A level of -96 dB or below counts as -96 dB between points, and
  /// is silent from its distance on. A curve without a point changes no level. ``points`` are the points after that; no
  /// diagnostic reports it, because a curve is made without a world.
  public init(_ points: [Point]) {
    self.points = points.filter { $0.distance >= 0 && $0.distance.isFinite && !$0.level.rawValue.isNaN }
      .map { Point($0.distance, min(max($0.level, Self.floor), Self.ceiling)) }
      .enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element)
  }

  /// The level at a distance in metres; at NaN, the level of the first point.
  public func level(at distance: Float) -> Decibels {
    guard let first = points.first, let last = points.last else { return 0 }
    guard distance > first.distance else { return Self.audible(first.level) }
    guard let next = points.firstIndex(where: { $0.distance >= distance }) else { return Self.audible(last.level) }
    let (near, far) = (points[next - 1], points[next])
    let part = (distance - near.distance) / (far.distance - near.distance)
    return Self.audible(Decibels(near.level.rawValue + (far.level - near.level).rawValue * part))
  }

  private static func audible(_ level: Decibels) -> Decibels { level > floor ? level : .silence }
}

extension RolloffCurve {
  /// The largest gain of the curve, linear.
  var peak: Float { points.isEmpty ? 1 : points.reduce(0) { max($0, $1.level.factor) } }

  /// An inverse law that is at no distance below the curve, re its peak, for the bounds of scores.
  ///
  /// Between two points the curve is exponential. The largest rolloff factor under which the law stays above it belongs
  /// to a function with one minimum, which a search by thirds finds.
  var bound: DistanceAttenuation {
    guard let first = points.first, let last = points.last, last.distance > 0, peak > 0 else {
      return DistanceAttenuation(rolloffFactor: 0)
    }
    // The law needs a distance above zero. Chosen: nearer than a hundredth of the curve, the bound is the peak.
    let reference = max(first.distance, last.distance / 100)
    var factor = Float.infinity
    for (near, far) in zip(points, points.dropFirst()) where far.distance > reference {
      var (low, high) = (max(near.distance, reference), far.distance)
      func largestFactor(at distance: Float) -> Float {
        let part = (distance - near.distance) / max(far.distance - near.distance, .leastNormalMagnitude)
        let gain = Decibels(near.level.rawValue + (far.level - near.level).rawValue * part).factor
        return reference * (peak / gain - 1) / max(distance - reference, .leastNormalMagnitude)
      }
      factor = min(factor, largestFactor(at: high))
      if low > reference { factor = min(factor, largestFactor(at: low)) }
      // 60 thirds leave less of the interval than a `Float` resolves.
      for _ in 0..<60 {
        let third = (high - low) / 3
        let (left, right) = (low + third, high - third)
        let (first, second) = (largestFactor(at: left), largestFactor(at: right))
        factor = min(factor, first, second)
        if first < second { high = right } else { low = left }
      }
    }
    if last.distance > reference {
      factor = min(factor, reference * (peak / last.level.factor - 1) / (last.distance - reference))
    }
    return DistanceAttenuation(
      referenceDistance: reference,
      maximumDistance: last.distance,
      // The search and the bounds round.
      rolloffFactor: factor.isFinite ? max(factor * 0.999, 0) : 0
    )
  }
}
