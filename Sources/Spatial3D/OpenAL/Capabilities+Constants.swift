internal import CSpatial3DShim

/// The constants, made from the bits of the shim's list (`S3D_EACH_CAPABILITY`).
extension Capabilities {
  // MARK: Contexts

  /// Each thread may have a context of its own current.
  ///
  /// Without it, the calls of all contexts take turns. The OpenAL counterpart is `ALC_EXT_thread_local_context`.
  public static let threadLocalContexts = Capabilities(S3D_CAPABILITY_threadLocalContexts)

  /// The library can apply several changes at once.
  ///
  /// Without it, ``AudioContext/withDeferredUpdates(_:)`` uses OpenAL's own method, which does the same. The OpenAL
  /// counterpart is `AL_SOFT_deferred_updates`.
  public static let deferredUpdates = Capabilities(S3D_CAPABILITY_deferredUpdates)

  // MARK: Output

  /// A mix can be rendered.
  ///
  /// Without it, ``OfflineRenderer`` throws `notInLibrary`. The OpenAL counterpart is `ALC_SOFT_loopback`.
  public static let offlineRendering = Capabilities(S3D_CAPABILITY_offlineRendering)

  /// A mix can be rendered as Ambisonics.
  ///
  /// Without it, ``OfflineRenderer`` throws `formatUnsupported` for an Ambisonic format. The OpenAL counterpart is
  /// `ALC_SOFT_loopback_bformat`.
  public static let ambisonicRendering = Capabilities(S3D_CAPABILITY_ambisonicRendering)

  /// Sounds can be placed for headphones.
  ///
  /// Without it, ``OutputConfiguration/hrtf`` is `refused`. The OpenAL counterpart is `ALC_SOFT_HRTF`.
  public static let hrtf = Capabilities(S3D_CAPABILITY_hrtf)

  /// The limiter can be chosen.
  ///
  /// Without it, ``OutputConfiguration/isLimited`` is `nil`. The OpenAL counterpart is `ALC_SOFT_output_limiter`.
  public static let outputLimiter = Capabilities(S3D_CAPABILITY_outputLimiter)

  /// The loudspeakers of a device can be chosen.
  ///
  /// Without it, ``OutputSettings/layout`` is ignored, ``OutputConfiguration/layout`` is `nil`, and
  /// ``SoundSource/usesDirectChannels`` counts each output as stereo: direct stereo on a mono output is silent. The
  /// OpenAL counterpart is `ALC_SOFT_output_mode`.
  public static let outputMode = Capabilities(S3D_CAPABILITY_outputMode)

  /// Mixing can be stopped and resumed.
  ///
  /// Without it, ``AudioContext/suspend(_:for:)`` can only mute. The OpenAL counterpart is `ALC_SOFT_pause_device`.
  public static let suspension = Capabilities(S3D_CAPABILITY_suspension)

  /// The mixer's time can be read.
  ///
  /// Without it, the package counts the ``AudioContext/clock``, and ``AudioContext/latency`` is `nil`. The OpenAL
  /// counterpart is `ALC_SOFT_device_clock`.
  public static let deviceClock = Capabilities(S3D_CAPABILITY_deviceClock)

  /// The library can move an open device to another output, with all its objects.
  ///
  /// Without it, ``AudioDevice/move(to:)`` and ``DevicePolicy/follow`` create all objects anew there, with a short gap.
  /// After a loss the package does that with every version: see <doc:DeviceLoss>. The OpenAL counterpart is
  /// `ALC_SOFT_reopen_device`.
  public static let deviceReopening = Capabilities(S3D_CAPABILITY_deviceReopening)

  /// The library reports the loss of a device.
  ///
  /// Without it, a lost device is silent without a report. With it, playback goes on: see <doc:DeviceLoss>. The OpenAL
  /// counterpart is `ALC_EXT_disconnect`.
  public static let disconnection = Capabilities(S3D_CAPABILITY_disconnection)

  /// The system reports devices that come, go and become the default.
  ///
  /// Without it, a device polls for them every two to four seconds, as described at ``AudioDevice/policy``. The OpenAL
  /// counterpart is `ALC_SOFT_system_events`.
  public static let systemEvents = Capabilities(S3D_CAPABILITY_systemEvents)

  /// Input can be recorded.
  ///
  /// Without it, there is no input device. The OpenAL counterpart is `ALC_EXT_CAPTURE`.
  public static let capture = Capabilities(S3D_CAPABILITY_capture)

  // MARK: Sources

  /// The library reports the end of a source and each played buffer.
  ///
  /// Without it, the package polls observed sources that play every 5 ms, and notifications are the same. The OpenAL
  /// counterpart is `AL_SOFT_events`, or `AL_SOFTX_events` before 1.22.
  public static let events = Capabilities(S3D_CAPABILITY_events)

  /// A source can start at an exact time of the ``AudioContext/clock``.
  ///
  /// Without it, ``AudioContext/play(_:at:)`` is as exact. An ``OfflineRenderer`` cuts its mix at the time, and on a
  /// real output the source plays silence ahead of its sound, from a copy of it. A source that cannot have silence, as
  /// described there, starts with the nearest mix. The OpenAL counterpart is `AL_SOFT_source_start_delay`.
  public static let startDelay = Capabilities(S3D_CAPABILITY_startDelay)

  /// Each source can have a distance model of its own.
  ///
  /// Without it, all sources have the model of the context. The OpenAL counterpart is `AL_EXT_source_distance_model`.
  public static let sourceDistanceModel = Capabilities(S3D_CAPABILITY_sourceDistanceModel)

