import Foundation
import FuzzSupport

/// The text of a scene: what its world reported, with the calls in between.
final class Transcript: Sendable {
  private struct Content: Sendable {
    var text = ""
    var digest = Digest()
    var counts: [String: Int] = [:]
  }

  private let content = Lock(Content())
  /// The present folder, which differs between processes; a message about a missing file names it.
  private let folder = FileManager.default.currentDirectoryPath

  /// The lines so far; a line of a call begins with `> `.
  var text: String { content.withLock { $0.text } }
  /// The digest of the lines that are no calls.
  var digest: Digest { content.withLock { $0.digest } }
  /// How often each operation was applied, by its name and the kind of its call.
  var counts: [String: Int] { content.withLock { $0.counts } }

  /// Writes what the world reported.
  func write(_ text: String) {
    let line = text.replacingOccurrences(of: folder, with: "FOLDER")
    content.withLock { content in
      content.digest.add(line)
      content.text += "\(line)\n"
    }
  }

  /// Writes a call, and counts its operation.
  ///
  /// The digest leaves the call out: a call is no behavior.
  func begin(call text: String, of operation: String) {
    content.withLock { content in
      content.counts[operation, default: 0] += 1
      if let kind = Self.kind(of: text) { content.counts["\(operation) \(kind)", default: 0] += 1 }
      content.text += "> \(text)\n"
    }
  }

  /// The kind of a call, of an operation that makes several kinds; `nil` for others.
  private static func kind(of text: String) -> String? {
    let words = text.split(separator: " ").map { $0.prefix { $0 != "(" } }
    guard let first = words.first, words.count > 1 else { return nil }
    switch first {
    case "property", "bank", "bank.load": return String(words[1])
    case "clock", "session", "player":
      guard words.count > 2 else { return nil }
      if words.count > 3, ["report", "schedule"].contains(words[2]) { return String(words[3]) }
      return Int(words[2]) == nil ? nil : String(words[2])
    case "stop", "pause", "suspend", "resume": return String(first)
    default: return nil
    }
  }
}

/// A digest by FNV-1a with 64 bits, of bytes or of the bit patterns of samples.
struct Digest: Hashable, Sendable, CustomStringConvertible {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The digest in 16 hexadecimal digits.
  var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func add(_ unit: UInt64) { value = (value ^ unit) &* 0x100_0000_01B3 }

  /// Adds a line of text.
  mutating func add(_ line: String) {
    for byte in line.utf8 { add(UInt64(byte)) }
    add(0x0A)
  }

  /// Adds samples.
  mutating func add(_ samples: [Float]) {
    for sample in samples { add(UInt64(sample.bitPattern)) }
  }
}
