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

extension BidirectionalCollection<UInt8> {
  /// The number of up to eight bytes at an offset; `nil` beyond the end.
  func number(at offset: Int, byteCount: Int = 4, isBigEndian: Bool = true) -> Int? {
    guard offset >= 0 else { return nil }
    let bytes = dropFirst(offset).prefix(byteCount)
    return bytes.count == byteCount ? Int(bytes: bytes, isBigEndian: isBigEndian) : nil
  }
}

/// The lowest bytes of a number, up to eight, with the highest first.
func bigEndian(_ number: Int, _ byteCount: Int) -> [UInt8] {
  (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// The lowest bytes of a number, up to eight, with the lowest first.
func littleEndian(_ number: Int, _ byteCount: Int) -> [UInt8] {
  (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

extension [UInt8] {
  /// Appends the lowest bytes of a number, up to eight.
  mutating func append(_ number: Int, byteCount: Int, isBigEndian: Bool) {
    self += isBigEndian ? bigEndian(number, byteCount) : littleEndian(number, byteCount)
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
