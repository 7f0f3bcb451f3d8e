extension AudioDevice {
  /// A new device without an audible output and without a sound card: for servers, for tests, and for machines without
  /// sound.
  ///
  /// All else is as on an output: the clock advances with the system's, sources end, streams are read, notifications
  /// come, and ``AudioContext/suspend(_:for:)`` stops time. The ``AudioContext/output`` is as ``OutputSettings`` ask,
  /// and else as the device's other contexts have it; the default is stereo at 48,000 Hz. The device mixes fifty times
  /// a second, on a thread of its own while it has a context, and notifies up to 20 ms late. Scheduled sources start at
  /// their exact frame, in all contexts.
  ///
  /// The device skips the excess of a delay over one second, and the ``AudioContext/clock`` stands still for it. A
  /// delay like this arises if a process was stopped for longer, or if the machine mixes more slowly than real time. A
  /// slow machine spends a whole processor on the mix, its clock runs as fast as it can, and notifications come a
  /// second late. No other device waits for it.
  ///
  /// ```swift
  /// let context = try AudioContext(device: .silent)
  /// ```
  ///
  /// - Throws: ``AudioError`` with the code `notInLibrary` where the OpenAL library is not OpenAL Soft.
  ///
  /// The OpenAL counterpart is `ALC_SOFT_loopback`, rendered by the clock.
  public static var silent: AudioDevice {
    get throws(AudioError) {
      AudioDevice(handle: try DeviceHandle(silentDisabling: []), mixing: .byClock(ClockDrivenMixer()))
    }
  }
}
