extension String {
  /// The text with U+FFFD instead of characters that move a terminal's cursor or change the direction of its text.
  ///
  /// Programs print names of files, and those may contain any character.
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
