import Foundation

/// A smooth closed path over the ground, for a walk at a constant pace.
///
/// Coordinates are OpenAL's, in metres: x is to the right (east on a map), z towards the viewer (south).
public struct ClosedPath: Sendable {
  /// Points along the path, close together; the last one equals the first.
  private let points: [SIMD2<Double>]

  /// The distance of each point along the path, in metres.
  private let distances: [Double]

  /// The length of the path, in metres.
  public let length: Double

  /// A path from a function of a part of a turn, 0 to 1, with equal points for 0 and 1.
  ///
  /// Points have x and z.
  public init(_ point: (Double) -> SIMD2<Double>) {
    let count = 4_096
    points = (0...count).map { point(Double($0 % count) / Double(count)) }
    var distance = 0.0
    var distances = [0.0]
    for (from, to) in zip(points, points.dropFirst()) {
      let step = to - from
      distance += (step * step).sum().squareRoot()
      distances.append(distance)
    }
    self.distances = distances
    length = distance
  }

  /// A clockwise path around the origin that weaves between evenly spaced things, the first of them north.
  ///
  /// Its distance from the origin varies by `depth` metres around `radius`: it is smallest at a thing and largest
  /// between two things. The path begins between the last thing and the first.
  public static func weaving(between count: Int, radius: Double, depth: Double) -> ClosedPath {
    let start = -Double.pi / Double(max(count, 1))
    return ClosedPath { part in
      let bearing = start + part * 2 * .pi
      let distance = radius - depth * cos(Double(count) * bearing)
      return [distance * sin(bearing), -distance * cos(bearing)]
    }
  }

  /// The position and the direction after a part of the whole length; whole laps are dropped.
  ///
  /// Both have x and z; the direction has length 1.
  public func step(at part: Double) -> (position: SIMD2<Double>, direction: SIMD2<Double>) {
    let lap = part - part.rounded(.down)
    let next = firstIndex(beyond: lap * length)
    let (from, to) = (points[next - 1], points[next])
    let stretch = distances[next] - distances[next - 1]
    let inside = stretch > 0 ? (lap * length - distances[next - 1]) / stretch : 0
    // The direction is interpolated between the tangents of two points, so that it changes continuously.
    let (before, after) = (tangent(at: next - 1), tangent(at: next))
    let direction = before + (after - before) * inside
    return (from + (to - from) * inside, direction / (direction * direction).sum().squareRoot())
  }

  /// The index of the first point beyond a distance along the path; at least 1.
  private func firstIndex(beyond distance: Double) -> Int {
    var (low, high) = (1, distances.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if distances[middle] > distance { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The direction at a point, from its neighbour before to its neighbour after.
  private func tangent(at index: Int) -> SIMD2<Double> {
    let count = points.count - 1
    let direction = points[(index + 1) % count] - points[(index + count - 1) % count]
    let length = (direction * direction).sum().squareRoot()
    return length > 0 ? direction / length : [0, -1]
  }
}
