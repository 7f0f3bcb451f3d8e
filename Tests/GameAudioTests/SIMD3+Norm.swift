extension SIMD3<Float> {
  /// The length of the vector.
  var norm: Float { (self * self).sum().squareRoot() }
}
