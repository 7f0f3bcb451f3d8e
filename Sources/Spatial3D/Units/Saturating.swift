extension FixedWidthInteger {
  /// The whole part of a number, the nearest end of the type's range where it lies beyond, and 0 for what is not a number.
  ///
  /// The initializers of the standard library trap on both. Pace, time and distance come from properties of a scene and
  /// from the loaded library: no value of theirs may end the process.
  @inline(__always)
  init(saturating value: Double) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else if value.isNaN {
      self = 0
    } else {
      self = value < 0 ? .min : .max
    }
  }
}
