/// The encoding of the samples in a file that a program writes.
public struct AudioEncoding: Hashable, Sendable {
  enum Storage: Hashable { case integer(bits: Int), float, compressed }

  /// The encoding's name in a sentence, such as `"16-bit integer"`.
  public let name: String

  let storage: Storage

  /// 16-bit integers: the usual choice for a game's assets.
  public static let int16 = AudioEncoding(name: "16-bit integer", storage: .integer(bits: 16))

  /// 24-bit integers, for material in production.
  public static let int24 = AudioEncoding(name: "24-bit integer", storage: .integer(bits: 24))

  /// 32-bit integers.
  public static let int32 = AudioEncoding(name: "32-bit integer", storage: .integer(bits: 32))

  /// 32-bit floating point, which keeps every sample unchanged, also beyond full scale.
  public static let float32 = AudioEncoding(name: "32-bit float", storage: .float)

  /// Apple Lossless of 16 bits, in CAF.
  public static let alac = AudioEncoding(name: "Apple Lossless", storage: .integer(bits: 16))

  /// Opus, at libsndfile's usual quality: at 8, 12, 16, 24 and 48 kHz.
  public static let opus = AudioEncoding(name: "Opus", storage: .compressed)

  /// MP3, at libsndfile's usual quality, with an encoder's tag that marks the start and the end of the sound.
  public static let mp3 = AudioEncoding(name: "MP3", storage: .compressed)

  /// Vorbis, at libsndfile's usual quality.
  public static let vorbis = AudioEncoding(name: "Vorbis", storage: .compressed)
}

extension AudioEncoding: CustomStringConvertible {
  /// The encoding's ``name``.
  public var description: String { name }
}
