import Glibc

/// Positions and turns over time.
struct Trail: Sendable {
  /// A position on the ground, x and z in metres, and a turn clockwise from the north in degrees.
  struct Point: Sendable {
    var place: SIMD2<Double>
    var turn: Double
  }

  private var times: [Double] = []
  private var points: [Point] = []

  /// The positions, x and z in metres.
  var places: [SIMD2<Double>] { points.map(\.place) }

  /// Appends a position at a later time.
  mutating func append(at time: Double, _ place: SIMD2<Double>, turn: Double = 0) {
    times.append(time)
    points.append(Point(place: place, turn: turn))
  }

  /// Appends a position, and the direction that a listener faces there.
  ///
  /// Turns continue beyond 180 degrees, in the shorter direction. A listener that looks straight up or down keeps the
  /// turn.
  mutating func append(at time: Double, _ place: SIMD3<Float>, facing forward: SIMD3<Float>) {
    let last = points.last?.turn ?? 0
    let isUpright = forward.x * forward.x + forward.z * forward.z > 1e-6
    let heading = isUpright ? atan2(Double(forward.x), Double(-forward.z)) * 180 / .pi : last
    append(
      at: time,
      SIMD2(Double(place.x), Double(place.z)),
      turn: last + (heading - last).remainder(dividingBy: 360)
    )
  }

  /// A part of the points at moments in order, on straight lines between the points.
  func values(_ part: KeyPath<Point, Double>, at moments: [Double]) -> [Double] {
    values(of: points.map { $0[keyPath: part] }, at: moments)
  }

  /// Values of the points at moments in order, on straight lines between the points; one 0 for a path without points.
  func values(of values: [Double], at moments: [Double]) -> [Double] {
    guard !values.isEmpty else { return [0] }
    var next = 0
    return moments.map { moment in
      while next < times.count, times[next] <= moment { next += 1 }
      guard next > 0 else { return values[0] }
      guard next < times.count else { return values[next - 1] }
      let part = (moment - times[next - 1]) / (times[next] - times[next - 1])
      return values[next - 1] + part * (values[next] - values[next - 1])
    }
  }
}

extension ListeningPage.Area {
  /// The proportion of a map, width to height.
  private static let proportion = 1.25

  /// The area around positions, at least six metres high, with a margin for names.
  static func around(_ places: [SIMD2<Double>]) -> ListeningPage.Area {
    let (xs, zs) = (places.map(\.x).filter(\.isFinite), places.map(\.y).filter(\.isFinite))
    let (west, east) = (xs.min() ?? 0, xs.max() ?? 0)
    let (north, south) = (zs.min() ?? 0, zs.max() ?? 0)
    let height = max((east - west) / proportion, south - north, 4.8) * 1.25
    let (x, z) = ((west + east) / 2, (north + south) / 2)
    let (halfWidth, halfHeight) = (height * proportion / 2, height / 2)
    return ListeningPage.Area(x: x - halfWidth...x + halfWidth, z: z - halfHeight...z + halfHeight)
  }
}
