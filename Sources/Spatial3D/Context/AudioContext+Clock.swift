extension AudioContext {
  /// The duration of the mix since the device was opened; `nil` where the library cannot report it.
  ///
  /// The clock advances in steps of one mix, and stands still while the context is frozen. The OpenAL counterpart is
  /// `ALC_DEVICE_CLOCK_SOFT`.
  public var clock: Duration? { handle.clock.map { .nanoseconds($0) } }

  /// The time from the mix to the ear, as far as the library knows; `nil` where it cannot report it.
  ///
  /// The OpenAL counterpart is `ALC_DEVICE_LATENCY_SOFT`.
  public var latency: Duration? { handle.latency.map { .nanoseconds($0) } }
}
