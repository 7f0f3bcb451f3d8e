@_spi(Drawing) extension String {
  /// The number of terminal columns of the text: two for an East Asian character or a picture, one for any other.
  public var columnCount: Int {
    reduce(0) { $0 + ($1.isWide ? 2 : 1) }
  }

  /// The text, shortened to its beginning and its end around an ellipsis if it is wider than a number of columns.
  ///
  /// The end of a name is often more specific than its middle: a number, an extension.
  public func shortened(to limit: Int) -> String {
    guard columnCount > limit else { return self }
    let tail = fitting(reversed(), into: (limit - 1) / 3)
    let head = fitting(Array(self), into: limit - 1 - tail.reduce(0) { $0 + ($1.isWide ? 2 : 1) })
    return String(head) + "…" + String(tail.reversed())
  }

  /// The longest prefix of some characters that fits into a number of columns.
  private func fitting(_ characters: [Character], into limit: Int) -> [Character] {
    var width = 0
    return Array(
      characters.prefix {
        width += $0.isWide ? 2 : 1
        return width <= limit
      }
    )
  }
}

extension Character {
  /// Whether the character takes two columns of a terminal.
  fileprivate var isWide: Bool {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
