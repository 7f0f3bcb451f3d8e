import FileDecode
import Foundation
import Stage

/// The description of a file with the keys of the JSON output; unknown values are `nil`.
struct FileDescription: Encodable {
  let file: String
  var container: String?
  var codec: String?
  var sampleRate: Int?
  var channels: Int?
  var validFrames: Int?
  var primingFrames: Int?
  var remainderFrames: Int?
  var totalFrames: Int?
  var packets: Int?
  var framesPerPacket: Int?
  var trimSource: String?
  /// Empty for a file without loops; `nil` if they are unknown.
  var loops: [Loop]?
  var truncated: Bool?
  var error: String?

  struct Loop: Encodable {
    /// The first frame of the loop, and the frame after its last.
    let start, end: Int
  }

  init(_ path: String) {
    file = path
    do throws(AudioFileError) {
      let file = try AudioFile(opening: path)
      container = file.container.name
      codec = file.codec.name
      sampleRate = file.format.sampleRate
      channels = file.format.channelCount
      // Some damage is found only by reading the file; a codec that this build lacks is described without that.
      truncated = try FileDescription.readsToEnd(file)
      let table = file.packetTable
      validFrames = table.validFrames
      primingFrames = table.primingFrames
      remainderFrames = table.remainderFrames
      totalFrames = table.totalFrames
      packets = table.packetCount
      framesPerPacket = table.framesPerPacket
      trimSource = table.source.name
      loops = file.loops.map { Loop(start: $0.range.lowerBound, end: $0.range.upperBound) }
    } catch {
      self.error = error.message
    }
  }

  /// Reads a file to its end and returns whether it has fewer frames than it should.
  private static func readsToEnd(_ file: borrowing AudioFile) throws(AudioFileError) -> Bool {
    var block = PCMBuffer<Float>(format: file.format)
    do throws(AudioFileError) {
      while try file.read(into: &block) > 0 {}
    } catch {
      guard error.code == .traitNeeded else { throw error }
    }
    return file.isTruncated
  }

  /// The descriptions as an array of objects with the same keys; unknown values are null.
  static func json(_ descriptions: [FileDescription]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(descriptions), as: UTF8.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(self.container, forKey: .container)
    try container.encode(codec, forKey: .codec)
    try container.encode(sampleRate, forKey: .sampleRate)
    try container.encode(channels, forKey: .channels)
    try container.encode(validFrames, forKey: .validFrames)
    try container.encode(primingFrames, forKey: .primingFrames)
    try container.encode(remainderFrames, forKey: .remainderFrames)
    try container.encode(totalFrames, forKey: .totalFrames)
    try container.encode(packets, forKey: .packets)
    try container.encode(framesPerPacket, forKey: .framesPerPacket)
    try container.encode(trimSource, forKey: .trimSource)
    try container.encode(loops, forKey: .loops)
    try container.encode(truncated, forKey: .truncated)
    try container.encode(error, forKey: .error)
  }

  private enum CodingKeys: String, CodingKey {
    case file, container, codec, sampleRate, channels, validFrames, primingFrames, remainderFrames, totalFrames, packets
    case framesPerPacket, trimSource, loops, truncated, error
  }
}

extension FileDescription: CustomStringConvertible {
  var description: String {
    let name = file.withoutControlCharacters
    if let error { return "\(name)\n  error: \(error)" }
    func text(_ number: Int?) -> String { number.map(String.init) ?? "unknown" }
    let rate = sampleRate ?? 0
    let seconds = validFrames.map { String(format: "%.3f s", Double($0) / Double(max(rate, 1))) } ?? "unknown length"
    var lines = [
      name,
      "  \(container ?? ""), \(codec ?? ""), \(rate) Hz, \(text(channels)) \(channels == 1 ? "channel" : "channels"), \(seconds)",
      "  packets: \(text(packets)) of \(framesPerPacket.map { $0 == 1 ? "1 frame" : "\($0) frames" } ?? "differing lengths")",
      "  frames: \(text(primingFrames)) priming + \(text(validFrames)) valid + \(text(remainderFrames)) remainder"
        + " = \(text(totalFrames)) total (from: \(trimSource ?? "none"))",
    ]
    lines += (loops ?? []).map { "  loop: \($0.start) to \($0.end)" }
    if truncated == true { lines.append("  truncated: it holds less than it should") }
    return lines.joined(separator: "\n")
  }
}
