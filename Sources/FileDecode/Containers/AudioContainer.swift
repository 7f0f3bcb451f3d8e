/// A kind of file, such as WAV; later versions may add more.
public struct AudioContainer: Hashable, Sendable, CustomStringConvertible {
  /// The kind's name, such as `"WAV"`.
  public let name: String

  init(name: String) { self.name = name }

  /// WAV, of either byte order.
  public static let wav = AudioContainer(name: "WAV")

  /// WAV with 64-bit sizes.
  public static let rf64 = AudioContainer(name: "RF64")

  /// Sony Wave64.
  public static let wave64 = AudioContainer(name: "Wave64")

  /// AIFF and AIFC.
  public static let aiff = AudioContainer(name: "AIFF")

  /// Apple's Core Audio Format.
  public static let caf = AudioContainer(name: "CAF")

  /// Native FLAC.
  public static let flac = AudioContainer(name: "FLAC")

  /// Ogg.
  public static let ogg = AudioContainer(name: "Ogg")

  /// A bare stream of MPEG audio, such as an MP3.
  public static let mpegAudio = AudioContainer(name: "MPEG audio")

  /// Sun and NeXT audio.
  public static let au = AudioContainer(name: "AU")

  /// MPEG-4, such as an M4A.
  public static let mpeg4 = AudioContainer(name: "MPEG-4")

  /// A bare stream of AAC.
  public static let adts = AudioContainer(name: "ADTS")

  /// The kind's ``name``.
  public var description: String { name }
}

extension Container {
  /// The kind in the public interface.
  var kind: AudioContainer {
    switch self {
    case .wav: .wav
    case .rf64: .rf64
    case .w64: .wave64
    case .aiff: .aiff
    case .caf: .caf
    case .flac: .flac
    case .ogg: .ogg
    case .mpeg: .mpegAudio
    case .au: .au
    case .mp4: .mpeg4
    case .adts: .adts
    }
  }
}
