/// The ends of the rays to an emitter with a radius: its centre, and four points on the disc that faces the listener.
enum RayDisc {
  /// The number of rays for a radius.
  ///
  /// Chosen: the fewest points that find the left, right, upper or lower half hidden. The default limit of 64 rays asks
  /// about 64 such emitters within five frames of a game.
  static func count(radius: Float) -> Int { radius > 0 ? 5 : 1 }

  /// The end of a ray; the ray with the index 0 ends at the centre.
  static func target(_ index: Int, of center: SIMD3<Float>, radius: Float, from origin: SIMD3<Float>) -> SIMD3<Float> {
    guard index > 0, radius > 0 else { return center }
    let way = center - origin
    let length = way.length
    let ahead = length > 0 ? way / length : SIMD3(0, 0, -1)
    // An axis far from the direction of the ray keeps the cross products exact.
    let axis: SIMD3<Float> = abs(ahead.y) < 0.9 ? SIMD3(0, 1, 0) : SIMD3(1, 0, 0)
    let side = normalized(ahead.crossed(with: axis))
    let offset = index % 2 == 1 ? side : side.crossed(with: ahead)
    return center + offset * (index < 3 ? radius : -radius)
  }

  private static func normalized(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    vector / max(vector.length, .leastNormalMagnitude)
  }
}
