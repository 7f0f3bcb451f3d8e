import Foundation

/// The ratios of one comparison over all rounds, as a row of a table.
struct Row {
  let what: String
  let values: [Double]
  let limit: Double?
  /// The limit in the table, with the limit of the short form.
  let limitText: String

  /// The median; for an even count, the mean of the two middle values.
  var median: Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  var isWithinLimit: Bool { limit.map { median <= $0 } ?? true }

  /// The row in Markdown: the median, the lowest and the highest round, and the limits.
  var markup: String { Self.line(what, measured, limitText) }

  /// A sentence about an exceeded limit; `nil` for none.
  var complaint: String? {
    guard let limit, !isWithinLimit else { return nil }
    return "\"\(what)\" is at \(measured), and its limit is \(Self.text(limit))."
  }

  private var measured: String {
    let sorted = values.sorted().map(Self.text)
    let (lowest, highest) = (sorted[0], sorted[sorted.count - 1])
    return lowest == highest ? lowest : "\(Self.text(median)) (\(lowest) to \(highest))"
  }

  static func heading(_ version: String) -> String {
    line("", version, "at most") + "\n|---|---|---|"
  }

  private static func line(_ what: String, _ value: String, _ limit: String) -> String {
    let name = what.padding(toLength: max(what.count, 66), withPad: " ", startingAt: 0)
    return "| \(name) | \(value) | \(limit) |"
  }

  static func text(_ value: Double) -> String {
    if value == value.rounded() { return String(format: "%.0f", value) }
    return String(format: abs(value) < 0.1 ? "%.3f" : "%.2f", value)
  }
}
