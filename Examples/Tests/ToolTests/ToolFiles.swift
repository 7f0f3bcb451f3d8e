import FileDecode
import Foundation

/// Creates a folder for one test, with a tone of a second in it.
func withTone(_ body: (_ folder: String, _ tone: String) throws -> Void) throws {
  let folder = NSTemporaryDirectory() + "ToolTests-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let samples = (0..<48_000).map { 0.4 * Float(sin(2 * .pi * 440 * Double($0) / 48_000)) }
  var writer = try AudioFileWriter(creating: folder + "/tone.wav", format: .mono(sampleRate: 48_000))
  try writer.write(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
  try writer.close()
  try body(folder, folder + "/tone.wav")
}

/// Integers of four bytes, little-endian.
func little(_ values: UInt32...) -> Data {
  Data(values.flatMap { value in (0..<4).map { UInt8(value >> (8 * UInt32($0)) & 0xFF) } })
}
