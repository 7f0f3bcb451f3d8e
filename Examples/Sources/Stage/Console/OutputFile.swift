public import ArgumentParser
import Foundation

/// A file that a program writes, at a path that its user named.
public struct OutputFile: Sendable {
  /// Where it is.
  public let path: String

  /// A file at a path, which may lead through folders that are missing yet.
  public init(_ path: String) {
    self.path = path
  }

  /// Whether it is there already.
  public var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Makes the folders that are missing on the way, and sees that the file can be written, before any work is done for it.
  ///
  /// A file that is there stays as it is.
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

  /// Writes a text, in place of what the file held.
  public func write(_ text: String) throws(OutputError) {
    try attempt("write \(path)") { try Data(text.utf8).write(to: URL(filePath: path)) }
  }

  /// Runs a step, and says what the system has against it where it fails.
  private func attempt(_ task: String, _ step: () throws -> Void) throws(OutputError) {
    do {
      try step()
    } catch {
      let reason = Self.reason(of: error)
      throw OutputError(message: "Could not \(task.withoutControlCharacters): \(reason). Name another place.")
    }
  }

  /// What the system said, such as "Is a directory": Foundation's own sentences often name but a number.
  private static func reason(of error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    guard let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    // Copied at once: strerror's text ends with 0, and stays until this thread asks for another.
    return unsafe String(cString: strerror(Int32(cause.code)))
  }
}

extension OutputFile: ExpressibleByArgument, CustomStringConvertible {
  /// A file whose path stands on a command line; none where that is empty.
  public init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(argument)
  }

  /// The path, fit to be printed.
  public var description: String { path.withoutControlCharacters }
}

/// Why a file could not be written.
public struct OutputError: Error, CustomStringConvertible {
  /// The reason in a sentence.
  public let message: String

  /// The error's ``message``.
  public var description: String { message }
}
