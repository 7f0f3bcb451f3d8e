import Foundation

/// A smooth path over the ground that ends where it began, walked at a constant pace.
///
/// Coordinates are OpenAL's, in metres: x is to the right (east on a map), z towards the viewer (south).
public struct ClosedPath: Sendable {
  /// Points along the path, close together; the last one is the first one again.
  private let points: [SIMD2<Double>]

  /// How far along the path each point is, in metres.
  private let distances: [Double]

  /// How long the path is, in metres.
  public let length: Double

  /// A path from a function that gives a point for every part of a turn, 0 to 1, and the same one for 0 and 1.
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

  /// A path clockwise around the origin that weaves between things placed evenly around it, the first of them north.
  ///
  /// Its distance from the origin swings by `depth` metres around `radius`: inwards where it passes a thing, outwards
  /// between two of them. It begins between the last thing and the first.
  public static func weaving(between count: Int, radius: Double, depth: Double) -> ClosedPath {
    let start = -Double.pi / Double(max(count, 1))
    return ClosedPath { part in
      let bearing = start + part * 2 * .pi
      let distance = radius - depth * cos(Double(count) * bearing)
      return [distance * sin(bearing), -distance * cos(bearing)]
    }
  }

  /// The place and the direction of the walk after a part of the whole length; whole laps are dropped.
  ///
  /// Both have x and z; the direction has length 1.
  public func step(at part: Double) -> (position: SIMD2<Double>, direction: SIMD2<Double>) {
    let lap = part - part.rounded(.down)
    let next = firstIndex(beyond: lap * length)
    let (from, to) = (points[next - 1], points[next])
    let stretch = distances[next] - distances[next - 1]
    let inside = stretch > 0 ? (lap * length - distances[next - 1]) / stretch : 0
    // The direction is turned evenly between two points' tangents, so that a walker turns without jerks.
    let (before, after) = (tangent(at: next - 1), tangent(at: next))
    let direction = before + (after - before) * inside
    return (from + (to - from) * inside, direction / (direction * direction).sum().squareRoot())
  }

  /// The index of the first point farther along than a distance; at least 1.
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
