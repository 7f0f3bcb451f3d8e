extension FixedWidthInteger {
  /// The whole part of a number; a number out of range becomes the nearest end of the range, and NaN becomes 0.
  ///
  /// The initializers of the standard library trap on both. Pace, time and distance come from properties of a scene and
  /// from the loaded library, and must not end the process.
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

extension Duration {
  /// The number of seconds, like in OpenAL.
  var inSeconds: Float { Float(self / .seconds(1)) }

  /// Converts seconds of OpenAL's tables, to the microsecond: no `Float` is exactly 0.007, seven milliseconds.
  init(inSeconds seconds: Float) { self = .microseconds((Double(seconds) * 1e6).rounded()) }
}
