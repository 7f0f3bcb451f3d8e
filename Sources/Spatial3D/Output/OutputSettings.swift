public import PCM

/// The request to an output when a context is created on it.
///
/// The defaults request nothing and accept the device's own values. A library or a device that cannot grant a value
/// comes as close as it can; ``AudioContext/output`` has the granted values.
///
/// The OpenAL counterpart is the attribute list of `alcCreateContext`.
public struct OutputSettings: Hashable, Sendable {
  /// Frames per second of the mix, in hertz.
  ///
  /// Range: 8,000 to 192,000, clamped; before OpenAL Soft 1.25.2 from 11,025, also where the rate of the device itself
  /// is lower. Default: `nil`, the device's own. An ``OfflineRenderer`` has the rate of its format instead. The OpenAL
  /// counterpart is `ALC_FREQUENCY`.
  public var sampleRate: Int?

  /// The loudspeakers to mix for: mono, stereo, quad or 5.1 to 7.1 surround.
  ///
  /// Default: `nil`, the loudspeakers of the device. OpenAL Soft before 1.23 cannot be asked and keeps the device's
  /// own. An ``OfflineRenderer`` has the layout of its format instead. The OpenAL counterpart is
  /// `ALC_OUTPUT_MODE_SOFT`.
  public var layout: ChannelLayout?

  /// Whether sounds are placed for headphones.
  ///
  /// Default: ``HRTF/automatic``. Up to OpenAL Soft 1.20.0 a mix has the rate of its data set: ``HRTF/on`` takes a data
  /// set at the rate of the output where the library has one, and that rate is back when HRTF ends. The OpenAL
  /// counterparts are `ALC_HRTF_SOFT` and `ALC_HRTF_ID_SOFT`.
  public var hrtf: HRTF

  /// Whether a mix that is too loud is turned down for a moment instead of being cut off at full scale.
  ///
  /// Default: ``Limiter/automatic``. The OpenAL counterpart is `ALC_OUTPUT_LIMITER_SOFT`.
  public var limiter: Limiter

  /// How many sources a context may have.
  ///
  /// Range: 1 to 65,536, clamped; OpenAL Soft grants at least 256. Default: `nil`, 256. Before OpenAL Soft 1.21.1 a
  /// sound that ends or jumps takes one more source for the length of a mix, in which it fades out; where none is free,
  /// it is cut off. The OpenAL counterparts are `ALC_MONO_SOURCES` and `ALC_STEREO_SOURCES`.
  public var sourceLimit: Int?

  /// How many effects one source may feed at a time.
  ///
  /// Range: 0 to 16, clamped; OpenAL Soft 1.25 grants at most 6. Default: `nil`, 2. The contexts of a device share the
  /// number: a context that asks for fewer sends gets the number of the earlier contexts. The OpenAL counterpart is
  /// `ALC_MAX_AUXILIARY_SENDS`.
  public var auxiliarySendLimit: Int?

  /// Settings that request some values and leave the rest to the device.
  public init(
    sampleRate: Int? = nil,
    layout: ChannelLayout? = nil,
    hrtf: HRTF = .automatic,
    limiter: Limiter = .automatic,
    sourceLimit: Int? = nil,
    auxiliarySendLimit: Int? = nil
  ) {
    self.sampleRate = sampleRate
    self.layout = layout
    self.hrtf = hrtf
    self.limiter = limiter
    self.sourceLimit = sourceLimit
    self.auxiliarySendLimit = auxiliarySendLimit
  }
}

extension OutputSettings {
  /// Whether sounds are placed for headphones, by the head-related transfer function (HRTF) of a measured head.
  ///
  /// Only a stereo mix can have an HRTF. OpenAL Soft 1.19 has data for mixes of 44,100 and 48,000 Hz alone: it sets a
  /// device to the rate of the data, and refuses an ``OfflineRenderer`` of another. OpenAL Soft 1.25.2 resamples the
  /// data to any other rate when a context is created. This takes up to 13 seconds for rates that share few factors
  /// with the data's rate, such as 48,001 Hz.
  public enum HRTF: Hashable, Sendable {
    /// On where the system has detected headphones or the user's configuration asks for it; off in an
    /// ``OfflineRenderer``.
    case automatic

    /// Off, unless the user's configuration insists.
    case off

    /// On, with the data that the device lists first.
    case on

    /// On, with data by one of the names in ``AudioDevice/hrtfNames``.
    case named(String)
  }

  /// Whether a mix that is too loud is turned down for a moment.
  public enum Limiter: String, Hashable, Sendable, Codable {
    /// The library's choice: off in an ``OfflineRenderer``.
    ///
    /// On a device, OpenAL Soft 1.19 limits always. Later versions limit where the device takes integers.
    case automatic

    /// Off: a device clips the mix at full scale; offline the mix stays as it is.
    case off

    /// On: no sample is beyond full scale, and the mix is late by a millisecond.
    case on
  }
}
