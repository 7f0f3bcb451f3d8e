internal import SoundFileLoops
import FileDecode
import Foundation

/// How much longer `AudioFile` takes than a C program with libsndfile alone.
enum Decoding {
  static let names = ["a.wav", "a.aiff", "a.caf", "alac.caf", "a.flac", "a.ogg", "a.opus", "a.mp3"]

  /// The ratios of each kind of file, block by block to floats.
  static func rows(rounds: Int = 9) throws -> [Row] {
    let folder = NSTemporaryDirectory() + "Ratios-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var rows: [Row] = []
    for name in names {
      let path = folder + "/" + name
      try write(path, encoding: name == "alac.caf" ? .alac : nil)
      rows.append(
        Row(what: "\(name) to floats, against the C loop", values: try floats(path, rounds: rounds), limit: 1.05)
      )
    }
    let wave = folder + "/a.wav"
    rows.append(Row(what: "a.wav to 16 bits in memory, against one C call", values: try shorts(wave, rounds: rounds)))
    rows.append(
      Row(what: "8 files on all processors, against one by one", values: try parallel(folder, rounds: rounds))
    )
    return rows
  }

  private static func write(_ path: String, encoding: AudioEncoding?) throws {
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var generator = SystemRandomNumberGenerator()
    // A minute of tones with some noise, so that no codec has it easy.
    let samples = (0..<60 * 48_000).flatMap { frame -> [Float] in
      let time = Double(frame) / 48_000
      let tone = 0.3 * sin(2 * .pi * (300 + 200 * sin(time)) * time)
      return [Float(tone), Float(tone * 0.5)].map { $0 + Float.random(in: -0.02...0.02, using: &generator) }
    }
    var writer = try AudioFileWriter(creating: path, format: format, encoding: encoding)
    try writer.write(PCMBuffer(samples: samples, format: format))
    try writer.close()
  }

  private static func floats(_ path: String, rounds: Int) throws -> [Double] {
    let clock = ContinuousClock()
    return try (0..<rounds).map { _ in
      let bare = clock.measure { _ = unsafe sound_file_floats(path, 4_096) }
      let start = clock.now
      let file = try AudioFile(opening: path)
      var block = PCMBuffer<Float>(format: file.format)
      while try file.read(into: &block) > 0 {}
      return (clock.now - start) / bare
    }
  }

  private static func shorts(_ path: String, rounds: Int) throws -> [Double] {
    let clock = ContinuousClock()
    return try (0..<rounds).map { _ in
      let bare = clock.measure { _ = unsafe sound_file_shorts(path) }
      let taken = try clock.measure { _ = try AudioFile(opening: path).readAll(as: Int16.self) }
      return taken / bare
    }
  }

  private static func parallel(_ folder: String, rounds: Int) throws -> [Double] {
    let clock = ContinuousClock()
    let paths = [String](repeating: folder + "/a.ogg", count: 8)
    return try (0..<max(rounds / 3, 1)).map { _ in
      let single = try clock.measure { for path in paths { _ = try AudioFile(opening: path).readAll() } }
      let start = clock.now
      let done = DispatchSemaphore(value: 0)
      Task {
        _ = await AudioFile.readAll(paths)
        done.signal()
      }
      done.wait()
      return single / (clock.now - start)
    }
  }
}
