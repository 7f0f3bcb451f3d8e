/// A page of an Ogg file.
struct OggPage {
  /// The bytes of the page.
  var bytes: [UInt8]

  /// The number of bytes in a header without the lengths of the segments.
  private static let headerSize = 27

  /// The number of bytes at the end of a file that always include the whole last page.
  static let maximumSize = headerSize + 255 + 255 * 255

  /// The page at the start of bytes; `nil` if they do not hold a whole page.
  init?(_ bytes: some Collection<UInt8>) {
    guard let size = OggPage.byteCount(bytes), size <= bytes.count else { return nil }
    self.bytes = Array(bytes.prefix(size))
  }

  /// The page at an offset of a file, read through a window; `nil` if the file has no whole page there.
  init?<Failure>(
    at offset: Int,
    _ window: inout ReadingWindow,
    _ read: ByteReading<Failure>
  ) throws(Failure) {
    guard let size = OggPage.byteCount(try window.bytes(at: offset, count: OggPage.headerSize + 255, read)) else {
      return nil
    }
    self.init(try window.bytes(at: offset, count: size, read))
  }

  /// The number of bytes of the page at the start of bytes; `nil` if they do not hold a whole header.
  private static func byteCount(_ bytes: some Collection<UInt8>) -> Int? {
    guard bytes.starts(with: "OggS".utf8), let count = bytes.dropFirst(headerSize - 1).first else { return nil }
    let lengths = bytes.dropFirst(headerSize).prefix(Int(count))
    return lengths.count == count ? headerSize + lengths.count + lengths.reduce(0) { $0 + Int($1) } : nil
  }
}

extension OggPage {
  var byteCount: Int { bytes.count }

  /// The position of the sound at the end of the page; -1 if no packet ends on the page.
  var granule: Int { Int(bytes: bytes[6..<14], isBigEndian: false) }

  /// The number of the stream of the page.
  var serial: ArraySlice<UInt8> { bytes[14..<18] }

  /// Whether the page is the last of its stream.
  var endsStream: Bool { bytes[5] & 4 != 0 }

  /// The contents of the segments, in their order: a packet ends with a segment of fewer than 255 bytes.
  var segments: [ArraySlice<UInt8>] {
    let lengths = bytes[OggPage.headerSize...].prefix(Int(bytes[OggPage.headerSize - 1]))
    var rest = bytes[lengths.endIndex...]
    return lengths.map { length in
      defer { rest = rest.dropFirst(Int(length)) }
      return rest.prefix(Int(length))
    }
  }

  /// Whether a file ends with a complete page that marks the end of its stream.
  static func endsStream<Failure>(inFileOf size: Int, reading bytes: ByteReading<Failure>) throws(Failure) -> Bool {
    endsStream(try bytes(max(size - maximumSize, 0), maximumSize))
  }

  /// Whether the last bytes of a file hold a complete page that marks the end of its stream.
  static func endsStream(_ tail: [UInt8]) -> Bool {
    var start = tail.count - headerSize
    while start >= 0 {
      if tail[start] == UInt8(ascii: "O"), tail[start...].starts(with: "OggS".utf8) {
        return OggPage(tail[start...])?.endsStream ?? false
      }
      start -= 1
    }
    return false
  }
}
