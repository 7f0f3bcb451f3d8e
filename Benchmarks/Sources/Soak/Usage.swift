import Foundation

/// The resources of this process, from `/proc`.
struct Usage {
  /// The resident memory, in kilobytes.
  let memory: Int
  let threads: Int
  let files: Int

  init() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    func number(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    memory = number("VmRSS")
    threads = number("Threads")
    files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// The names of the open files.
  static var fileNames: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").sorted().compactMap { number in
        let name = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return name.map { "\(number): \($0)" }
      }
    }
  }
}

/// The resources over time; the first quarter fills caches and does not count.
struct Log {
  private var usages: [Usage] = []

  mutating func add(_ usage: Usage) { usages.append(usage) }

  /// Compares the minimum of the last quarter with the maximum of the second: a steady growth separates them.
  var verdict: (isFlat: Bool, sentence: String) {
    let quarter = usages.count / 4
    guard quarter > 0 else { return (false, "Too short for a verdict.") }
    let (before, after) = (usages[quarter..<2 * quarter], usages.suffix(quarter))
    func grew(_ value: (Usage) -> Int, by tolerance: Int) -> Bool {
      (after.map(value).min() ?? 0) > (before.map(value).max() ?? 0) + tolerance
    }
    let grown = [
      ("memory", grew(\.memory, by: 2_048)), ("threads", grew(\.threads, by: 1)), ("open files", grew(\.files, by: 0)),
    ].filter(\.1).map(\.0)
    return (grown.isEmpty, grown.isEmpty ? "Nothing grew." : "These grew: \(grown.joined(separator: ", ")).")
  }
}
