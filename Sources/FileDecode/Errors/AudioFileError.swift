/// A reason why a sound file could not be opened, read or written.
public struct AudioFileError: Error, Hashable, Sendable {
  /// The kind of failure, for a `switch`.
  public let code: Code

  /// The path of the file, as the program gave it.
  public let path: String

  /// A sentence with the file, the reason and the remedy.
  public let message: String

  /// The report of the system or of libsndfile, for a log; `nil` if the failure came before a call to either.
  public let underlying: String?

  init(_ code: Code, path: String, message: String, underlying: String? = nil) {
    self.code = code
    self.path = path
    self.message = AudioFileError.printable(message)
    self.underlying = underlying
  }
}

extension AudioFileError {
  /// The text without characters that would break its line or control a terminal; a path may contain such characters.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The control characters of ASCII and Latin-1, line and paragraph separators, and controls of text direction.
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension AudioFileError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
