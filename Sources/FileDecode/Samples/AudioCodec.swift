/// The codec or sample type of a file; later versions may add more.
public struct AudioCodec: Hashable, Sendable, CustomStringConvertible {
  /// The codec's name, such as `"Vorbis"` or `"16-bit integer"`.
  public let name: String

  init(name: String) { self.name = name }

  /// Integers of a number of bits.
  static func integer(bits: Int) -> AudioCodec { AudioCodec(name: "\(bits)-bit integer") }

  /// 16-bit integers.
  public static let int16 = integer(bits: 16)

  /// 24-bit integers.
  public static let int24 = integer(bits: 24)

  /// 32-bit integers.
  public static let int32 = integer(bits: 32)

  /// 8-bit integers.
  public static let int8 = integer(bits: 8)

  /// 32-bit floating point.
  public static let float32 = AudioCodec(name: "32-bit float")

  /// 64-bit floating point.
  public static let float64 = AudioCodec(name: "64-bit float")

  /// G.711 A-law.
  public static let aLaw = AudioCodec(name: "A-law")

  /// G.711 mu-law.
  public static let muLaw = AudioCodec(name: "mu-law")

  /// IMA ADPCM, in WAV, AIFC and CAF.
  public static let imaADPCM = AudioCodec(name: "IMA ADPCM")

  /// Microsoft's ADPCM.
  public static let msADPCM = AudioCodec(name: "MS ADPCM")

  /// Apple Lossless.
  public static let alac = AudioCodec(name: "Apple Lossless")

  /// FLAC.
  public static let flac = AudioCodec(name: "FLAC")

  /// Vorbis.
  public static let vorbis = AudioCodec(name: "Vorbis")

  /// Opus.
  public static let opus = AudioCodec(name: "Opus")

  /// MPEG audio of layer I.
  public static let mp1 = AudioCodec(name: "MP1")

  /// MPEG audio of layer II.
  public static let mp2 = AudioCodec(name: "MP2")

  /// MPEG audio of layer III.
  public static let mp3 = AudioCodec(name: "MP3")

  /// Advanced Audio Coding; it needs the package's trait `AAC`.
  public static let aac = AudioCodec(name: "AAC")

  /// The codec's ``name``.
  public var description: String { name }
}
