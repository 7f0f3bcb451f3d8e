import FileDecode
import Foundation

/// The same sound in a file of each kind, in a temporary folder that the deinitializer deletes.
final class SoundFiles {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "Ratios-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The path of a stereo file of some seconds; the first call writes the file.
  func path(_ name: String, seconds: Int = 20, codec: AudioCodec? = nil) throws -> String {
    let path = folder + "/" + name
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var generator = SystemRandomNumberGenerator()
    // Tones with some noise, so that the sound is not easy for any codec.
    let samples = (0..<seconds * 48_000).flatMap { frame -> [Float] in
      let time = Double(frame) / 48_000
      let tone = 0.3 * sin(2 * .pi * (300 + 200 * sin(time)) * time)
      return [Float(tone), Float(tone * 0.5)].map { $0 + Float.random(in: -0.02...0.02, using: &generator) }
    }
    var writer = try AudioFileWriter(creating: path, format: format, codec: codec)
    try writer.write(PCMBuffer(samples: samples, format: format))
    try writer.close()
    return path
  }
}
