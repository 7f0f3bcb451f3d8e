extension Int {
  /// The number in up to eight bytes.
  init(bytes: some BidirectionalCollection<UInt8>, isBigEndian: Bool) {
    let word = isBigEndian ? Int.word(bytes) : Int.word(bytes.reversed())
    self = Int(truncatingIfNeeded: word)
  }

  private static func word(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension [UInt8] {
  /// Appends the lowest bytes of a number, up to eight.
  mutating func append(_ number: Int, byteCount: Int, isBigEndian: Bool) {
    for index in 0..<byteCount {
      append(UInt8(truncatingIfNeeded: number >> (8 * (isBigEndian ? byteCount - 1 - index : index))))
    }
  }
}

extension KeyValuePairs<String, String> {
  /// The name that an identifier stands for.
  func name(of id: String) -> String? { first { $0.key == id }?.value }

  /// The first identifier of a name.
  func id(of name: String) -> String? { first { $0.value == name }?.key }
}

extension String {
  /// The text of bytes in Latin-1, where each is a character.
  init(latin1 bytes: some Collection<UInt8>) {
    self.init()
    for byte in bytes { unicodeScalars.append(Unicode.Scalar(byte)) }
  }
}
