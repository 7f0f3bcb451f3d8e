extension OggPage {
  /// Makes a page the last of its stream, at a position.
  static func end(_ page: inout [UInt8], atGranule granule: Int) {
    guard page.count >= 27 else { return }
    page[5] |= 4
    page.replaceSubrange(6..<14, with: littleEndian(granule, 8))
    sign(&page)
  }

  /// Gives a page its number in the stream.
  static func number(_ page: inout [UInt8], _ number: Int) {
    guard page.count >= 27 else { return }
    page.replaceSubrange(18..<22, with: littleEndian(number, 4))
    sign(&page)
  }

  /// Computes the checksum of a changed page.
  static func sign(_ page: inout [UInt8]) {
    page.replaceSubrange(22..<26, with: littleEndian(0, 4))
    page.replaceSubrange(22..<26, with: littleEndian(Int(checksum(page)), 4))
  }

  /// The checksum of a page whose checksum field is zero.
  static func checksum(_ page: [UInt8]) -> UInt32 {
    page.reduce(0) { sum, byte in sum << 8 ^ remainders[Int(sum >> 24) ^ Int(byte)] }
  }

  /// The remainder of each byte in a division by the polynomial of Ogg.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
  }
}
