import Foundation

/// The options of a run of digests.
struct DigestOptions: Sendable {
  static let usage = """
           fuzz-world --digests FIRST...LAST [--transcripts FOLDER] [--coverage]
    """

  /// The seeds of the scenes.
  let seeds: ClosedRange<UInt64>
  /// The folder of the transcripts, absolute; `nil` if none are written.
  let transcripts: URL?
  /// Whether the run prints how often each operation was applied, and fails where an operation was not.
  let showsCoverage: Bool
  /// The options of rounds that scenes share: their defaults.
  let options: Options

  /// The options of a command line; `nil` if it asks for no digests, or wrongly.
  init?(_ arguments: some Collection<String>) {
    var rest = Array(arguments)
    guard rest.count >= 2, rest.removeFirst() == "--digests", let options = Options(["--rounds", "1"]) else {
      return nil
    }
    let ends = rest.removeFirst().split(separator: ".", omittingEmptySubsequences: true).compactMap { UInt64($0) }
    guard let first = ends.first, let last = ends.last, ends.count <= 2, first <= last else { return nil }
    var (transcripts, showsCoverage): (URL?, Bool) = (nil, false)
    while !rest.isEmpty {
      switch rest.removeFirst() {
      case "--transcripts" where !rest.isEmpty:
        transcripts = URL(filePath: rest.removeFirst(), directoryHint: .isDirectory).absoluteURL
      case "--coverage": showsCoverage = true
      default: return nil
      }
    }
    (seeds, self.transcripts, self.showsCoverage, self.options) = (first...last, transcripts, showsCoverage, options)
  }
}
