public import Spatial3D

/// A processor of the sum of a bus: an equalizer, a compressor, a delay.
///
/// The sounds of a bus are added, and their sum passes the inserts of the bus in order. A list of inserts is a value,
/// such as `[.highPass(90), .compressor(threshold: -20, ratio: 3)]`.
///
/// An insert takes any number. A number out of its range is clamped when the insert runs, NaN counts as the default,
/// and the world reports both.
///
/// An insert is `Codable`: an object such as `{"compressor": {"threshold": "-20 dB", "ratio": 3}, "mix": 0.5}`.
///
/// AVAudioEngine: a node between two mixers. FMOD: `ChannelControl::addDSP`. Wwise: effect slot.
public struct Insert: Hashable, Sendable {
  /// A kind of processor, with its settings.
  public enum Kind: Hashable, Sendable {
    /// Filters in a row.
    case equalizer(Equalizer)
    /// A lower level above a threshold.
    case compressor(Compressor)
    /// A lower level below a threshold.
    case gate(Gate)
    /// No sample above a ceiling.
    case limiter(Limiter)
    /// A slow change of the gain towards a loudness.
    case leveler(Leveler)
    /// The reverb of a recorded room.
    case convolution(Convolution)
    /// A curve that adds harmonics.
    case distortion(Distortion)
    /// Fewer bits and a lower sample rate.
    case bitCrusher(BitCrusher)
    /// Repeats.
    case delay(Delay)
    /// Short delays that move: a chorus, a flanger or a vibrato.
    case chorus(Chorus)
    /// Width, balance and gain.
    case width(Width)
    /// A processor of the program, by its name.
    case custom(Custom)
  }

  /// The processor and its settings.
  public var kind: Kind

  /// Whether the sound passes unchanged, as late as the processed sound.
  ///
  /// A change crossfades. Default: `false`.
  public var isBypassed = false

  /// The share of the processed sound; the rest is the sound before the insert, as late as the processed sound.
  ///
  /// A compressor with a share of 0.5 is a parallel compressor. Range: 0 to 1. Default: 1.
  public var mix: Float

  /// An insert that is not bypassed.
  public init(_ kind: Kind, mix: Float = 1) {
    (self.kind, self.mix) = (kind, mix)
  }
}

// MARK: - Inserts by their numbers

extension Insert {
  /// An equalizer with bands in a row.
  public static func equalizer(_ bands: [Equalizer.Band]) -> Insert { Insert(.equalizer(Equalizer(bands))) }

  /// A filter that keeps the frequencies above a frequency in hertz, with 12 dB an octave below it.
  public static func highPass(_ frequency: Float) -> Insert { .equalizer([Equalizer.Band(.highPass, frequency)]) }

  /// A filter that keeps the frequencies below a frequency in hertz, with 12 dB an octave above it.
  public static func lowPass(_ frequency: Float) -> Insert { .equalizer([Equalizer.Band(.lowPass, frequency)]) }

  /// A compressor, see ``Compressor``.
  public static func compressor(
    threshold: Decibels = -18,
    ratio: Float = 3,
    attack: Duration = .milliseconds(10),
    release: Duration = .milliseconds(120)
  ) -> Insert {
    Insert(.compressor(Compressor(threshold: threshold, ratio: ratio, attack: attack, release: release)))
  }

  /// A gate, see ``Gate``.
  public static func gate(threshold: Decibels = -50) -> Insert { Insert(.gate(Gate(threshold: threshold))) }

  /// A limiter, see ``Limiter``.
  public static func limiter(ceiling: Decibels = -1, isTruePeak: Bool = true) -> Insert {
    Insert(.limiter(Limiter(ceiling: ceiling, isTruePeak: isTruePeak)))
  }

  /// A leveler to a loudness in LUFS, see ``Leveler``.
  public static func leveler(target: Decibels = -23) -> Insert { Insert(.leveler(Leveler(target: target))) }

  /// A convolution with the impulse response of a file, see ``Convolution``; the mix on a bus without sounds of its own
  /// is 1.
  public static func convolution(_ path: String, level: Decibels = 0, mix: Float = 0.3) -> Insert {
    Insert(.convolution(Convolution(path, level: level)), mix: mix)
  }

  /// A distortion, see ``Distortion``.
  public static func distortion(_ curve: Distortion.Curve = .soft, drive: Decibels = 12, mix: Float = 1) -> Insert {
    Insert(.distortion(Distortion(curve, drive: drive)), mix: mix)
  }

  /// A bit crusher, see ``BitCrusher``.
  public static func bitCrusher(bits: Float = 8, sampleRate: Float = 11_025) -> Insert {
    Insert(.bitCrusher(BitCrusher(bits: bits, sampleRate: sampleRate)))
  }

  /// A delay, see ``Delay``; the mix of an echo on a bus without sounds of its own is 1.
  public static func delay(
    _ time: Duration = .milliseconds(375),
    feedback: Float = 0.35,
    mix: Float = 0.3
  ) -> Insert {
    Insert(.delay(Delay(time, feedback: feedback)), mix: mix)
  }

  /// A chorus, see ``Chorus``; the mix of a vibrato is 1.
  public static func chorus(_ chorus: Chorus = Chorus(), mix: Float = 0.5) -> Insert {
    Insert(.chorus(chorus), mix: mix)
  }

  /// The width of a stereo sound, from 0 for mono to 2, see ``Width``.
  public static func width(_ width: Float) -> Insert { Insert(.width(Width(width))) }
}
