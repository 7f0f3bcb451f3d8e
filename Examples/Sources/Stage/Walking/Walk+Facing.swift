import Spatial3D

extension Walk {
  /// A time at which a position is straight ahead or straight behind, and equally far from the left and the right ear.
  public struct Facing: Hashable, Sendable {
    /// The time, in seconds.
    public let time: Double

    /// Whether the position is ahead; otherwise it is behind.
    public let isAhead: Bool
  }

  /// All times at which a position is straight ahead or straight behind, to a thousandth of the walk.
  public func facings(of place: SIMD3<Float>) -> [Facing] {
    let count = 1_000
    let moments = (0...count).map { part in
      let time = seconds * Double(part) / Double(count)
      return (time: time, azimuth: listener(at: time).polarPosition(of: place).azimuth)
    }
    return zip(moments, moments.dropFirst()).compactMap { before, after in
      guard (before.azimuth < 0) != (after.azimuth < 0) else { return nil }
      return Facing(time: (before.time + after.time) / 2, isAhead: abs(after.azimuth) < 90)
    }
  }
}
