extension AudioContext {
  /// How much has been mixed since the device was opened; `nil` where the library cannot say.
  ///
  /// It goes on in steps of one mix, and stands still while the context is suspended. The OpenAL counterpart is
  /// `ALC_DEVICE_CLOCK_SOFT`.
  public var clock: Duration? { handle.clock.map { .nanoseconds($0) } }

  /// How long it takes from the mix to the ear, as far as the library knows; `nil` where it cannot say.
  ///
  /// The OpenAL counterpart is `ALC_DEVICE_LATENCY_SOFT`.
  public var latency: Duration? { handle.latency.map { .nanoseconds($0) } }

  /// Whether time stands still.
  public var isSuspended: Bool { device.isSuspended }

  /// Stops time: nothing is heard, every source stays where it is, and the clock stands still until ``resume()``.
  ///
  /// All contexts of the device stop together. States and properties can be set meanwhile, and are heard afterwards; an
  /// ``OfflineRenderer`` renders silence. Suspending twice is suspending once. Without
  /// ``Capabilities/suspension`` it does nothing.
  ///
  /// The OpenAL counterpart is `alcDevicePauseSOFT`; `alcSuspendContext` is ``withDeferredUpdates(_:)``.
  public func suspend() { device.setSuspended(true) }

  /// Lets time go on after ``suspend()``; does nothing where it goes on already.
  ///
  /// The OpenAL counterpart is `alcDeviceResumeSOFT`.
  public func resume() {
    device.setSuspended(false)
    if !device.isOffline { Lookout.all.bell.ring() }
  }
}
