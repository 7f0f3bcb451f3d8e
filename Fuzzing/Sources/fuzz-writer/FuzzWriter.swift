import FileDecode
import Foundation
import FuzzSupport

/// Writes files of random formats, lengths and metadata, and reads them back, until the time is up or a file differs.
@main
struct FuzzWriter {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { Double($0) }
    guard let minutes = arguments.first ?? nil else {
      print("usage: fuzz-writer MINUTES [SEED]")
      exit(2)
    }
    var seed = arguments.dropFirst().first?.map { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
    let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-writer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let end = ContinuousClock.now + .seconds(minutes * 60)
    var counts = (written: 0, refused: 0)
    // At least one file, so that 0 minutes repeat a seed.
    repeat {
      var file = WrittenFile(seed: seed, in: folder)
      if let fault = file.fault() {
        print("BROKEN: \(fault)\nrepeat with: 0 \(seed)\nthe file: \(file.path)")
        exit(1)
      }
      if file.isRefused { counts.refused += 1 } else { counts.written += 1 }
      try? FileManager.default.removeItem(atPath: file.path)
      seed += 1
    } while ContinuousClock.now < end
    try? FileManager.default.removeItem(at: folder)
    print("\(counts.written) files equal, \(counts.refused) refused in words")
  }
}

/// A file of random contents.
struct WrittenFile {
  let path: String
  private(set) var isRefused = false
  private var random: SplitMix64
  private let format: PCMFormat
  private let codec: AudioCodec?
  private let samples: PCMBuffer<Float>
  private var tags = AudioTags()
  private var markers: [AudioMarker] = []
  private var loops: [AudioLoop] = []

  private static let endings = ["wav", "aiff", "caf", "flac", "ogg", "au", "w64", "rf64", "mp3", "opus"]
  private static let codecs: [AudioCodec?] = [nil, nil, nil, .int16, .int24, .int32, .float32, .float64, .int8]
  private static let names = ["title", "artist", "album", "comment", "genre", "date", "track", "software", "copyright"]
  private static let numbers: [Int] = [0, 1, -1, 100, 4_000, 1 << 31, 1 << 40, .max, .min]

  init(seed: UInt64, in folder: URL) {
    var random = SplitMix64(mixing: seed)
    let ending = Self.endings[Int.random(in: 0..<Self.endings.count, using: &random)]
    path = folder.appending(path: "\(seed).\(ending)").path(percentEncoded: false)
    let rate = [8_000, 11_025, 22_050, 44_100, 48_000, 48_001, 96_000, 192_000].randomElement(using: &random) ?? 48_000
    let layout = [ChannelLayout.mono, .stereo, .quad, .surround51].randomElement(using: &random) ?? .mono
    format = PCMFormat(sampleRate: rate, layout: layout)
    codec = Self.codecs.randomElement(using: &random) ?? nil
    let frameCount = Int.random(in: 0...3, using: &random) == 0 ? 0 : Int.random(in: 0...9_000, using: &random)
    // Samples of 16 bits are exact in each lossless codec except the codec of 8 bits.
    let samples = (0..<frameCount * format.channelCount).map { _ in
      Float(Int.random(in: -32_768...32_767, using: &random)) / 32_768
    }
    self.samples = (try? PCMBuffer(samples: samples, format: format)) ?? PCMBuffer(format: format)
    self.random = random
    addMetadata(frameCount: frameCount)
  }

  private mutating func addMetadata(frameCount: Int) {
    func text(_ random: inout SplitMix64) -> String {
      let texts = [
        "a title", "", "é日本🎵", "a\u{0}b", "\u{1B}[31mred", "\u{FFFD}", "line\nline", "  spaces ", "\u{202E}x",
      ]
      if Int.random(in: 0...30, using: &random) == 0 { return String(repeating: "x", count: 100_000) }
      return texts.randomElement(using: &random) ?? ""
    }
    func frame(_ random: inout SplitMix64) -> Int {
      let isOdd = Int.random(in: 0...5, using: &random) == 0
      return isOdd
        ? Self.numbers.randomElement(using: &random) ?? 0 : Int.random(in: 0...max(frameCount, 1), using: &random)
    }
    for name in Self.names where Int.random(in: 0...2, using: &random) == 0 { tags[name] = text(&random) }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      markers.append(AudioMarker(frame: frame(&random), name: Bool.random(using: &random) ? text(&random) : nil))
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let bounds = [frame(&random), frame(&random)].sorted()
      let count = Bool.random(using: &random) ? Int.random(in: -1...5, using: &random) : nil
      loops.append(AudioLoop(range: bounds[0]..<bounds[1], playCount: count))
    }
  }

  /// Writes the file and reads it back; returns what differs, in words.
  mutating func fault() -> String? {
    let omissions: [MetadataOmission]
    do throws(AudioFileError) {
      var writer = try AudioFileWriter(creating: path, format: format, codec: codec)
      (writer.tags, writer.markers, writer.loops) = (tags, markers, loops)
      try writer.write(samples)
      try writer.close()
      omissions = writer.omissions
    } catch {
      isRefused = true
      return error.message.isEmpty ? "an error without words" : nil
    }
    do throws(AudioFileError) {
      let file = try AudioFile(opening: path)
      let read = try file.readAll()
      return fault(of: file, read, omissions)
    } catch {
      return "what was written cannot be read: \(error)"
    }
  }

  /// The difference between a file that was read and the written content, in words.
  private func fault(of file: borrowing AudioFile, _ read: PCMBuffer<Float>, _ omissions: [MetadataOmission]) -> String?
  {
    let lossless: [AudioCodec] = [.int16, .int24, .int32, .float32, .float64, .flac, .alac]
    if lossless.contains(file.codec) {
      if read.format.sampleRate != format.sampleRate { return "a rate of \(read.format.sampleRate)" }
      if read.samples != samples.samples { return "samples differ: \(read.frameCount) frames of \(samples.frameCount)" }
    } else if file.codec != .opus, read.frameCount != samples.frameCount {
      return "\(read.frameCount) frames of \(samples.frameCount) in \(file.codec)"
    }
    let omitted = Set(omissions)
    for name in Self.names where !omitted.contains(.tag(name.uppercased())) && !omitted.contains(.tag(name)) {
      guard let written = tags[name], file.tags[name] != written else { continue }
      return "the tag \(name) is \(file.tags[name].debugDescription), not \(written.debugDescription)"
    }
    for marker in markers where !omitted.contains(.marker(marker)) {
      let isThere = file.markers.contains { found in
        found.frame == marker.frame && (found.name == marker.name || omitted.contains(.markerName(marker)))
      }
      if !isThere { return "no \(marker) in \(file.markers)" }
    }
    for loop in loops where !omitted.contains(.loop(loop)) {
      let isThere = file.loops.contains { found in
        found.range == loop.range && (found.playCount == loop.playCount || omitted.contains(.playCount(loop)))
      }
      if !isThere { return "no \(loop) in \(file.loops)" }
    }
    return nil
  }
}
