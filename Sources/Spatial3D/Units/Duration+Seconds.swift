extension Duration {
  /// In seconds, as OpenAL counts.
  var inSeconds: Float { Float(self / .seconds(1)) }

  /// Seconds of OpenAL's tables, to the microsecond: 0.007 is seven milliseconds, which no `Float` is.
  init(inSeconds seconds: Float) { self = .microseconds((Double(seconds) * 1e6).rounded()) }
}
