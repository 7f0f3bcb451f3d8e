internal import GameAudio
internal import Glibc

/// The outline of a zone from above, on the plane of x and z.
enum ZoneOutline: Equatable {
  /// A circle around a point.
  case circle(center: SIMD2<Float>, radius: Float)
  /// The corners of a convex polygon, in their order.
  case polygon([SIMD2<Float>])

  init(_ shape: ReverbZone.Shape) {
    switch shape {
    case .sphere(let center, let radius): self = .circle(center: SIMD2(center.x, center.z), radius: max(radius, 0))
    case .box(let center, let size, let yaw):
      let (half, turn) = (size / 2, yaw * .pi / 180)
      let (sine, cosine) = (sin(turn), cos(turn))
      let corners = [SIMD2<Float>(-half.x, -half.z), [half.x, -half.z], [half.x, half.z], [-half.x, half.z]]
      self = .polygon(
        corners.map { corner in
          // A yaw turns to the left about the axis +y.
          SIMD2(
            center.x + corner.x * cosine + corner.y * sine,
            center.z - corner.x * sine + corner.y * cosine
          )
        }
      )
    case .hull(let points): self = .polygon(Self.hull(of: points.map { SIMD2($0.x, $0.z) }))
    }
  }

  /// The least and the largest coordinates.
  var corners: [SIMD2<Float>] {
    switch self {
    case .circle(let center, let radius): [center - radius, center + radius]
    case .polygon(let corners): corners
    }
  }

  /// The corners of the smallest convex polygon around some points, by the monotone chain of Andrew.
  static func hull(of places: [SIMD2<Float>]) -> [SIMD2<Float>] {
    let sorted = places.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    guard sorted.count > 2 else { return sorted }
    func chain(_ places: some Sequence<SIMD2<Float>>) -> [SIMD2<Float>] {
      var chain: [SIMD2<Float>] = []
      for place in places {
        while chain.count > 1 {
          let (along, next) = (chain[chain.count - 1] - chain[chain.count - 2], place - chain[chain.count - 2])
          guard along.x * next.y - along.y * next.x <= 0 else { break }
          chain.removeLast()
        }
        chain.append(place)
      }
      return chain
    }
    return chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
  }
}
