/// The bytes that every frame of a bare AAC stream starts with.
enum ADTSFrameHeader {
  /// Whether bytes start with a frame that a frame of the same stream follows.
  static func startsStream(_ bytes: [UInt8]) -> Bool {
    guard isHeader(bytes[...]) else { return false }
    let byteCount = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    let next = bytes.dropFirst(byteCount)
    // The second and third bytes hold the version, the profile and the rate.
    return byteCount >= 7 && isHeader(next) && next.prefix(3).elementsEqual(bytes.prefix(3))
  }

  /// Twelve bits of sync, then a layer of 0, which MPEG audio does not have.
  private static func isHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count >= 7 && bytes[bytes.startIndex] == 0xFF && bytes[bytes.startIndex + 1] & 0xF6 == 0xF0
  }
}
