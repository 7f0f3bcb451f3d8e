extension SIMD3<Float> {
  /// Whether all components are finite.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension Float {
  /// The nearest value in a range.
  func clamped(to range: ClosedRange<Float>) -> Float {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
