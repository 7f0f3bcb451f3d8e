/// How samples are stored in a file that is written.
public struct AudioEncoding: Hashable, Sendable {
  enum Storage: Hashable { case integer(bits: Int), float, vorbis }

  /// What the encoding is called in a sentence, such as `"16-bit integer"`.
  public let name: String

  let storage: Storage

  /// 16-bit integers: the usual choice for a game's assets.
  public static let int16 = AudioEncoding(name: "16-bit integer", storage: .integer(bits: 16))

  /// 24-bit integers, for material that is still worked on.
  public static let int24 = AudioEncoding(name: "24-bit integer", storage: .integer(bits: 24))

  /// 32-bit integers.
  public static let int32 = AudioEncoding(name: "32-bit integer", storage: .integer(bits: 32))

  /// 32-bit floating point, which keeps every sample as it is, beyond full scale too.
  public static let float32 = AudioEncoding(name: "32-bit float", storage: .float)

  /// Vorbis, at libsndfile's usual quality.
  public static let vorbis = AudioEncoding(name: "Vorbis", storage: .vorbis)
}

extension AudioEncoding: CustomStringConvertible {
  /// The encoding's ``name``.
  public var description: String { name }
}
