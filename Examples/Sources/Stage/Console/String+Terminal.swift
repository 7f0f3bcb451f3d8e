extension String {
  /// The text with U+FFFD in place of what moves a terminal's cursor or turns its text around instead of being shown.
  ///
  /// A file may be called anything, and a program prints names of files.
  public var withoutControlCharacters: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.steersTerminal ? "\u{FFFD}" : $0 }))
  }
}

extension Unicode.Scalar {
  /// Whether the character is a control character, a line break, or a mark of the direction of text.
  fileprivate var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
