import Foundation

/// The ratios that one comparison gave, from round to round.
struct Row: CustomStringConvertible {
  let what: String
  let values: [Double]
  /// What the median may be at most; `nil` for a figure that is only told.
  var limit: Double?

  static let heading = "".padding(toLength: width, withPad: " ", startingAt: 0) + "  lowest   median  highest  at most"

  private static let width = 62

  var isWithinLimit: Bool { limit.map { median <= $0 } ?? true }

  var description: String {
    let sorted = values.sorted()
    let figures = [sorted[0], median, sorted[sorted.count - 1]].map { String(format: "%8.2fx", $0) }.joined()
    let verdict = limit.map { String(format: "%8.2fx", $0) + (isWithinLimit ? "" : "  EXCEEDED") } ?? ""
    return what.padding(toLength: Self.width, withPad: " ", startingAt: 0) + figures + verdict
  }

  private var median: Double { values.sorted()[values.count / 2] }
}
