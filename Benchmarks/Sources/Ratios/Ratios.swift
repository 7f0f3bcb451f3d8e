import Foundation
import Spatial3D

/// Measures, prints tables in Markdown, and fails if a limit is exceeded.
///
/// With `--brief` it takes less time. With names of tables, such as `banks`, it measures only those. With `--count` it
/// does the work whose instructions `Scripts/count-instructions` counts, and prints the names and the units of work.
@main
struct Ratios {
  /// The tables by their names in Docs/Benchmarks.md.
  static let tables: [(name: String, comparisons: @Sendable () throws -> [Comparison])] = [
    ("calls", PropertyCalls.comparisons),
    ("allocations", Allocations.comparisons),
    ("voices", Voices.comparisons),
    ("emitters", { try emitters() }),
    ("setters", SetterRows.comparisons),
    ("live", LiveRows.comparisons),
    ("banks", { try BankRows.comparisons() + PlayerRows.comparisons() }),
    ("notifications", { try ObservedMixes.comparisons() + LiveNotifications.comparisons() }),
    ("decoding", Decoding.comparisons),
    ("seeking", Seeking.comparisons),
    ("loading", Loading.comparisons),
  ]

  private static func emitters() throws -> [Comparison] {
    try EmitterRows.comparisons() + LifeRows.comparisons() + MixerRows.comparisons() + StemRows.comparisons()
      + SpaceRows.comparisons()
      + InspectionRows.comparisons() + EmitterRows.allocations()
  }

  static func main() {
    do {
      if CommandLine.arguments.contains("--count") {
        try doCountedWork()
        exit(EXIT_SUCCESS)
      }
      exit(try isWithinLimits() ? EXIT_SUCCESS : EXIT_FAILURE)
    } catch {
      complain("\(error)")
      exit(EXIT_FAILURE)
    }
  }

  private static func doCountedWork() throws {
    print(try version)
    for group in CountedWork.groups {
      for work in try group() {
        try work.run()
        print("\(work.count)\t\(work.what)")
        fflush(nil)
      }
    }
  }

  private static func isWithinLimits() throws -> Bool {
    let effort: Effort = CommandLine.arguments.contains("--brief") ? .brief : .full
    let version = try Self.version
    let names = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
    var complaints: [String] = []
    for table in tables where names.isEmpty || names.contains(table.name) {
      print("\n## \(table.name)\n\n\(Row.heading(version))")
      for comparison in try table.comparisons() {
        let row = try comparison.row(effort, with: version)
        print(row.markup)
        // Flushes all open streams, so that a pipe gets each row at once.
        fflush(nil)
        if let complaint = row.complaint { complaints.append(complaint) }
      }
    }
    for complaint in complaints { complain(complaint) }
    return complaints.isEmpty
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("Ratios: \(text)\n".utf8)) }

  /// The version of the loaded OpenAL library.
  private static var version: String {
    get throws {
      let renderer = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      return renderer.context.library.version.split(separator: " ").last.map(String.init) ?? "?"
    }
  }
}
