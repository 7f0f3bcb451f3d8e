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

extension String {
  /// The text of bytes in Latin-1, where each is a character.
  init(latin1 bytes: some Collection<UInt8>) {
    self.init()
    for byte in bytes { unicodeScalars.append(Unicode.Scalar(byte)) }
  }
}
