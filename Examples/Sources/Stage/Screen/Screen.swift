/// The content of a terminal: rows of cells, each with a character and a style.
package struct Screen: Hashable, Sendable {
  /// A character that takes one column, and its style.
  package struct Cell: Hashable, Sendable {
    package var character: Character
    package var style: Style

    /// A character with a style; a space by default.
    package init(character: Character = " ", style: Style = .plain) {
      self.character = character
      self.style = style
    }
  }

  /// The styles; ``Palette`` has their colours on a terminal, and `ScreenDrawing` their colours in a drawing.
  package enum Style: Hashable, Sendable {
    case plain
    case faint
    case strong
    case wall
    case listener
    /// The colour of a sound, by its index.
    case series(Int)
    /// The three parts of a meter.
    case low
    case middle
    case high
    case alarm
  }

  /// The size of a screen, in cells.
  package struct Size: Hashable, Sendable {
    /// The largest size that is drawn; a larger terminal stays empty beyond it.
    package static let largest = Size(columns: 500, rows: 500)

    package let columns: Int
    package let rows: Int

    /// A size of a number of columns and rows.
    package init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  package let size: Size
  package private(set) var cells: [Cell]

  /// An empty screen; a negative size counts as 0.
  package init(_ size: Size) {
    self.size = Size(columns: max(size.columns, 0), rows: max(size.rows, 0))
    cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
  }

  /// The cell at a column and a row; a position outside of the screen is empty, and a change of it is dropped.
  package subscript(column: Int, row: Int) -> Cell {
    get { index(column, row).map { cells[$0] } ?? Cell() }
    set { if let index = index(column, row) { cells[index] = newValue } }
  }

  private func index(_ column: Int, _ row: Int) -> Int? {
    (0..<size.columns).contains(column) && (0..<size.rows).contains(row) ? row * size.columns + column : nil
  }

  /// Writes a text from a column on, up to a number of columns; a character of another width than 1 becomes `?`.
  package mutating func write(_ text: String, at column: Int, _ row: Int, _ style: Style = .plain, width: Int = .max) {
    for (offset, character) in text.prefix(width).enumerated() {
      self[column + offset, row] = Cell(character: character.isOneColumnWide ? character : "?", style: style)
    }
  }

  /// The characters of a row without spaces at its end.
  package func text(ofRow row: Int) -> String {
    let characters = (0..<size.columns).map { self[$0, row].character }
    return String(characters.prefix((characters.lastIndex { $0 != " " } ?? -1) + 1))
  }

  /// The screen as lines of plain text; each ends in a line feed.
  package var text: String { (0..<size.rows).map { text(ofRow: $0) + "\n" }.joined() }
}

extension Character {
  /// Whether every terminal shows the character in one column: it is one letter, digit or sign of Latin, Greek or
  /// Cyrillic, an arrow, a mathematical sign, a line, a block or a Braille pattern.
  fileprivate var isOneColumnWide: Bool {
    guard unicodeScalars.count == 1, let scalar = unicodeScalars.first else { return false }
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x2190...0x22FF,
      0x2500...0x25FC, 0x2800...0x28FF:
      return true
    default: return false
    }
  }
}
