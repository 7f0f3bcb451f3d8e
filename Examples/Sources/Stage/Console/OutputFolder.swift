import Foundation

/// Makes the folder that a file is about to be written to, where it is missing.
///
/// - Throws: ``OutputError`` if it cannot be made.
public func makeFolder(ofFile path: String) throws(OutputError) {
  let folder = URL(filePath: path).deletingLastPathComponent()
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  } catch {
    throw OutputError(message: "Could not make the folder \(folder.path) for \(path): \(error.localizedDescription)")
  }
}

/// Writes a text to a file, and makes its folder where that is missing.
///
/// - Throws: ``OutputError`` if the file cannot be written.
public func write(_ text: String, toFile path: String) throws(OutputError) {
  try makeFolder(ofFile: path)
  do {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  } catch {
    throw OutputError(message: "Could not write \(path): \(error.localizedDescription)")
  }
}

/// Why a file could not be written.
public struct OutputError: Error, CustomStringConvertible {
  /// The reason in a sentence.
  public let message: String

  /// The error's ``message``.
  public var description: String { message }
}
