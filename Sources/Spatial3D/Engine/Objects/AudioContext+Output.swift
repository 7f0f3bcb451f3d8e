internal import AudioSupport

extension AudioContext {
  /// The output's present values for what ``settings`` asked.
  ///
  /// The contexts of a device share its output. The getter asks the library, which may wait for a mix to end.
  public var output: OutputConfiguration {
    handle.output(
      askedFor: settings,
      sendLimit: sendLimit,
      layout: device.clockMixer?.layout,
      blockLength: device.outputMixer == nil ? nil : OutputPacer.block
    )
  }

  /// Frames per second of the mix, in hertz, as the device granted it.
  ///
  /// The OpenAL counterpart is `ALC_FREQUENCY`.
  public var sampleRate: Int { handle.sampleRate }

  /// The loaded library, by its version and names.
  public var library: LoadedLibrary { handle.library }

  /// The capabilities of the loaded library.
  ///
  /// The getter asks the library for some thirty names: keep the value if you need it often.
  public var capabilities: Capabilities { handle.capabilities }

  /// The duration of the mix since the device was opened.
  ///
  /// The clock advances in steps of one mix, and stands still while the context is frozen. Without
  /// ``Capabilities/deviceClock`` the package counts: offline, on ``AudioDevice/silent`` and on
  /// ``AudioDevice/processed`` the frames that it mixes, to the nanosecond, and on an output the system's time. The
  /// OpenAL counterpart is `ALC_DEVICE_CLOCK_SOFT`.
  public var clock: Duration { .nanoseconds(handle.clock) }

  /// The number of frames mixed since the device was opened.
  ///
  /// It is the ``clock`` in frames of the present rate, exact offline, on ``AudioDevice/silent`` and on
  /// ``AudioDevice/processed``, and stands still while the context is frozen. Unlike a duration it has no rounding, so
  /// it suits code that computes positions in sounds: a sound goes on by ``mixStep(pitch:sampleRate:)`` in each frame.
  /// ``SourceNotification/framePosition`` counts the same, but offline also the silence that is rendered while the
  /// context is frozen.
  public var mixedFrames: Int { state.withLock { $0.handle.mixedFrames } }

  /// The frames of a sound that the mixer takes for one frame of the mix, as the loaded library rounds them.
  ///
  /// OpenAL Soft rounds to 1/65,536 of a frame, and before 1.23 to 1/4,096: a sound at the pitch 1.37 is then 18 frames
  /// off after two seconds, counted without the rounding. The most is 10 frames, and before 1.21 255. `pitch` includes
  /// the Doppler effect. `sampleRate` is the rate of the sound, in hertz; at 0 and below the result is 0.
  public func mixStep(pitch: Float, sampleRate: Int) -> Double {
    handle.mixStep.frames(pitch: pitch, soundRate: sampleRate, mixRate: self.sampleRate)
  }

  /// The time from the mix to the ear, as far as the library knows; `nil` where it cannot report it.
  ///
  /// It is an estimate. On PipeWire 0.3.65 through its PulseAudio server, 1.19.1 reported 74 to 103 ms where a
  /// recording showed 65 to 84, and 1.25.2 reported 18 to 39 where it showed 32 to 53. With its own PipeWire backend
  /// 1.25.2 reports 0 for 22 to 31 ms. The headphones' own delay, such as the delay of Bluetooth, may be missing.
  ///
  /// The OpenAL counterpart is `ALC_DEVICE_LATENCY_SOFT`.
  public var latency: Duration? {
    if let mixer = device.outputMixer { return mixer.latency }
    return handle.latency.map { .nanoseconds($0) }
  }

  /// The resamplers of the library, in its own order, roughly from the cheapest to the best.
  ///
  /// Empty without ``Capabilities/sourceResampler``. The OpenAL counterpart is `AL_NUM_RESAMPLERS_SOFT`.
  public var resamplers: [Resampler] { handle.resamplers }

  /// The resampler of sources without one of their own; `nil` if the library offers no choice.
  ///
  /// The OpenAL counterpart is `AL_DEFAULT_RESAMPLER_SOFT`.
  public var defaultResampler: Resampler? { handle.resampler(at: handle.defaultResampler) }
}
