internal import SoundFileLoops
import FileDecode

/// The time to open a file, seek to its middle and read 1,024 frames, against a C program with libsndfile alone.
enum Seeking {
  static func comparisons() throws -> [Comparison] {
    let files = try SoundFiles()
    let kinds: [(name: String, what: String, codec: AudioCodec?, limits: (short: Limit, long: Limit))] = [
      ("a.wav", "WAV", nil, (1.25, 1.25)),
      ("ima.wav", "IMA ADPCM", .imaADPCM, (0.9, 1)),
      ("alac.caf", "Apple Lossless", .alac, (1.25, 1.6)),
      ("a.flac", "FLAC", nil, (1.3, 1.25)),
      ("a.ogg", "Vorbis", nil, (2.15, 3.5)),
      ("a.opus", "Opus", nil, (1.85, 2.45)),
      ("a.mp3", "MP3", nil, (0.75, 0.5)),
    ]
    return try [20, 180].flatMap { seconds in
      try kinds.map { kind in
        let path = try path("\(seconds)-\(kind.name)", kind.codec, seconds, in: files)
        let limit = seconds == 20 ? kind.limits.short : kind.limits.long
        let brief = briefLimit(of: kind.what, isShort: seconds == 20)
        return Comparison("\(kind.what), \(seconds) s: open, seek and read", atMost: limit, brief: brief) { effort in
          try withExtendedLifetime(files) {
            try ReadFrames.check(kind.what, try seek(path), unsafe Int(sound_file_seek(path)), ofAtLeast: 1_024)
            return try Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 12) {
              _ = try seek(path)
            } to: {
              _ = unsafe sound_file_seek(path)
            }
          }
        }
      }
    }
  }

  /// The limit of the short form where the opening is most of the time.
  ///
  /// Two machines with the same counts of instructions gave 1.09 and 1.80 for WAV, 0.52 and 0.60 for MP3 of 20 seconds,
  /// and 0.25 and 0.40 for MP3 of 180 seconds: a system call costs one of them more.
  private static func briefLimit(of what: String, isShort: Bool) -> Limit? {
    switch what {
    case "WAV": 2.3
    case "MP3": isShort ? 1.2 : 1
    default: nil
    }
  }

  /// The path of a file, which libsndfile writes if this library does not write the codec.
  private static func path(
    _ name: String,
    _ codec: AudioCodec?,
    _ seconds: Int,
    in files: SoundFiles
  ) throws -> String {
    guard codec == .imaADPCM else { return try files.path(name, seconds: seconds, codec: codec) }
    let wave = try files.path("\(seconds)-a.wav", seconds: seconds)
    let path = wave + "-" + name
    guard unsafe sound_file_to_ima(wave, path) == 0 else { throw Unwritten(path: path) }
    return path
  }

  private struct Unwritten: Error {
    let path: String
  }

  private static func seek(_ path: String) throws -> Int {
    let file = try AudioFile(opening: path)
    try file.seek(toFrame: (file.frameCount ?? 0) / 2)
    var block = PCMBuffer<Float>(format: file.format)
    return try file.read(into: &block, maxFrames: 1_024)
  }
}
