/// The checksum of a page of Ogg.
enum OggChecksum {
  /// The checksum of bytes behind bytes with a checksum.
  static func extended(_ checksum: UInt32 = 0, by bytes: Span<UInt8>) -> UInt32 {
    let remainders = remainders.span
    let words = unsafe bytes.bytes
    var sum = checksum
    var index = 0
    // Sixteen bytes in one step: the remainders of a step do not depend on each other.
    while index + 16 <= bytes.count {
      // Both words are in bounds as the step is. Each index is below the 16 rows of 256 remainders.
      let first = unsafe words.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self).bigEndian
      let second = unsafe words.unsafeLoadUnaligned(fromByteOffset: index + 8, as: UInt64.self).bigEndian
      let high = first ^ UInt64(sum) << 32
      sum = 0
      for row in 0..<8 {
        sum ^= unsafe remainders[unchecked: row << 8 | Int(second >> (8 * UInt64(row)) & 0xFF)]
        sum ^= unsafe remainders[unchecked: (row + 8) << 8 | Int(high >> (8 * UInt64(row)) & 0xFF)]
      }
      index += 16
    }
    while index < bytes.count {
      sum = sum << 8 ^ remainders[Int(sum >> 24) ^ Int(bytes[index])]
      index += 1
    }
    return sum
  }

  /// The remainders of a division by the polynomial of Ogg: of each byte, then of each byte in front of one zero byte,
  /// and so on up to 15 zero bytes.
  private static let remainders: [UInt32] = {
    var rows = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    for index in 256..<16 * 256 {
      let shorter = rows[index - 256]
      rows.append(shorter << 8 ^ rows[Int(shorter >> 24)])
    }
    return rows
  }()
}
