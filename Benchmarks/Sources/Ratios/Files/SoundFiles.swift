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

  /// The path of a stereo WAV file of IMA ADPCM, which no writer of the library makes: blocks of random bytes.
  func imaPath(seconds: Int) throws -> String {
    let path = folder + "/ima.wav"
    let (blockSize, framesPerBlock) = (2_048, 2_041)
    let size = (seconds * 48_000 + framesPerBlock - 1) / framesPerBlock * blockSize
    func bytes(_ fields: [(value: Int, byteCount: Int)]) -> [UInt8] {
      fields.flatMap { field in (0..<field.byteCount).map { UInt8(truncatingIfNeeded: field.value >> (8 * $0)) } }
    }
    let format = bytes([
      (0x11, 2), (2, 2), (48_000, 4), (48_000 * blockSize / framesPerBlock, 4), (blockSize, 2), (4, 2), (2, 2),
      (framesPerBlock, 2),
    ])
    let header =
      Array("RIFF".utf8) + bytes([(size + 40, 4)]) + Array("WAVEfmt ".utf8) + bytes([(format.count, 4)]) + format
      + Array("data".utf8) + bytes([(size, 4)])
    var generator = SystemRandomNumberGenerator()
    let data = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try Data(header + data).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The path of a stereo file of up to 20 seconds, or of a multiple of 20; the first call writes the file.
  func path(_ name: String, seconds: Int = 20, codec: AudioCodec? = nil) throws -> String {
    let path = folder + "/" + name
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var generator = SystemRandomNumberGenerator()
    // Tones with some noise, so that the sound is not easy for any codec; 20 seconds of them, repeated.
    let part = min(seconds, 20)
    let samples = (0..<part * 48_000).flatMap { frame -> [Float] in
      let time = Double(frame) / 48_000
      let tone = 0.3 * sin(2 * .pi * (300 + 200 * sin(time)) * time)
      return [Float(tone), Float(tone * 0.5)].map { $0 + Float.random(in: -0.02...0.02, using: &generator) }
    }
    var writer = try AudioFileWriter(creating: path, format: format, codec: codec)
    for _ in 0..<seconds / part { try writer.write(PCMBuffer(samples: samples, format: format)) }
    try writer.close()
    return path
  }
}
