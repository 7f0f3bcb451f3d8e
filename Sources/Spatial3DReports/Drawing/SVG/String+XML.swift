extension String {
  /// The text with the special characters of XML and HTML written as entities.
  ///
  /// Characters that XML 1.0 does not allow, such as control characters, become U+FFFD.
  var escapedForXML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case _ where scalar.isAllowedInXML: text.unicodeScalars.append(scalar)
      default: text += "\u{FFFD}"
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 allows the character.
  fileprivate var isAllowedInXML: Bool {
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
