/// What the loaded OpenAL library offers, and so what of this package works on this machine.
///
/// The package is built against OpenAL Soft 1.19.1 and looks for everything newer when it runs. Nothing is faked: what a
/// library lacks is told here, by an error, or by a value that says what was granted.
public struct Capabilities: Hashable, Sendable {
  // MARK: The library

  /// OpenAL's version, and the library's own, such as `"1.1 ALSOFT 1.19.1"` (`AL_VERSION`).
  public let version: String

  /// Who made the library (`AL_VENDOR`).
  public let vendor: String

  /// What the library calls its mixer (`AL_RENDERER`).
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
  /// Without it, ``GrantedOutput/hrtf`` says that it was refused. The OpenAL counterpart is `ALC_SOFT_HRTF`.
  public let hrtf: Bool

  /// The limiter can be chosen.
  ///
  /// Without it, ``GrantedOutput/isLimited`` is `nil`. The OpenAL counterpart is `ALC_SOFT_output_limiter`.
  public let outputLimiter: Bool

  /// The loudspeakers of a device can be chosen.
  ///
  /// Without it, ``OutputSettings/layout`` is not looked at, and ``GrantedOutput/layout`` is `nil`. The OpenAL
  /// counterpart is `ALC_SOFT_output_mode`.
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

  /// What plays can be taken to another output in place.
  ///
  /// Without it, ``AudioDevice/move(to:)`` and ``DevicePolicy/follow`` have all of it made anew there, with a short gap. After a loss
  /// that is done with every version: see <doc:DeviceLoss>. The OpenAL counterpart is `ALC_SOFT_reopen_device`.
  public let deviceReopening: Bool

  /// The loss of a device can be told.
  ///
  /// Without it, a lost device is silent and nothing says so; with it, what plays goes on, see <doc:DeviceLoss>. The OpenAL counterpart is `ALC_EXT_disconnect`.
  public let disconnection: Bool

  /// The system tells of devices that come, go and become the default.
  ///
  /// Without it, a device looks for it each two seconds, as ``AudioDevice/policy`` says. The OpenAL counterpart is `ALC_SOFT_system_events`.
  public let systemEvents: Bool

  /// Input can be recorded.
  ///
  /// Without it, there is no input device. The OpenAL counterpart is `ALC_EXT_CAPTURE`.
  public let capture: Bool

  // MARK: Sources

  /// The library tells when a source ends or a buffer was played.
  ///
  /// Without it, sources that play and are observed are looked at each 5 ms, and notifications are the same. The OpenAL counterpart is `AL_SOFT_events`, or `AL_SOFTX_events` before
  /// 1.22.
  public let events: Bool

  /// A source can start at an exact time of the ``AudioContext/clock``.
  ///
  /// Without it, ``AudioContext/play(_:at:)`` is as exact: an ``OfflineRenderer`` cuts its mix there, and on a real output
  /// the source plays silence ahead of its sound, from a copy of it. What cannot have silence, as is said there, starts with the
  /// mix that is nearest. The OpenAL counterpart is `AL_SOFT_source_start_delay`.
  public let startDelay: Bool

  /// Each source can have a distance model of its own.
  ///
  /// Without it, all have that of the context. The OpenAL counterpart is `AL_EXT_source_distance_model`.
  public let sourceDistanceModel: Bool

  /// Any sound can be placed or not placed in space.
  ///
  /// Without it, mono sounds are and others are not. The OpenAL counterpart is `AL_SOFT_source_spatialize`.
  public let sourceSpatialization: Bool

  /// A source can have a size.
  ///
  /// Without it, every source is a point. The OpenAL counterpart is `AL_EXT_SOURCE_RADIUS`.
  public let sourceRadius: Bool

  /// What is heard now can be told from what is mixed now.
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
  /// Without it, all of it does. The OpenAL counterpart is `AL_SOFT_loop_points`.
  public let loopPoints: Bool

  /// A sound can stay in the memory of who made it.
  ///
  /// Without it, the library keeps a copy. The OpenAL counterpart is `AL_EXT_STATIC_BUFFER`.
  public let staticBuffers: Bool

  /// A sound can be written in the library's own memory.
  ///
  /// Without it, it is made elsewhere and copied. The OpenAL counterpart is `AL_SOFTX_map_buffer`.
  public let mappedBuffers: Bool

  // MARK: Effects

  /// There are reverbs, other effects and filters.
  ///
  /// Without it, every sound is dry. How many effects a source may feed is told by
  /// ``GrantedOutput/auxiliarySendLimit``. The OpenAL counterpart is `ALC_EXT_EFX`.
  public let effects: Bool

  /// One effect can feed another.
  ///
  /// Without it, each goes to the mix. The OpenAL counterpart is `AL_SOFT_effect_target`.
  public let effectTarget: Bool

  /// A filter glides when it changes.
  ///
  /// Without it, each change of ``SoundSource/occlusion`` and ``SoundSource/obstruction`` clicks in low notes, where a mix begins:
  /// half a decibel, near 0 dB, by a twentieth of the note's amplitude. Move a door over many frames, or set them before the
  /// source starts. OpenAL Soft 1.25 has it, and has no name for it.
  public let filterInterpolation: Bool
}
