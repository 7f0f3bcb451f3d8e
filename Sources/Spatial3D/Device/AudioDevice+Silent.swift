extension AudioDevice {
  /// A new device that nobody hears and that needs no sound card: for servers, for tests, and for machines without sound.
  ///
  /// All else is as on an output: the clock goes on with the system's, sources end, streams are read, notifications come, and
  /// ``AudioContext/suspend(_:for:)`` stops time. The ``AudioContext/output`` is as ``OutputSettings`` ask, in stereo at 48,000 Hz where
  /// they do not and no other context of the device did. It mixes fifty times a second, on a thread of its own while it has a
  /// context, and so tells of what happens up to 20 ms later; sources that are played at a time start at its frame, in all contexts.
  ///
  /// What is late by more than a second is left out, and the ``AudioContext/clock`` stands still for it: after a process was stopped for
  /// longer, and where the machine mixes more slowly than time goes by. There it takes a processor to itself, the clock goes as
  /// fast as it can, and what happens is told a second later. No other device waits for it.
  ///
  /// ```swift
  /// let context = try AudioContext(device: .silent)
  /// ```
  ///
  /// - Throws: ``AudioError`` with the code `notInLibrary` where the OpenAL library is not OpenAL Soft.
  ///
  /// The OpenAL counterpart is `ALC_SOFT_loopback`, rendered by the clock.
  public static var silent: AudioDevice {
    get throws(AudioError) { AudioDevice(handle: try DeviceHandle(silentForcing: MissingParts()), silence: Silence()) }
  }
}
