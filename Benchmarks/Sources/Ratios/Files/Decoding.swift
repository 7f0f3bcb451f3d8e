internal import SoundFileLoops
import FileDecode

/// How much longer `AudioFile` takes than a C program with libsndfile alone.
enum Decoding {
  static func comparisons() throws -> [Comparison] {
    let files = try SoundFiles()
    // What takes little time has more turns.
    let kinds: [(name: String, what: String, limit: Double, runs: Int)] = [
      ("a.wav", "WAV", 0.9, 12),
      ("a.aiff", "AIFF", 0.9, 12),
      ("a.caf", "CAF", 0.9, 12),
      ("alac.caf", "CAF with Apple Lossless", 1.05, 3),
      ("a.flac", "FLAC", 1.05, 3),
      ("a.ogg", "Vorbis", 1.05, 3),
      ("a.opus", "Opus", 1.05, 3),
      ("a.mp3", "MP3", 1.05, 3),
    ]
    let floats = try kinds.map { kind in
      let path = try files.path(kind.name, encoding: kind.name == "alac.caf" ? .alac : nil)
      return compare("\(kind.what), read as floats", atMost: kind.limit, runs: kind.runs, keeping: files) {
        let file = try AudioFile(opening: path)
        var block = PCMBuffer<Float>(format: file.format)
        while try file.read(into: &block) > 0 {}
      } to: {
        _ = unsafe sound_file_floats(path, 4_096)
      }
    }
    let wave = try files.path("a.wav")
    let whole = compare("WAV, read whole as 16 bits", atMost: 1.4, runs: 12, keeping: files) {
      _ = try AudioFile(opening: wave).readAll(as: Int16.self)
    } to: {
      _ = unsafe sound_file_shorts(wave)
    }
    return floats + [whole]
  }

  private static func compare(
    _ what: String,
    atMost limit: Double,
    runs: Int,
    keeping files: SoundFiles,
    _ body: @escaping () throws -> Void,
    to reference: @escaping () -> Void
  ) -> Comparison {
    Comparison(what, atMost: limit) { effort in
      try withExtendedLifetime(files) {
        try Turns.ratios(rounds: effort(full: 15, brief: 5), runs: runs, of: body, to: reference)
      }
    }
  }
}
