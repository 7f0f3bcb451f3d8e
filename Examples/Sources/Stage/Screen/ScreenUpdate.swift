/// The bytes that turn a terminal's content into another screen.
package struct ScreenUpdate: Hashable, Sendable {
  /// The control sequences and characters; empty if nothing changed.
  package let text: String

  /// The update from a screen to the next one: only cells that changed are written.
  ///
  /// Without a screen before, or with one of another size, the terminal is cleared and everything is written.
  package init(from before: Screen?, to screen: Screen, palette: Palette) {
    let known = before?.size == screen.size ? before : nil
    let empty = Screen(screen.size)
    var text = known == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    var style: Screen.Style?
    for row in 0..<screen.size.rows {
      // The column of the terminal's cursor, if it is in this row.
      var cursor: Int?
      for column in 0..<screen.size.columns {
        let cell = screen[column, row]
        guard cell != (known ?? empty)[column, row] else { continue }
        if cursor != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
        if style != cell.style { text += "\u{1B}[\(palette.rendition(of: cell.style))m" }
        text.append(cell.character)
        (cursor, style) = (column + 1, cell.style)
      }
    }
    self.text = style == nil ? text : text + "\u{1B}[0m"
  }
}
