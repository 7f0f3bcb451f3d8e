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
    self.message = message
    self.underlying = underlying
  }
}

extension AudioFileError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
