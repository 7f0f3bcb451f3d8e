public import ArgumentParser
import Foundation

/// A file that a program writes, at a path from its user.
public struct OutputFile: Sendable {
  /// The path of the file.
  public let path: String

  /// A file at a path; its folders need not exist yet.
  public init(_ path: String) {
    self.path = path
  }

  /// Whether the file already exists.
  public var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Creates the missing folders of the path, and checks before any work is done that the file can be written.
  ///
  /// An existing file stays as it is.
  public func prepare() throws(OutputError) {
    let file = URL(filePath: path)
    let folder = file.deletingLastPathComponent()
    try attempt("make the folder \(folder.path)") {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try attempt("write \(path)") {
      if exists {
        try FileHandle(forWritingTo: file).close()
      } else {
        try Data().write(to: file, options: .withoutOverwriting)
        try FileManager.default.removeItem(at: file)
      }
    }
  }

  /// Replaces the contents of the file with a text, completely or not at all.
  public func write(_ text: String) throws(OutputError) {
    try attempt("write \(path)") { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }
  }

  /// Runs a step, and converts its error to an ``OutputError`` with the reason of the system.
  private func attempt(_ task: String, _ step: () throws -> Void) throws(OutputError) {
    do {
      try step()
    } catch {
      let reason = Self.reason(of: error)
      throw OutputError(message: "Could not \(task.withoutControlCharacters): \(reason). Name another place.")
    }
  }

  /// The reason of the system, such as "Is a directory": Foundation's own sentences often contain only a number.
  static func reason(of error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    guard let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    // Copied at once: the text of `strerror` ends with 0, and is valid until this thread calls it again.
    return unsafe String(cString: strerror(Int32(cause.code)))
  }
}

extension OutputFile: ExpressibleByArgument, CustomStringConvertible {
  /// A file at a path from a command line; `nil` for an empty path.
  public init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(argument)
  }

  /// The path without control characters.
  public var description: String { path.withoutControlCharacters }
}

/// The reason that a file could not be written.
public struct OutputError: Error, CustomStringConvertible {
  /// The reason in a sentence.
  public let message: String

  /// The error's ``message``.
  public var description: String { message }
}
