/// A kind of file, such as WAV; later versions may add more.
public struct AudioContainer: Hashable, Sendable, CustomStringConvertible {
  /// The kind's name, such as `"WAV"`.
  public let name: String

  fileprivate init(name: String) { self.name = name }

  /// WAV, of either byte order.
  public static let wav = Container.wav.kind

  /// WAV with 64-bit sizes.
  public static let rf64 = Container.rf64.kind

  /// Sony Wave64.
  public static let wave64 = Container.w64.kind

  /// AIFF and AIFC.
  public static let aiff = Container.aiff.kind

  /// Apple's Core Audio Format.
  public static let caf = Container.caf.kind

  /// Native FLAC.
  public static let flac = Container.flac.kind

  /// Ogg.
  public static let ogg = Container.ogg.kind

  /// A bare stream of MPEG audio, such as an MP3.
  public static let mpegAudio = Container.mpeg.kind

  /// Sun and NeXT audio.
  public static let au = Container.au.kind

  /// MPEG-4, such as an M4A.
  public static let mpeg4 = Container.mp4.kind

  /// A bare stream of AAC.
  public static let adts = Container.adts.kind

  /// The kind's ``name``.
  public var description: String { name }
}

extension Container {
  /// The kind in the public interface.
  var kind: AudioContainer { AudioContainer(name: rawValue) }
}
