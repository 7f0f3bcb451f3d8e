@_spi(Drawing) import Spatial3DReports

/// A table in plain text: columns as wide as their numbers and headings, aligned to the right.
///
/// The heading of a group of several columns is shortened to their width. A column that is a group by itself widens for
/// its heading.
package struct TextTable: CustomStringConvertible, Sendable {
  private let columns: [Column]
  private var rows: [[String]] = []

  /// A column: its heading and its group of columns.
  package struct Column: Sendable {
    let group: String
    let heading: String

    /// A column under a group's heading; neighbours with the same group share that heading.
    package init(_ heading: String, group: String = "") {
      self.heading = heading
      self.group = group
    }
  }

  /// A table without rows.
  package init(columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row at the end with one text for each column; missing texts are empty, further texts are dropped.
  package mutating func append(_ row: [String]) {
    let cells = row.prefix(columns.count)
    rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
  }

  /// The table; each line ends in a line feed.
  package var description: String {
    if columns.isEmpty { return "" }
    let widths = columns.indices.map { index in
      let texts = [columns[index].heading] + rows.map { $0[index] } + (standsAlone(index) ? [columns[index].group] : [])
      return texts.map(\.columnCount).max() ?? 0
    }
    let body = ([columns.map(\.heading)] + rows).map { cells in
      line(zip(cells, widths).map { String(repeating: " ", count: $1 - $0.columnCount) + $0 })
    }
    return (columns.contains { !$0.group.isEmpty } ? groupLine(widths) : "") + body.joined()
  }

  /// Whether a column is a group by itself.
  private func standsAlone(_ index: Int) -> Bool {
    let neighbours = [index - 1, index + 1].filter(columns.indices.contains)
    return !neighbours.contains { columns[$0].group == columns[index].group }
  }

  /// Cells side by side: a bar at the end of a group, two spaces elsewhere.
  private func line(_ cells: [String]) -> String {
    var text = cells[0]
    for index in cells.indices.dropFirst() {
      text += (columns[index].group == columns[index - 1].group ? "  " : " │ ") + cells[index]
    }
    return text + "\n"
  }

  /// The headings of the groups, each shortened to the width of its columns.
  private func groupLine(_ widths: [Int]) -> String {
    var parts: [String] = []
    var index = 0
    while index < columns.count {
      let group = columns[index].group
      let end = columns[index...].firstIndex { $0.group != group } ?? columns.count
      let width = widths[index..<end].reduce(0, +) + 2 * (end - index - 1)
      let heading = group.shortened(to: width)
      parts.append(heading + String(repeating: " ", count: width - heading.columnCount))
      index = end
    }
    return parts.joined(separator: " │ ").trimmingSuffix() + "\n"
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
