/// A value of several numbers with ranges of their own.
protocol Clampable: Equatable, Sendable {
  /// Whether all its numbers are finite.
  var isFinite: Bool { get }

  /// The nearest value with all numbers in range.
  var clamped: Self { get }
}

extension SIMD3<Float>: Clampable {
  @inline(__always)
  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The vector of the same direction with its largest component in range.
  package var clamped: Self {
    let limit = Ranges.component
    guard x.magnitude > limit || y.magnitude > limit || z.magnitude > limit else { return self }
    let largest = Swift.max(x.magnitude, y.magnitude, z.magnitude)
    // Divided first: a product with the limit overflows. Clamped then, because a quotient may round up.
    return (self / largest * limit)
      .clamped(lowerBound: Self(repeating: -limit), upperBound: Self(repeating: limit))
  }
}

extension ClosedRange<Float>: Clampable {
  /// An infinite limit is valid; a range has no bound that is NaN.
  var isFinite: Bool { true }

  /// Limits of a gain.
  var clamped: Self { clamped(to: Ranges.gain) }
}

extension Comparable {
  /// The nearest value in a range.
  @inline(__always)
  func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
