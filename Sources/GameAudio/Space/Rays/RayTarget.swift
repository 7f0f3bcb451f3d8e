/// The ends of the rays to an emitter.
struct RayTarget: Sendable {
  /// The position of the emitter, or the middle of the first opening on its path.
  ///
  /// The middle is in the plane of the wall. Another point of the ball of `Portal.radius` may be behind the wall, and
  /// the game would answer that the wall is in between.
  let center: SIMD3<Float>
  /// The radius of the emitter; 0 through an opening, where it takes one ray.
  let radius: Float

  /// The number of rays.
  var rays: Int { RayDisc.count(radius: radius) }
}
