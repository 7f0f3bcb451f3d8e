import Foundation

/// Standard error, for messages to the user; standard output holds the results of a program.
public enum Terminal {
  /// Whether standard error is a terminal.
  public static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a line.
  public static func note(_ line: String) {
    write(line + "\n")
  }

  /// Writes a text without a line feed.
  static func write(_ text: String) {
    // Ignores the error: a failure of standard error cannot be reported.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
