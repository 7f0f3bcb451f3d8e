public import PCM

/// The granted values of an output, as opposed to the requested ``OutputSettings``.
///
/// A snapshot: read ``AudioContext/output`` again after a change.
public struct OutputConfiguration: Hashable, Sendable {
  /// Frames per second of the mix, in hertz (`ALC_FREQUENCY`).
  public let sampleRate: Int

  /// The loudspeakers of the mix; `nil` where the library does not report them.
  ///
  /// OpenAL Soft before 1.23 reports none of an output, and later versions none with loudspeakers above the listener,
  /// such as 7.1.4.
  ///
  /// The OpenAL counterparts are `ALC_OUTPUT_MODE_SOFT` and `ALC_FORMAT_CHANNELS_SOFT`.
  public let layout: ChannelLayout?

  /// Whether sounds are placed for headphones, and if not, why (`ALC_HRTF_STATUS_SOFT`).
  public let hrtf: HRTFStatus

  /// Whether a limiter turns down a mix that is too loud; `nil` where the library does not report it
  /// (`ALC_OUTPUT_LIMITER_SOFT`).
  public let isLimited: Bool?

  /// How many sources a context may have (`ALC_MONO_SOURCES` and `ALC_STEREO_SOURCES` together).
  public let sourceLimit: Int

  /// How many effects one source may feed at a time (`ALC_MAX_AUXILIARY_SENDS`).
  ///
  /// The value is from the creation of the context.
  public let auxiliarySendLimit: Int

  /// How many times a second the device mixes; `nil` offline, where the caller decides (`ALC_REFRESH`).
  public let refreshRate: Int?
}

/// Whether sounds are placed for headphones, by the head-related transfer function (HRTF) of a measured head.
///
/// The OpenAL counterpart is `ALC_HRTF_STATUS_SOFT`.
public enum HRTFStatus: Hashable, Sendable {
  /// No setting and no configuration asked for it.
  case off

  /// On, with data of a name, for a reason.
  case on(name: String, Reason)

  /// Requested and not granted.
  ///
  /// OpenAL Soft 1.19 then renders a stereo mix for headphones by its simple method, with crossfeed.
  case refused(Refusal)

  /// The reason for an HRTF that is on; new reasons may be added.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The reason in words, such as `"as requested"`.
    public let description: String

    /// The settings asked for it (`ALC_HRTF_ENABLED_SOFT`).
    public static let requested = Reason(description: "as requested")

    /// The user's configuration insists (`ALC_HRTF_REQUIRED_SOFT`).
    public static let userConfiguration = Reason(description: "by the user's configuration")

    /// The system has detected headphones (`ALC_HRTF_HEADPHONES_DETECTED_SOFT`).
    public static let headphones = Reason(description: "for headphones")
  }

  /// The reason for a refused HRTF; new reasons may be added.
  public struct Refusal: Hashable, Sendable, CustomStringConvertible {
    /// The reason in words, such as `"the user's configuration forbids it"`.
    public let description: String

    /// The user's configuration forbids it (`ALC_HRTF_DENIED_SOFT`).
    public static let userConfiguration = Refusal(description: "the user's configuration forbids it")

    /// The mix is not stereo, or there is no data for its rate (`ALC_HRTF_UNSUPPORTED_FORMAT_SOFT`).
    public static let format = Refusal(description: "there is no HRTF data for the rate or the layout of the mix")

    /// The loaded OpenAL library lacks `ALC_SOFT_HRTF`.
    public static let notInLibrary = Refusal(description: "the loaded OpenAL library has no HRTF")
  }

  /// Whether sounds are placed for headphones.
  public var isOn: Bool {
    if case .on = self { true } else { false }
  }
}

extension HRTFStatus: CustomStringConvertible {
  /// The status in words, such as `"refused: there is no HRTF data for the rate or the layout of the mix"`.
  public var description: String {
    switch self {
    case .off: "off"
    case .on(let name, let reason): "on, with \"\(name)\", \(reason)"
    case .refused(let refusal): "refused: \(refusal)"
    }
  }
}
