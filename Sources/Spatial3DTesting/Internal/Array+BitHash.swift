extension [Float] {
  /// The FNV-1a hash of the bits of all elements, in hexadecimal digits.
  var bitHash: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for value in self {
      var bits = value.bitPattern
      for _ in 0..<4 {
        hash = (hash ^ UInt64(bits & 0xff)) &* 0x100_0000_01b3
        bits >>= 8
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
