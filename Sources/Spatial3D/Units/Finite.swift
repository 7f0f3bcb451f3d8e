extension SIMD3<Float> {
  /// Whether all components are finite.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension Comparable {
  /// The nearest value in a range.
  @inline(__always)
  func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
