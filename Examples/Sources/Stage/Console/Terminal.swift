import Foundation

/// Standard error, where a program talks to its user while standard output holds its results.
public enum Terminal {
  /// Whether somebody is watching.
  public static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a line.
  public static func note(_ line: String) {
    write(line + "\n")
  }

  /// Writes a text as it is.
  static func write(_ text: String) {
    // Nobody is left to tell that standard error is gone.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
