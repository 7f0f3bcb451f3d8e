extension AudioDevice {
  /// A new device that nobody hears and that needs no sound card: for servers, for tests, and for machines without sound.
  ///
  /// All else is as on an output: the clock goes on with the system's, sources end, streams are read, notifications come, and
  /// ``AudioContext/suspend(_:for:)`` stops time. The ``AudioContext/output`` is as ``OutputSettings`` ask, in stereo at 48,000 Hz where
  /// they do not. It mixes fifty times a second, in what the machine takes to mix, and so tells of what happens up to 20 ms
  /// later; sources that are played at a time start at its frame. Of a process that is stopped for more than a second, no more
  /// than a second is caught up with.
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

extension AudioContext {
  /// Mixes what is due on a silent device; returns after how many nanoseconds to do so again, `nil` while time stands still.
  ///
  /// By the `Lookout` alone.
  func mixForNobody(by silence: Silence) -> Int64? {
    var left = silence.takeFrames(rate: sampleRate)
    while left > 0 {
      // Up to the next frame that a source waits for, where the library does not.
      let untilStart = state.withLock { startWaitingSources(&$0) } ?? left
      let frames = min(left, untilStart)
      device.handle.discard(frameCount: frames)
      left -= frames
    }
    return silence.wait()
  }
}
