/// The optional parts of the loaded OpenAL library, and with them the parts of this package that work on this machine.
///
/// The package is built against OpenAL Soft 1.19.1 and checks for everything newer when it runs. Nothing is faked: a
/// missing part shows here, in an error, or in a value that reports what was granted.
public struct Capabilities: Hashable, Sendable {
  // MARK: The library

  /// OpenAL's version, and the library's own, such as `"1.1 ALSOFT 1.19.1"` (`AL_VERSION`).
  public let version: String

  /// The vendor of the library (`AL_VENDOR`).
  public let vendor: String

  /// The library's name of its mixer (`AL_RENDERER`).
  public let renderer: String

  // MARK: Contexts

  /// Each thread may have a context of its own current.
  ///
  /// Without it, the calls of all contexts take turns. The OpenAL counterpart is `ALC_EXT_thread_local_context`.
  public let threadLocalContexts: Bool

  /// Changes wait for each other inside the library.
  ///
  /// Without it, ``AudioContext/withDeferredUpdates(_:)`` uses OpenAL's own way, which does the same. The OpenAL
  /// counterpart is `AL_SOFT_deferred_updates`.
  public let deferredUpdates: Bool

  // MARK: Output

  /// A mix can be rendered.
  ///
  /// Without it, ``OfflineRenderer`` throws `notInLibrary`. The OpenAL counterpart is `ALC_SOFT_loopback`.
  public let offlineRendering: Bool

  /// A mix can be rendered as Ambisonics.
  ///
  /// Without it, ``OfflineRenderer`` throws `formatUnsupported` for such a format. The OpenAL counterpart is
  /// `ALC_SOFT_loopback_bformat`.
  public let ambisonicRendering: Bool

  /// Sounds can be placed for headphones.
  ///
  /// Without it, ``GrantedOutput/hrtf`` is `refused`. The OpenAL counterpart is `ALC_SOFT_HRTF`.
  public let hrtf: Bool

  /// The limiter can be chosen.
  ///
  /// Without it, ``GrantedOutput/isLimited`` is `nil`. The OpenAL counterpart is `ALC_SOFT_output_limiter`.
  public let outputLimiter: Bool

  /// The loudspeakers of a device can be chosen.
  ///
  /// Without it, ``OutputSettings/layout`` is ignored, and ``GrantedOutput/layout`` is `nil`. The OpenAL counterpart is
  /// `ALC_SOFT_output_mode`.
  public let outputMode: Bool

  /// Mixing can be stopped and resumed.
  ///
  /// Without it, ``AudioContext/suspend(_:for:)`` can only mute. The OpenAL counterpart is `ALC_SOFT_pause_device`.
  public let suspension: Bool

  /// The mixer's time can be read.
  ///
  /// Without it, ``AudioContext/clock`` and ``AudioContext/latency`` are `nil`. The OpenAL counterpart is
  /// `ALC_SOFT_device_clock`.
  public let deviceClock: Bool

  /// The library can move playback to another output in place.
  ///
  /// Without it, ``AudioDevice/move(to:)`` and ``DevicePolicy/follow`` create all objects anew there, with a short gap.
  /// After a loss the package does that with every version: see <doc:DeviceLoss>. The OpenAL counterpart is
  /// `ALC_SOFT_reopen_device`.
  public let deviceReopening: Bool

  /// The library reports the loss of a device.
  ///
  /// Without it, a lost device is silent without a report. With it, playback goes on: see <doc:DeviceLoss>. The OpenAL
  /// counterpart is `ALC_EXT_disconnect`.
  public let disconnection: Bool

  /// The system reports devices that come, go and become the default.
  ///
  /// Without it, a device polls for them every two seconds, as described at ``AudioDevice/policy``. The OpenAL
  /// counterpart is `ALC_SOFT_system_events`.
  public let systemEvents: Bool

  /// Input can be recorded.
  ///
  /// Without it, there is no input device. The OpenAL counterpart is `ALC_EXT_CAPTURE`.
  public let capture: Bool

  // MARK: Sources

  /// The library reports the end of a source and each played buffer.
  ///
  /// Without it, the package polls observed sources that play every 5 ms, and notifications are the same. The OpenAL
  /// counterpart is `AL_SOFT_events`, or `AL_SOFTX_events` before 1.22.
  public let events: Bool

