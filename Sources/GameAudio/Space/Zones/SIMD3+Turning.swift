internal import Glibc

extension SIMD3<Float> {
  /// The vector after a turn to the left about the axis +y, in degrees.
  func turned(by yaw: Float) -> SIMD3<Float> {
    let angle = yaw * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    return SIMD3(cosine * x + sine * z, y, cosine * z - sine * x)
  }

  /// The vector after the shortest turn from one direction to another; both directions have the length 1.
  func turned(from: SIMD3<Float>, to: SIMD3<Float>) -> SIMD3<Float> {
    let cosine = (from * to).sum()
    guard cosine > -0.99999 else {
      // Half a turn, within 0.3 degrees: the rounding of a `Float` hides the axis. Any axis at a right angle serves.
      // One of two coordinate axes is at least 44 degrees away from the direction.
      let side: SIMD3<Float> = abs(from.x) < 0.7 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
      let across = side - from * (side * from).sum()
      return across * (2 * (across * self).sum() / (across * across).sum()) - self
    }
    let axis = from.crossed(with: to)
    let moved = axis.crossed(with: self)
    return self + moved + axis.crossed(with: moved) / (1 + cosine)
  }

  /// The direction after a part of the shortest turn to another direction; both have the length 1.
  ///
  /// Half a turn is one to the left or right, and for a vertical direction one about the x axis.
  func turned(to other: SIMD3<Float>, part: Float) -> SIMD3<Float> {
    let cosine = (self * other).sum()
    var across = other - self * cosine
    var sine = across.length
    // A turn from a direction to itself has no axis, and a turn by less than 0.06 degrees is not audible.
    guard part < 1, cosine < 0 || sine > 1e-3 else { return other }
    let angle = atan2(sine, cosine) * part
    if sine < 1e-3 {
      across = SIMD3(0, 1, 0).crossed(with: self)
      // Within 6 degrees of the vertical, the other axis is more exact.
      if across.length < 0.1 { across = SIMD3(1, 0, 0).crossed(with: self) }
      sine = across.length
    }
    let turned = self * cos(angle) + across * (sin(angle) / sine)
    return turned / turned.length
  }

  /// The product that is at right angles to both vectors.
  func crossed(with other: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The length.
  var length: Float { (self * self).sum().squareRoot() }
}
