/// Why a sound file could not be opened, read or written.
public struct AudioFileError: Error, Hashable, Sendable {
  /// What went wrong, to switch over.
  public let code: Code

  /// The file, as its path was given.
  public let path: String

  /// What went wrong in a sentence that names the file, the reason and what to do.
  public let message: String

  /// What the system or libsndfile said, for a log; `nil` where the failure was found before they were asked.
  public let underlying: String?

  init(_ code: Code, path: String, message: String, underlying: String? = nil) {
    self.code = code
    self.path = path
    self.message = AudioFileError.printable(message)
    self.underlying = underlying
  }
}

extension AudioFileError {
  /// A sentence without characters that would break its line or command a terminal, as a path may hold them.
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
    // ASCII's and Latin-1's, the ends of lines and paragraphs, and what turns the direction of text.
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension AudioFileError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
