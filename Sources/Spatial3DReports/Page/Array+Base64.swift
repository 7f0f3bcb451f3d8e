extension [UInt8] {
  /// The bytes in Base64, as in RFC 4648, with padding.
  var base64: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for letter in 0..<4 {
        let isPadding = letter > group.count
        text.append(isPadding ? UInt8(ascii: "=") : letters[Int(bits >> UInt32(18 - 6 * letter) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