  /// A source can start at an exact time of the ``AudioContext/clock``.
  ///
  /// Without it, ``AudioContext/play(_:at:)`` is as exact. An ``OfflineRenderer`` cuts its mix at the time, and on a
  /// real output the source plays silence ahead of its sound, from a copy of it. A source that cannot have silence, as
  /// described there, starts with the nearest mix. The OpenAL counterpart is `AL_SOFT_source_start_delay`.
  public let startDelay: Bool

  /// Each source can have a distance model of its own.
  ///
  /// Without it, all sources have the model of the context. The OpenAL counterpart is `AL_EXT_source_distance_model`.
  public let sourceDistanceModel: Bool

  /// Any sound can be placed or not placed in space.
  ///
  /// Without it, mono sounds are placed and others are not. The OpenAL counterpart is `AL_SOFT_source_spatialize`.
  public let sourceSpatialization: Bool

  /// A source can have a size.
  ///
  /// Without it, every source is a point. The OpenAL counterpart is `AL_EXT_SOURCE_RADIUS`.
  public let sourceRadius: Bool

  /// The library reports the audible frame of a sound besides the mixed frame.
  ///
  /// Without it, positions in a sound are ahead of the ear by the output's latency. The OpenAL counterpart is
  /// `AL_SOFT_source_latency`.
  public let sourceLatency: Bool

  /// The resampler can be chosen for each source.
  ///
  /// Without it, the library's default is used. The OpenAL counterpart is `AL_SOFT_source_resampler`.
  public let sourceResampler: Bool

  /// The channels of a stereo sound can be turned about the listener.
  ///
  /// Without it, they stay left and right. The OpenAL counterpart is `AL_EXT_STEREO_ANGLES`.
  public let stereoAngles: Bool

  /// The channels of a sound can go straight to the loudspeakers.
  ///
  /// Without it, an HRTF colours music. The OpenAL counterpart is `AL_SOFT_direct_channels`.
  public let directChannels: Bool

  /// Channels for which there is no loudspeaker can go to the nearest.
  ///
  /// Without it, they are dropped. The OpenAL counterpart is `AL_SOFT_direct_channels_remix`.
  public let directChannelRemixing: Bool

  // MARK: Buffers

  /// A sound can be of `Float` samples.
  ///
  /// Without it, ``SoundBuffer`` throws `notInLibrary` for them. The OpenAL counterpart is `AL_EXT_FLOAT32`.
  public let floatSamples: Bool

  /// A sound can be quad or surround.
  ///
  /// Without it, ``SoundBuffer`` throws `notInLibrary` for them. The OpenAL counterpart is `AL_EXT_MCFORMATS`.
  public let surroundSounds: Bool

  /// A sound can be ambisonic.
  ///
  /// Without it, only its channel without direction is of use. The OpenAL counterpart is `AL_EXT_BFORMAT`.
  public let ambisonicSounds: Bool

  /// A part of a sound can loop.
  ///
  /// Without it, the whole sound loops. The OpenAL counterpart is `AL_SOFT_loop_points`.
  public let loopPoints: Bool

  /// A sound can stay in the caller's memory.
  ///
  /// Without it, the library keeps a copy. The OpenAL counterpart is `AL_EXT_STATIC_BUFFER`.
  public let staticBuffers: Bool

  /// A sound can be written in the library's own memory.
  ///
  /// Without it, it is written elsewhere and copied. The OpenAL counterpart is `AL_SOFTX_map_buffer`.
  public let mappedBuffers: Bool

  // MARK: Effects

  /// The library has reverbs, other effects and filters.
  ///
  /// Without it, every sound is dry. ``GrantedOutput/auxiliarySendLimit`` is the number of effects that a source may
  /// feed. The OpenAL counterpart is `ALC_EXT_EFX`.
  public let effects: Bool

  /// One effect can feed another.
  ///
  /// Without it, each effect feeds the mix. The OpenAL counterpart is `AL_SOFT_effect_target`.
  public let effectTarget: Bool

  /// A filter glides when it changes.
  ///
  /// Without it, each change of ``SoundSource/occlusion`` and ``SoundSource/obstruction`` clicks in low notes at the
  /// start of a mix: half a decibel, near 0 dB, by a twentieth of the note's amplitude. Move a door over many frames,
  /// or set them before the source starts. OpenAL Soft 1.25 has it, without a name for it.
  public let filterInterpolation: Bool
}
