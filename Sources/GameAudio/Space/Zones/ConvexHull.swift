/// The distance to the convex hull of some points, by the algorithm of Gilbert, Johnson and Keerthi.
///
/// Each step takes the point that lies farthest towards the position, and keeps the corner, edge or triangle that is
/// nearest to the position. The hull needs no faces: points may coincide, or lie in a plane or in a line. Pure: no call
/// and no lock.
enum ConvexHull {
  private typealias Vector = SIMD3<Double>

  /// The distance from a position to the hull of at least one point; 0 inside.
  static func distance(from place: SIMD3<Float>, to points: [SIMD3<Float>]) -> Float {
    guard let first = points.first else { return .infinity }
    let origin = Vector(place)
    var simplex = Simplex(Vector(first) - origin)
    var nearest = simplex.corners[0]
    // Each step comes nearer; the number bounds the effect of rounding.
    for _ in 0..<64 {
      let square = (nearest * nearest).sum()
      // A position within a micrometre of the hull counts as inside.
      guard square > 1e-12 else { return 0 }
      var support = nearest
      var least = Double.infinity
      for point in points {
        let corner = Vector(point) - origin
        let along = (corner * nearest).sum()
        if along < least { (least, support) = (along, corner) }
      }
      // No corner lies nearer than the nearest known point of the hull, to less than the resolution of the result.
      if square - least <= 1e-9 * square { break }
      simplex.append(support)
      let next = simplex.reduce()
      if simplex.containsOrigin { return 0 }
      guard (next * next).sum() < square else { break }
      nearest = next
    }
    return Float((nearest * nearest).sum().squareRoot())
  }

  /// Up to four corners, without memory of its own.
  private struct Simplex {
    var corners: InlineArray<4, Vector>
    var count = 1
    var containsOrigin = false

    init(_ corner: Vector) { corners = InlineArray(repeating: corner) }

    mutating func append(_ corner: Vector) {
      corners[min(count, 3)] = corner
      count = min(count + 1, 4)
    }

    /// Keeps the corners around the point nearest to the origin, and returns that point.
    mutating func reduce() -> Vector {
      switch count {
      case 1: return corners[0]
      case 2: return keep(ConvexHull.nearest(corners[0], corners[1]))
      case 3: return keep(ConvexHull.nearest(corners[0], corners[1], corners[2]))
      default: return reduceTetrahedron()
      }
    }

    private mutating func reduceTetrahedron() -> Vector {
      var best: Part?
      var isInside = true
      // The newest corner lies on the same side of the three others as the origin.
      for index in 0..<3 {
        let (a, b, c) = (corners[(index + 1) % 4], corners[(index + 2) % 4], corners[(index + 3) % 4])
        let normal = cross(b - a, c - a)
        let side = (normal * (corners[index] - a)).sum()
        let ofOrigin = -(normal * a).sum()
        // A flat tetrahedron has no inside.
        guard side * ofOrigin < 0 || side == 0 else { continue }
        isInside = false
        let part = ConvexHull.nearest(a, b, c)
        if best.map({ part.square < $0.square }) ?? true { best = part }
      }
      containsOrigin = isInside
      guard !isInside, let best else { return .zero }
      return keep(best)
    }

    private mutating func keep(_ part: Part) -> Vector {
      (corners, count) = (part.corners, part.count)
      return part.nearest
    }
  }

  /// A corner, an edge or a triangle, and its point nearest to the origin.
  private struct Part {
    var corners: InlineArray<4, Vector>
    var count: Int
    var nearest: Vector
    var square: Double { (nearest * nearest).sum() }

    init(_ a: Vector, _ b: Vector, _ c: Vector, count: Int, nearest: Vector) {
      corners = [a, b, c, c]
      (self.count, self.nearest) = (count, nearest)
    }
  }

  private static func nearest(_ a: Vector, _ b: Vector) -> Part {
    let edge = b - a
    let square = (edge * edge).sum()
    let along = square > 0 ? -(a * edge).sum() / square : 0
    if along <= 0 { return Part(a, a, a, count: 1, nearest: a) }
    if along >= 1 { return Part(b, b, b, count: 1, nearest: b) }
    return Part(a, b, b, count: 2, nearest: a + edge * along)
  }

  private static func nearest(_ a: Vector, _ b: Vector, _ c: Vector) -> Part {
    let normal = cross(b - a, c - a)
    let square = (normal * normal).sum()
    if square > 0 {
      // The origin lies above the triangle if it is on the inner side of each edge.
      let isAbove =
        (cross(b - a, -a) * normal).sum() >= 0 && (cross(c - b, -b) * normal).sum() >= 0
        && (cross(a - c, -c) * normal).sum() >= 0
      if isAbove { return Part(a, b, c, count: 3, nearest: normal * ((normal * a).sum() / square)) }
    }
    var best = nearest(a, b)
    let (second, third) = (nearest(b, c), nearest(c, a))
    if second.square < best.square { best = second }
    return third.square < best.square ? third : best
  }

  private static func cross(_ a: Vector, _ b: Vector) -> Vector {
    Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
