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
  static func checksum(_ page: [UInt8]) -> UInt32 { OggChecksum.extended(by: page.span) }

  /// Whether the checksum of a page is right; a decoder drops a page with another.
  var isIntact: Bool {
    let span = bytes.span
    let front = OggChecksum.extended(by: span.extracting(..<22))
    let zeros = OggChecksum.extended(front, by: [0, 0, 0, 0].span)
    let checksum = OggChecksum.extended(zeros, by: span.extracting(26...))
    return checksum == UInt32(Int(bytes: bytes[22..<26], isBigEndian: false))
  }
}