  /// Any sound can be placed or not placed in space.
  ///
  /// Without it, mono sounds are placed and others are not. The OpenAL counterpart is `AL_SOFT_source_spatialize`.
  public static let sourceSpatialization = Capabilities(S3D_CAPABILITY_sourceSpatialization)

  /// A source can have a size.
  ///
  /// Without it, every source is a point. The OpenAL counterpart is `AL_EXT_SOURCE_RADIUS`.
  public static let sourceRadius = Capabilities(S3D_CAPABILITY_sourceRadius)

  /// The library reports the audible frame of a sound besides the mixed frame.
  ///
  /// Without it, positions in a sound are ahead of the ear by the output's latency. The OpenAL counterpart is
  /// `AL_SOFT_source_latency`.
  public static let sourceLatency = Capabilities(S3D_CAPABILITY_sourceLatency)

  /// The resampler can be chosen for each source.
  ///
  /// Without it, the library's default is used. The OpenAL counterpart is `AL_SOFT_source_resampler`.
  public static let sourceResampler = Capabilities(S3D_CAPABILITY_sourceResampler)

  /// The channels of a stereo sound can be turned about the listener.
  ///
  /// Without it, they stay left and right. The OpenAL counterpart is `AL_EXT_STEREO_ANGLES`.
  public static let stereoAngles = Capabilities(S3D_CAPABILITY_stereoAngles)

  /// The channels of a sound can go straight to the loudspeakers.
  ///
  /// Without it, an HRTF colours music. The OpenAL counterpart is `AL_SOFT_direct_channels`.
  public static let directChannels = Capabilities(S3D_CAPABILITY_directChannels)

  /// Channels for which there is no loudspeaker can go to the nearest.
  ///
  /// The package does not use it: ``SoundSource/usesDirectChannels`` needs all loudspeakers of a sound. The OpenAL
  /// counterpart is `AL_SOFT_direct_channels_remix`.
  public static let directChannelRemixing = Capabilities(S3D_CAPABILITY_directChannelRemixing)

  // MARK: Buffers

  /// A sound can be of `Float` samples.
  ///
  /// Without it, ``SoundBuffer`` throws `notInLibrary` for them. The OpenAL counterpart is `AL_EXT_FLOAT32`.
  public static let floatSamples = Capabilities(S3D_CAPABILITY_floatSamples)

  /// A sound can be quad or surround.
  ///
  /// Without it, ``SoundBuffer`` throws `notInLibrary` for them. The OpenAL counterpart is `AL_EXT_MCFORMATS`.
  public static let surroundSounds = Capabilities(S3D_CAPABILITY_surroundSounds)

  /// A sound can be ambisonic.
  ///
  /// Without it, only its channel without direction is of use. The OpenAL counterpart is `AL_EXT_BFORMAT`.
  public static let ambisonicSounds = Capabilities(S3D_CAPABILITY_ambisonicSounds)

  /// A part of a sound can loop.
  ///
  /// Without it, the whole sound loops. The OpenAL counterpart is `AL_SOFT_loop_points`.
  public static let loopPoints = Capabilities(S3D_CAPABILITY_loopPoints)

  /// A sound can stay in the caller's memory.
  ///
  /// Without it, the library keeps a copy. The OpenAL counterpart is `AL_EXT_STATIC_BUFFER`.
  public static let staticBuffers = Capabilities(S3D_CAPABILITY_staticBuffers)

  /// A sound can be written in the library's own memory.
  ///
  /// Without it, it is written elsewhere and copied. The OpenAL counterpart is `AL_SOFTX_map_buffer`.
  public static let mappedBuffers = Capabilities(S3D_CAPABILITY_mappedBuffers)

  /// The library asks for the samples of a sound while it mixes.
  ///
  /// Without it, ``AudioDevice/processed`` plays its mix through a queue of buffers, which adds a quarter of a block of
  /// latency (128 frames). OpenAL Soft has it from 1.22 on. The OpenAL counterpart is `AL_SOFT_callback_buffer`.
  public static let callbackBuffers = Capabilities(S3D_CAPABILITY_callbackBuffers)

  // MARK: Effects

  /// The library has reverbs, other effects and filters.
  ///
  /// Without it, every sound is dry. ``OutputConfiguration/auxiliarySendLimit`` is the number of effects that a source
  /// may feed. The OpenAL counterpart is `ALC_EXT_EFX`.
  public static let effects = Capabilities(S3D_CAPABILITY_effects)

  /// One effect can feed another.
  ///
  /// Without it, each effect feeds the mix. The OpenAL counterpart is `AL_SOFT_effect_target`.
  public static let effectTarget = Capabilities(S3D_CAPABILITY_effectTarget)

  /// A filter glides when it changes.
  ///
  /// Without it, each change of ``SoundSource/occlusion`` and ``SoundSource/obstruction`` clicks in low notes at the
  /// start of a mix: half a decibel, near 0 dB, by a twentieth of the note's amplitude. Move a door over many frames,
  /// or set them before the source starts. OpenAL Soft 1.25 has it, without a name for it.
  public static let filterInterpolation = Capabilities(S3D_CAPABILITY_filterInterpolation)
}

extension Capabilities {
  private init(_ capability: s3d_capability) { self.init(rawValue: 1 << capability.rawValue) }

  /// All capabilities.
  static let all = Capabilities(rawValue: 1 << S3D_CAPABILITY_COUNT.rawValue - 1)

  /// The names of the constants in the set.
  var names: [String] {
    (0..<S3D_CAPABILITY_COUNT.rawValue).map(s3d_capability.init(rawValue:))
      .filter { contains(Capabilities($0)) }
      .map { unsafe String(cString: s3d_capability_name($0)) }
  }
}
