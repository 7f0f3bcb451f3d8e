/// A tag in front of MP3 and sometimes FLAC files: an ID3 tag, or an APE tag with a header.
enum LeadingTag {
  /// The size in bytes of the tag at the start of the bytes; `nil` without a tag.
  static func byteCount(_ bytes: [UInt8]) -> Int? {
    id3ByteCount(bytes) ?? apeByteCount(bytes)
  }

  private static func id3ByteCount(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[3] != 0xFF, bytes[4] != 0xFF else { return nil }
    // The size has seven bits a byte, so that it never looks like a frame's sync.
    guard bytes[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    let hasFooter = bytes[5] & 0x10 != 0
    return 10 + size + (hasFooter ? 10 : 0)
  }

  /// The size in the header includes the items and the footer.
  private static func apeByteCount(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 32, bytes.starts(with: "APETAGEX".utf8) else { return nil }
    return 32 + Int(bytes: bytes[12..<16], isBigEndian: false)
  }
}
