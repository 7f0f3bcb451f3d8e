internal import AudioSupport

extension AudioDevice {
  /// A new device on the default output, whose whole mix this package renders: see ``processed(on:ahead:)``.
  public static var processed: AudioDevice {
    get throws(AudioError) { try processed(on: nil) }
  }

  /// A new device on an output, whose whole mix this package renders.
  ///
  /// A thread of the device renders the mix in blocks of 512 frames, as an ``OfflineRenderer`` does, and one source of
  /// ``output`` plays it. For the same calls at the same frames, such as the calls in a tick, the mix equals the mix of
  /// an ``OfflineRenderer`` to the bit if each of its calls renders 512 frames. Ticks come at their exact frames,
  /// scheduled sources start at theirs, and notifications have the frames that they have offline. All else is as on the
  /// output: the sound follows the ``policy``, survives the loss of the output, and can ``move(to:)`` another.
  ///
  /// The mix is later by ``addedLatency``. Its rate and its layout are the output's at the time of this call, and stay:
  /// an output with another rate resamples the mix. The layout is stereo where the library does not report one, as
  /// OpenAL Soft 1.19. An output that lacks channels of the mix plays them with the others. Without
  /// ``Capabilities/directChannelRemixing`` it drops them, so that a mono output is silent. ``OutputSettings/hrtf`` is
  /// for the mix, and `automatic` is off, because the library reports headphones only for an output that it mixes
  /// itself. A reader of a stream that is late has an underrun, as on an output; only then does the mix differ from the
  /// offline mix.
  ///
  /// ```swift
  /// let context = try AudioContext(device: .processed)
  /// ```
  ///
  /// - Parameters:
  ///   - name: One of ``outputNames``; `nil` for the default output.
  ///   - ahead: How much of the mix is rendered ahead of the output, from two periods of the output to 200 ms, clamped.
  ///     By default 20 ms, or two periods. On a machine whose threads are often late, this default grows, by 10 ms
  ///     after the second gap within ten seconds, to 80 ms. The period is the user's configuration of OpenAL Soft.
  /// - Returns: The device, without a context.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or none at all,
  ///   `contextUnavailable` where the output refuses, and `notInLibrary` where the OpenAL library is not OpenAL Soft.
  ///
  /// The OpenAL counterparts are `ALC_SOFT_loopback` and `AL_SOFT_callback_buffer`.
  public static func processed(on name: String? = nil, ahead: Duration? = nil) throws(AudioError) -> AudioDevice {
    try processed(on: AudioDevice(named: name), ahead: ahead)
  }

  /// A processed device on an output that plays nothing else; `features` are disabled on the rendered device.
  static func processed(
    on output: AudioDevice,
    ahead: Duration?,
    disabling features: DisabledFeatures = []
  ) throws(AudioError) -> AudioDevice {
    let handle = try DeviceHandle(offlineDisabling: features)
    // The channels of the mix reach the loudspeakers as they are. HRTF would change the rate of some outputs.
    let context = try AudioContext(device: output, settings: OutputSettings(hrtf: .off))
    return AudioDevice(handle: handle, mixing: .forOutput(try OutputDrivenMixer(playingOn: context, ahead: ahead)))
  }

  /// The output that plays the mix of a ``processed`` device; `nil` for any other device.
  ///
  /// It has the ``name``, the ``policy`` and ``keepsTimeWithoutOutput`` of the processed device. A context that is
  /// created on it plays beside the mix, without the latency of the mix, and is suspended with it. A suspension of the
  /// output alone stops the processed device too.
  ///
  /// There is no OpenAL counterpart.
  public var output: AudioDevice? { outputMixer?.output }

  /// The time that a ``processed`` device adds between the mix and the ear; zero for any other device.
  ///
  /// It is the time that is rendered ahead, and a quarter of a block (128 frames) more without
  /// ``Capabilities/callbackBuffers``. With less than a block ahead, it is half of that time and half of a block.
  /// ``AudioContext/latency`` includes it. It may grow: see ``processed(on:ahead:)``.
  ///
  /// There is no OpenAL counterpart.
  public var addedLatency: Duration { outputMixer?.addedLatency ?? .zero }

  /// The load of the thread of a ``processed`` device, and the gaps of its output; `nil` for any other device.
  ///
  /// The peak is the largest load since the last call. Takes no lock.
  package func takeMixLoad() -> MixLoad? { outputMixer?.takeLoad() }
}

extension SuspensionReason {
  /// The suspension of an output by the processed device whose mix it plays.
  static let processedMix = SuspensionReason("processed mix")
}
