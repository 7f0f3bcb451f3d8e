import Foundation

/// A file that a program writes, at a path that its user named.
public struct OutputFile {
  private let path: String

  /// A file at a path, which may lead through folders that are missing yet.
  public init(_ path: String) {
    self.path = path
  }

  /// Makes the folders that are missing on the way to the file.
  public func makeFolder() throws(OutputError) {
    let folder = URL(filePath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw OutputError(message: "Could not make the folder \(folder.path) for \(path): \(error.localizedDescription)")
    }
  }

  /// Writes a text, in place of what the file held.
  public func write(_ text: String) throws(OutputError) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw OutputError(message: "Could not write \(path): \(error.localizedDescription)")
    }
  }
}

/// Why a file could not be written.
public struct OutputError: Error, CustomStringConvertible {
  /// The reason in a sentence.
  public let message: String

  /// The error's ``message``.
  public var description: String { message }
}
