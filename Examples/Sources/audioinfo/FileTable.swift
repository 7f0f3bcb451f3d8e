@_spi(Drawing) import Spatial3DReports
import Stage

/// A table of files: one row for each, with what a comparison needs.
struct FileTable: CustomStringConvertible {
  private let descriptions: [FileDescription]

  init(_ descriptions: [FileDescription]) {
    self.descriptions = descriptions
  }

  private static let headings = [
    "file", "format", "Hz", "channels", "bits", "length", "size", "kbit/s", "dBFS", "LUFS",
  ]

  /// The rows, then a line for each file that could not be read, or holds less than it should.
  var description: String {
    let rows = descriptions.filter { $0.error == nil }.map(row)
    let all = [FileTable.headings] + rows
    let widths = FileTable.headings.indices.map { column in all.map { $0[column].columnCount }.max() ?? 0 }
    let lines = rows.isEmpty ? [] : all.map { FileTable.line($0, widths) }
    let notes = descriptions.compactMap { description -> String? in
      let name = description.file.withoutControlCharacters
      if let error = description.error { return "\(name): error: \(error.withoutControlCharacters)" }
      return description.truncated == true ? "\(name): truncated: the file holds less than it should" : nil
    }
    return (lines + notes).joined(separator: "\n")
  }

  private func row(_ description: FileDescription) -> [String] {
    let kinds = [description.container, description.codec].compactMap(\.self)
    return [
      description.file.withoutControlCharacters,
      kinds.count == 2 && kinds[0] == kinds[1] ? kinds[0] : kinds.joined(separator: ", "),
      description.sampleRate.map(String.init) ?? "–",
      description.channels.map(String.init) ?? "–",
      description.bitDepth.map(String.init) ?? "–",
      description.duration.map(FileDescription.time) ?? "–",
      description.size.map(FileDescription.shortBytes) ?? "–",
      description.bitRate.map(FileDescription.kilobits) ?? "–",
      description.peak.map(FileDescription.decimal) ?? "–",
      description.loudness.map(FileDescription.decimal) ?? "–",
    ]
  }

  /// The cells of a row: two columns of text to the left, and numbers to the right.
  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    zip(cells, widths).enumerated().map { column, cell in
      let space = String(repeating: " ", count: cell.1 - cell.0.columnCount)
      return column < 2 ? cell.0 + space : space + cell.0
    }.joined(separator: "  ")
  }
}
