extension Duration {
  /// The number of seconds, like in OpenAL.
  var inSeconds: Float { Float(self / .seconds(1)) }

  /// Converts seconds of OpenAL's tables, to the microsecond: no `Float` is exactly 0.007, seven milliseconds.
  init(inSeconds seconds: Float) { self = .microseconds((Double(seconds) * 1e6).rounded()) }
}
