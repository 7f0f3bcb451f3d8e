import Foundation
import Stage

extension FileDescription: CustomStringConvertible {
  /// The file's name, and a line for each kind of value below it.
  var description: String {
    let name = file.withoutControlCharacters
    if let error { return "\(name)\n  error: \(error.withoutControlCharacters)" }
    let lines = [
      ("format", format), ("length", length), ("size", sizeInWords), ("level", level), ("packets", packetsInWords),
      ("frames", frames),
    ]
    let details =
      (loops ?? []).map { ("loop", $0.words) } + (markers ?? []).map { ("marker", $0.words) }
      + (tags ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      + (truncated == true ? [("truncated", "the file holds less than it should")] : [])
    return ([name] + (lines + details).map { "  \($0): \($1)".withoutControlCharacters }).joined(separator: "\n")
  }

  private var format: String {
    // A FLAC file holds FLAC.
    let kinds = [container, codec == container ? nil : codec].compactMap(\.self)
    let depth = bitDepth.flatMap { codec?.hasPrefix("\($0)-bit") == true ? nil : "\($0) bits" }
    let rate = sampleRate.map { "\($0) Hz" }
    return (kinds + [depth, rate, layout].compactMap(\.self)).joined(separator: ", ")
  }

  private var length: String {
    guard let duration, let validFrames else { return "unknown" }
    return "\(FileDescription.time(duration)), \(validFrames) \(validFrames == 1 ? "frame" : "frames")"
  }

  private var sizeInWords: String {
    guard let size else { return "unknown" }
    let rate = bitRate.map { ", \(FileDescription.kilobits($0)) kbit/s on average" } ?? ""
    return "\(FileDescription.bytes(size))\(rate)"
  }

  private var level: String {
    let peak = peak.map { "peak \(FileDescription.decimal($0)) dBFS" }
    let loudness = loudness.map { "loudness \(FileDescription.decimal($0)) LUFS" }
    let known = [peak, loudness].compactMap(\.self)
    return known.isEmpty ? "silent, or not decoded" : known.joined(separator: ", ")
  }

  private var packetsInWords: String {
    switch (packets, framesPerPacket) {
    case (let packets?, 1?): "\(packets), of 1 frame each"
    case (let packets?, let frames?): "\(packets), of \(frames) frames each"
    case (let packets?, nil): "\(packets), not all of the same length"
    case (nil, let frames?): "of \(frames) frames each, not counted in the file"
    case (nil, nil): "not counted in the file"
    }
  }

  private var frames: String {
    func text(_ number: Int?) -> String { number.map(String.init) ?? "unknown" }
    return "\(text(primingFrames)) priming + \(text(validFrames)) valid + \(text(remainderFrames)) remainder"
      + " = \(text(totalFrames)) total (from: \(trimSource ?? "none"))"
  }
}

extension FileDescription.Loop {
  fileprivate var words: String {
    let way =
      switch direction {
      case "backward": ", backward"
      case "alternating": ", back and forth"
      default: ""
      }
    return "frames \(start) to \(end)\(way)\(playCount.map { $0 == 1 ? ", once" : ", \($0) times" } ?? "")"
  }
}

extension FileDescription.Marker {
  fileprivate var words: String { "frame \(frame)\(name.map { ", \($0)" } ?? "")" }
}

extension FileDescription {
  /// A duration in seconds as `5.200 s`, `1:05.200` or `1:01:05.200`.
  static func time(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1_000).rounded())
    let (minutes, rest) = (thousandths / 60_000, thousandths % 60_000)
    if minutes == 0 { return String(format: "%.3f s", Double(rest) / 1_000) }
    let end = String(format: "%06.3f", Double(rest) / 1_000)
    return minutes < 60 ? "\(minutes):\(end)" : String(format: "%d:%02d:", minutes / 60, minutes % 60) + end
  }

  /// A size as `312 bytes` or `2.1 MB (2,134,567 bytes)`.
  static func bytes(_ count: Int) -> String {
    let short = shortBytes(count)
    guard count >= 1_000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var groups: [String] = []
    var rest = count
    while rest >= 1_000 {
      groups.insert(String(format: "%03d", rest % 1_000), at: 0)
      rest /= 1_000
    }
    return "\(short) (\(([String(rest)] + groups).joined(separator: ",")) bytes)"
  }

  /// A size as `312 B` or `2.1 MB`.
  static func shortBytes(_ count: Int) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    guard let unit = units.first(where: { Double(count) >= $0.0 }) else { return "\(count) B" }
    return String(format: "%.1f %@", Double(count) / unit.0, unit.1)
  }

  /// A rate in bits per second as kilobits, with a decimal below 10.
  static func kilobits(_ rate: Int) -> String {
    rate < 10_000 ? String(format: "%.1f", Double(rate) / 1_000) : "\(Int((Double(rate) / 1_000).rounded()))"
  }

  static func decimal(_ number: Double) -> String { String(format: "%.1f", number) }
}
