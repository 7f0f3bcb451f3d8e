internal import SoundFileLoops
import FileDecode

/// The time of `AudioFile`, against a C program with libsndfile alone.
enum Decoding {
  static func comparisons() throws -> [Comparison] {
    let files = try SoundFiles()
    #if LibAVCodec
      let vorbisLimit: Limit = 0.6
    #else
      let vorbisLimit: Limit = 1.05
    #endif
    // Compressed files take longer to decode, and are shorter, so that a turn takes a few milliseconds or some more.
    let kinds: [(name: String, what: String, limit: Limit, seconds: Int)] = [
      ("a.wav", "WAV", 0.9, 20),
      ("a.aiff", "AIFF", 0.9, 20),
      ("a.caf", "CAF", 0.9, 20),
      ("float.wav", "WAV of floats", 1.35, 20),
      ("float.aiff", "AIFF of floats", 0.75, 20),
      ("float.caf", "CAF of floats", 0.75, 20),
      ("ima.wav", "IMA ADPCM", 0.4, 5),
      ("alac.caf", "CAF with Apple Lossless", 1.05, 5),
      ("a.flac", "FLAC", 1.05, 5),
      ("a.ogg", "Vorbis", vorbisLimit, 5),
      ("a.opus", "Opus", 1.05, 5),
      ("a.mp3", "MP3", 1.05, 5),
    ]
    let floats = try kinds.map { kind in
      let codecs: [Substring: AudioCodec] = ["alac": .alac, "float": .float32]
      let codec = kind.name.split(separator: ".").first.flatMap { codecs[$0] }
      let path =
        try kind.name == "ima.wav"
        ? files.imaPath(seconds: kind.seconds) : files.path(kind.name, seconds: kind.seconds, codec: codec)
      return compare("\(kind.what), read as floats", atMost: kind.limit, kind.seconds, keeping: files) {
        let file = try AudioFile(opening: path)
        var block = PCMBuffer<Float>(format: file.format)
        var total = 0
        while case let count = try file.read(into: &block), count > 0 { total += count }
        return total
      } to: {
        unsafe Int(sound_file_floats(path, 4_096))
      }
    }
    let wave = try files.path("a.wav")
    let whole = compare("WAV, read whole as 16 bits", atMost: 1.4, 20, keeping: files) {
      try AudioFile(opening: wave).readAll(as: Int16.self).frameCount
    } to: {
      unsafe Int(sound_file_shorts(wave))
    }
    return floats + [whole]
  }

  /// Compares two closures that return the number of frames they read; both have to read the same, and the whole file.
  private static func compare(
    _ what: String,
    atMost limit: Limit,
    _ seconds: Int,
    keeping files: SoundFiles,
    _ body: @escaping () throws -> Int,
    to reference: @escaping () -> Int
  ) -> Comparison {
    Comparison(what, atMost: limit) { effort in
      try withExtendedLifetime(files) {
        try ReadFrames.check(what, try body(), reference(), ofAtLeast: seconds * 48_000)
        return try Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 12) {
          _ = try body()
        } to: {
          _ = reference()
        }
      }
    }
  }
}
