import FileDecode
import Foundation
import Stage

/// Advice about files as the assets of a game.
struct LintReport: CustomStringConvertible {
  private(set) var lines: [String] = []
  private(set) var hasFailures = false

  init(of files: [Result<InputFile, InputError>]) {
    var rates: [Int: Int] = [:]
    for file in files {
      let path: String
      switch file {
      case .success(let file): path = file.path
      case .failure(let error):
        hasFailures = true
        lines.append("\(error.path.withoutControlCharacters): error: \(error.message)")
        continue
      }
      let name = path.withoutControlCharacters
      do throws(AudioFileError) {
        let file = try AudioFile(opening: path)
        rates[file.format.sampleRate, default: 0] += 1
        let advice = try LintReport.advice(on: file, path)
        lines += advice.isEmpty ? ["\(name): nothing to advise"] : advice.map { "\(name): \($0)" }
      } catch {
        hasFailures = true
        lines.append("\(name): error: \(error.message)")
      }
    }
    if let common = rates.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), rates.count > 1 {
      let others = rates.values.reduce(0, +) - common.value
      // With OpenAL Soft 1.19.1, a voice at another rate than the output costs 1.7 times a voice at the same rate; with
      // 1.25.2 it costs 2.9 times as much.
      lines.append(
        "all: \(others) of \(others + common.value) files are not at \(common.key) Hz, the most common rate here: each voice"
          + " of theirs costs 1.7 to 2.9 times as much to mix"
      )
    }
  }

  var description: String { lines.joined(separator: "\n") }

  /// The advice about one file.
  private static func advice(on file: borrowing AudioFile, _ path: String) throws(AudioFileError) -> [String] {
    let sound = try file.readAll()
    var advice: [String] = []
    if file.isTruncated { advice.append("it holds less than it should: export it again") }
    guard sound.frameCount > 0 else { return advice + ["it holds no sound"] }
    if sound.format.channelCount > 1 {
      let sides =
        sound.format.channelCount == 2 && sound.channel(0) == sound.channel(1) ? ", and both are the same" : ""
      advice.append(
        "\(sound.format.channelCount) channels: only mono is placed in 3D\(sides)"
      )
    }
    let spectrum = Bandwidth(of: sound)
    if let enough = spectrum.sufficientRate, enough < sound.format.sampleRate {
      advice.append(
        "nothing is above \(Int(spectrum.highest)) Hz: \(enough) Hz are enough, not \(sound.format.sampleRate)"
      )
    }
    let clipped = clippedRuns(sound)
    if clipped > 0 { advice.append("it clips in \(clipped) \(clipped == 1 ? "place" : "places")") }
    for channel in 0..<sound.format.channelCount {
      let samples = sound.channel(channel)
      let mean = samples.reduce(0.0) { $0 + Double($1) } / Double(samples.count)
      if abs(mean) > 0.005 {
        advice.append(String(format: "channel %d is off zero by %.1f %% of full scale", channel + 1, 100 * mean))
      }
    }
    for loop in file.loops where seamStep(sound, loop.range) > 4 {
      advice.append("the loop \(loop.range.lowerBound) to \(loop.range.upperBound) clicks where it ends")
    }
    if let saving = try? size(of: file, sound, path) { advice.append(saving) }
    return advice
  }

  /// The number of runs of three or more samples at full scale in a channel.
  private static func clippedRuns(_ sound: PCMBuffer<Float>) -> Int {
    (0..<sound.format.channelCount).reduce(0) { total, channel in
      var count = 0
      var run = 0
      for sample in sound.channel(channel) {
        run = abs(sample) >= 32_767 / 32_768 ? run + 1 : 0
        if run == 3 { count += 1 }
      }
      return total + count
    }
  }

  /// The step at a loop's seam, relative to the largest step near it.
  private static func seamStep(_ sound: PCMBuffer<Float>, _ range: Range<Int>) -> Float {
    guard range.count > 2, range.upperBound <= sound.frameCount else { return 0 }
    return (0..<sound.format.channelCount).map { channel -> Float in
      let samples = sound.channel(channel)[range]
      let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
      let near = (Array(steps.prefix(200)) + steps.suffix(200)).max() ?? 0
      let seam = abs((samples.first ?? 0) - (samples.last ?? 0))
      return seam < 0.01 ? 0 : seam / max(near, 1e-6)
    }.max() ?? 0
  }

  /// The sizes of an uncompressed file as FLAC and as Vorbis.
  private static func size(of file: borrowing AudioFile, _ sound: PCMBuffer<Float>, _ path: String) throws -> String? {
    let isPlain = [AudioCodec.int8, .int16, .int24, .int32, .float32, .float64].contains(file.codec)
    guard isPlain, sound.duration > .milliseconds(500) else { return nil }
    let folder = NSTemporaryDirectory() + "audioinfo-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func bytes(_ path: String) throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
    func written(_ name: String) throws -> Int {
      var writer = try AudioFileWriter(creating: folder + "/" + name, format: sound.format)
      try writer.write(sound)
      try writer.close()
      return try bytes(folder + "/" + name)
    }
    let now = try bytes(path)
    let (flac, vorbis) = (try written("a.flac"), try written("a.ogg"))
    guard flac < now * 9 / 10 || vorbis < now * 9 / 10 else { return nil }
    return "\(now / 1_024) KB: \(flac / 1_024) KB as FLAC, \(vorbis / 1_024) KB as Vorbis"
  }
}
