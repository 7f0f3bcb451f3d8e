extension OggPage {
  /// Makes a page the last of its stream, at a position.
  static func end(_ page: inout [UInt8], atGranule granule: Int) {
    guard page.count >= 27 else { return }
    page[5] |= 4
    for index in 0..<8 { page[6 + index] = UInt8(truncatingIfNeeded: granule >> (8 * index)) }
    sign(&page)
  }

  /// Gives a page its number in the stream.
  static func number(_ page: inout [UInt8], _ number: Int) {
    guard page.count >= 27 else { return }
    for index in 0..<4 { page[18 + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    sign(&page)
  }

  /// Computes the checksum of a changed page.
  static func sign(_ page: inout [UInt8]) {
    for index in 22..<26 { page[index] = 0 }
    let sum = checksum(page)
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
  }

  /// The checksum of a page whose checksum field is zero.
  static func checksum(_ page: [UInt8]) -> UInt32 {
    page.reduce(0) { sum, byte in sum << 8 ^ remainders[Int(sum >> 24) ^ Int(byte)] }
  }

  /// The remainder of each byte in a division by the polynomial of Ogg.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
  }

  /// The length and the position of the page at the start of bytes; `nil` if they do not hold a whole page.
  static func header(_ bytes: [UInt8]) -> (byteCount: Int, granule: Int)? {
    guard bytes.count >= 27, bytes.starts(with: "OggS".utf8), bytes.count >= 27 + Int(bytes[26]) else { return nil }
    let segments = bytes[27..<27 + Int(bytes[26])]
    let size = 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
    return size <= bytes.count ? (size, Int(bytes: bytes[6..<14], isBigEndian: false)) : nil
  }
}
