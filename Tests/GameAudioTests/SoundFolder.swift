import FileDecode
import Foundation
import PCM

/// A folder with sound files, which is removed with the last reference.
final class SoundFolder: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sounds-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a file.
  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  /// Writes a sound, which replaces an earlier file by a rename, and returns its path.
  @discardableResult
  func write(_ name: String, _ sound: PCMBuffer<Float>) throws -> String {
    let path = path(name)
    var writer = try AudioFileWriter(creating: path, format: sound.format)
    try writer.write(sound)
    try writer.close()
    return path
  }

  /// Writes a sound into the file of an earlier one.
  func overwrite(_ name: String, by sound: PCMBuffer<Float>) throws {
    try write("copy.wav", sound)
    try write(name, bytes: try bytes("copy.wav"))
  }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

  /// Writes bytes without a temporary file.
  func write(_ name: String, bytes: Data) throws { try bytes.write(to: URL(filePath: path(name))) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
}
