import FileDecode
import Foundation

/// The files that Scripts/make-fixtures made: the same 2,205 frames at 44.1 kHz in formats that are only read.
enum FixtureFiles {
  static let names = [
    "alaw.wav", "mulaw.wav", "ima.wav", "ms.wav", "ima4.aifc", "ima4.caf", "alac.caf", "alac.m4a", "tagged.mp3",
    "untagged.mp3", "untagged-vbr.mp3", "mpeg2.mp3", "layer2.mp2", "vorbis.ogg", "opus.opus", "streamed.flac",
    "surround.ogg", "surround.caf", "surround.m4a", "aac-itunes.m4a", "aac-edit.m4a", "aac-ffmpeg.m4a", "aac.caf",
    "aac.aac",
  ]

  /// The names of the files that this build decodes.
  static var decodable: [String] {
    #if LibAVCodec
      names
    #else
      names.filter { !$0.contains("aac") }
    #endif
  }

  static func path(_ name: String) -> String {
    Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name)").path
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  static func original() throws -> [Float] {
    try AudioFile(opening: path("original.wav")).readAll().samples
  }
}

/// The delay of a decoded signal behind the original, in frames: the shift with the highest correlation.
func lag(of decoded: [Float], behind original: [Float], within range: Range<Int>) -> Int {
  func correlation(_ shift: Int) -> Float {
    var sum: Float = 0
    for index in max(0, -shift)..<original.count where index + shift < decoded.count {
      sum += original[index] * decoded[index + shift]
    }
    return sum
  }
  return range.max { correlation($0) < correlation($1) } ?? 0
}

/// The ratio of the original's power to the error's, in decibels: a large one is a close match.
func signalToNoise(_ decoded: ArraySlice<Float>, _ original: ArraySlice<Float>) -> Double {
  let power = original.reduce(0.0) { $0 + Double($1) * Double($1) }
  let error = zip(decoded, original).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
  return 10 * log10(power / max(error, 1e-12))
}
