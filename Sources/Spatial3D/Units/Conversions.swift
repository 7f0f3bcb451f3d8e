extension FixedWidthInteger {
  /// The whole part of a number; a number out of range becomes the nearest end of the range, and NaN becomes 0.
  ///
  /// The initializers of the standard library trap on both. Pace, time and distance come from properties of a scene and
  /// from the loaded library, and must not end the process.
  @inline(__always)
  package init(saturating value: Double) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else if value.isNaN {
      self = 0
    } else {
      self = value < 0 ? .min : .max
    }
  }
}

extension Float {
  /// The nearest number; a number that is not finite stays so.
  ///
  /// A finite result of finite numbers, such as a diagonal of the largest numbers, does not become infinite.
  init(nearest value: Double) {
    let largest = Double(Float.greatestFiniteMagnitude)
    self = value.isFinite ? Float(value.clamped(to: -largest...largest)) : Float(value)
  }
}

extension SIMD3<Float> {
  /// The nearest vector; a component that is not finite stays so.
  init(nearest vector: SIMD3<Double>) {
    self.init(Float(nearest: vector.x), Float(nearest: vector.y), Float(nearest: vector.z))
  }
}

extension Duration {
  /// The number of seconds, like in OpenAL.
  var inSeconds: Float { Float(self / .seconds(1)) }

  /// The duration in nanoseconds; a duration out of range becomes the nearest end of the range.
  var inNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  /// Converts seconds of OpenAL's tables, to the microsecond: no `Float` is exactly 0.007, seven milliseconds.
  init(inSeconds seconds: Float) { self = .microseconds((Double(seconds) * 1e6).rounded()) }
}
