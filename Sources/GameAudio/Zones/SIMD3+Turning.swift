internal import Glibc

extension SIMD3<Float> {
  /// The vector after a turn to the left about the axis +y, in degrees.
  func turned(by yaw: Float) -> SIMD3<Float> {
    let angle = yaw * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    return SIMD3(cosine * x + sine * z, y, cosine * z - sine * x)
  }

  /// The length.
  var length: Float { (self * self).sum().squareRoot() }
}
