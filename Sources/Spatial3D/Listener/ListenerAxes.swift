/// The axes of a listener's own coordinates, in double precision: far from the origin only the result is rounded.
///
/// A source that is relative to the listener has the same axes: x to the right, y up and z backwards.
struct ListenerAxes: Sendable {
  private let right: SIMD3<Double>
  private let up: SIMD3<Double>
  private let back: SIMD3<Double>

  /// The axes of an orientation; an unusable one counts as unrotated.
  init(_ orientation: Orientation) {
    let usable = orientation.isUsable ? orientation : .identity
    right = SIMD3(usable.right)
    up = SIMD3(usable.up)
    back = -SIMD3(usable.forward)
  }

  /// A vector of the world in the listener's coordinates.
  func relative(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    [(vector * right).sum(), (vector * up).sum(), (vector * back).sum()]
  }

  /// A vector of the listener's coordinates in the world.
  func world(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    vector.x * right + vector.y * up + vector.z * back
  }
}
