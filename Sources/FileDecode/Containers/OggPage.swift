/// A page of an Ogg file.
enum OggPage {
  /// The number of bytes at the end of a file that always include the whole last page.
  static let maximumSize = 27 + 255 + 255 * 255

  /// Whether a file ends with a complete page that marks the end of its stream.
  static func endsStream<Failure>(inFileOf size: Int, reading bytes: ByteReading<Failure>) throws(Failure) -> Bool {
    endsStream(try bytes(max(size - maximumSize, 0), maximumSize))
  }

  /// Whether the last bytes of a file hold a complete page that marks the end of its stream.
  static func endsStream(_ tail: [UInt8]) -> Bool {
    var start = tail.count - 27
    while start >= 0 {
      if tail[start] == UInt8(ascii: "O"), tail[start...].starts(with: "OggS".utf8) {
        let segments = tail[start...].dropFirst(27).prefix(Int(tail[start + 26]))
        let size = 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
        let isComplete = segments.count == Int(tail[start + 26]) && start + size <= tail.count
        return isComplete && tail[start + 5] & 4 != 0
      }
      start -= 1
    }
    return false
  }
}
