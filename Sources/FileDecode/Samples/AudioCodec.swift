/// The codec or sample type of a file; later versions may add more.
public struct AudioCodec: Hashable, Sendable, CustomStringConvertible {
  /// Every codec, with its name.
  enum Kind: String, CaseIterable {
    case int8 = "8-bit integer"
    case int16 = "16-bit integer"
    case int24 = "24-bit integer"
    case int32 = "32-bit integer"
    case float32 = "32-bit float"
    case float64 = "64-bit float"
    case aLaw = "A-law"
    case muLaw = "mu-law"
    case imaADPCM = "IMA ADPCM"
    case msADPCM = "MS ADPCM"
    case alac = "Apple Lossless"
    case flac = "FLAC"
    case vorbis = "Vorbis"
    case opus = "Opus"
    case mp1 = "MP1"
    case mp2 = "MP2"
    case mp3 = "MP3"
    case aac = "AAC"
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// The codec's name, such as `"Vorbis"` or `"16-bit integer"`.
  public var name: String { kind.rawValue }

  /// The codec's ``name``.
  public var description: String { name }
}

extension AudioCodec {
  /// 8-bit integers.
  public static let int8 = AudioCodec(.int8)

  /// 16-bit integers: the usual choice for a game's assets.
  public static let int16 = AudioCodec(.int16)

  /// 24-bit integers, for material in production.
  public static let int24 = AudioCodec(.int24)

  /// 32-bit integers.
  public static let int32 = AudioCodec(.int32)

  /// 32-bit floating point, which keeps every sample unchanged, also beyond full scale.
  public static let float32 = AudioCodec(.float32)

  /// 64-bit floating point.
  public static let float64 = AudioCodec(.float64)

  /// G.711 A-law.
  public static let aLaw = AudioCodec(.aLaw)

  /// G.711 mu-law.
  public static let muLaw = AudioCodec(.muLaw)

  /// IMA ADPCM, in WAV, AIFC and CAF.
  public static let imaADPCM = AudioCodec(.imaADPCM)

  /// Microsoft's ADPCM.
  public static let msADPCM = AudioCodec(.msADPCM)

  /// Apple Lossless; the writer uses 16 bits, because libsndfile 1.2.0 damages 24-bit stereo that does not compress.
  public static let alac = AudioCodec(.alac)

  /// FLAC; the writer uses 16 bits, unless it is asked for ``int24``.
  public static let flac = AudioCodec(.flac)

  /// Vorbis; the writer uses libsndfile's usual quality.
  public static let vorbis = AudioCodec(.vorbis)

  /// Opus; the writer uses libsndfile's usual quality.
  public static let opus = AudioCodec(.opus)

  /// MPEG audio of layer I.
  public static let mp1 = AudioCodec(.mp1)

  /// MPEG audio of layer II.
  public static let mp2 = AudioCodec(.mp2)

  /// MPEG audio of layer III; the writer uses libsndfile's usual quality, and a tag that marks the sound's ends.
  public static let mp3 = AudioCodec(.mp3)

  /// Advanced Audio Coding; it needs the package's trait `LibAVCodec`.
  public static let aac = AudioCodec(.aac)
}
