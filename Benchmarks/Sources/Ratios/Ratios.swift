import Foundation

/// Prints what is measured, a line each; fails where a limit is exceeded.
@main
struct Ratios {
  static func main() throws {
    print(Row.heading)
    var isWithinLimits = true
    let rows =
      try PropertyCalls.rows() + [
        Row(what: "sound of 64 sources rendered in the time that it lasts", values: try OfflineRendering.ratios())
      ] + Decoding.rows()
    for row in rows {
      print(row)
      if !row.isWithinLimit { isWithinLimits = false }
    }
    print("\nHeap allocations in a hundred runs of:")
    for (what, count) in try Allocations.counts() {
      print("  \(what): \(count)\(count == 0 ? "" : "  EXCEEDED")")
      if count > 0 { isWithinLimits = false }
    }
    exit(isWithinLimits ? EXIT_SUCCESS : EXIT_FAILURE)
  }
}
