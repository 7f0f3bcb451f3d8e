@_spi(Drawing) import Spatial3DReports
import Stage

/// A screen as an SVG drawing, in the colours of the other drawings.
struct ScreenDrawing {
  /// The size of a cell, in pixels.
  private static let cell = SVGPoint(8, 17)

  private static let margin = 20.0

  private let screen: Screen

  /// The drawing of a screen.
  init(of screen: Screen) { self.screen = screen }

  /// The drawing as the text of an SVG file.
  var markup: String {
    let style =
      Theme.styleSheet + """
        .terminal { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 13px; }
        .bold { font-weight: 700; }
        path { shape-rendering: crispEdges; }

        """
    let (columns, rows) = (Double(screen.size.columns), Double(screen.size.rows))
    var drawing = SVGDrawing(
      width: columns * Self.cell.x + 2 * Self.margin,
      height: rows * Self.cell.y + 2 * Self.margin,
      title: "The screen of explore",
      summary: "A plan with walls, a listener and numbered sounds; beside it the level of each sound and of both ears.",
      style: style
    )
    drawing.draw(SVGElement("rect", ["class": "panel fill", "width": "100%", "height": "100%", "rx": 8]))
    for row in 0..<screen.size.rows { drawing.draw(elements(ofRow: row), x: Self.margin, y: Self.margin) }
    return drawing.markup
  }

  /// The elements of a row: neighbours of one kind and style are one element.
  private func elements(ofRow row: Int) -> [SVGElement] {
    var elements: [SVGElement] = []
    var column = 0
    while column < screen.size.columns {
      let first = screen[column, row]
      var end = (column..<screen.size.columns).first { !continues(first, with: screen[$0, row]) } ?? screen.size.columns
      // Words of one text are one element, without the spaces after the last one.
      while end > column + 1, Shape(screen[end - 1, row].character) == .empty { end -= 1 }
      elements += element(of: (column..<end).map { screen[$0, row].character }, first.style, at: column, row)
      column = end
    }
    return elements
  }

  /// Whether the element of a cell goes on with another cell.
  private func continues(_ first: Screen.Cell, with cell: Screen.Cell) -> Bool {
    let (shape, other) = (Shape(first.character), Shape(cell.character))
    return cell.style == first.style && (shape == other || (shape == .text && other == .empty))
  }

  private func element(
    of characters: [Character],
    _ style: Screen.Style,
    at column: Int,
    _ row: Int
  ) -> [SVGElement] {
    let corner = SVGPoint(Double(column) * Self.cell.x, Double(row) * Self.cell.y)
    let width = Double(characters.count) * Self.cell.x
    switch Shape(characters[0]) {
    case .empty: return []
    case .block(let part):
      // The cells that are partly filled are alone: only whole blocks are neighbours.
      let height = style == .wall ? Self.cell.y : Self.cell.y - 6
      let top = corner.y + (Self.cell.y - height) / 2
      let right = corner.x + width - (1 - part) * Self.cell.x
      var path = SVGPath(through: [SVGPoint(corner.x, top), SVGPoint(right, top), SVGPoint(right, top + height)])
      path.line(to: SVGPoint(corner.x, top + height))
      path.close()
      return [.path(path, "\(Self.color(style)) fill")]
    case .dots(let bits):
      return (0..<8).filter { bits & 1 << UInt32($0) != 0 }.map { bit in
        let (x, y) = bit < 6 ? (bit / 3, bit % 3) : (bit - 6, 3)
        let dot = SVGPoint(
          corner.x + Double(2 * x + 1) * Self.cell.x / 4,
          corner.y + Double(2 * y + 1) * Self.cell.y / 8
        )
        return .circle(at: dot, radius: 0.9, "\(Self.color(style)) fill")
      }
    case .text:
      let weight = [.strong, .listener, .alarm].contains(style) ? " bold" : ""
      return [
        SVGElement(
          "text",
          [
            "class": SVGValue("\(Self.color(style))\(weight) terminal"), "xml:space": "preserve",
            "x": SVGValue(corner.x), "y": SVGValue(corner.y + 13), "textLength": SVGValue(width),
            "lengthAdjust": "spacingAndGlyphs",
          ],
          text: String(characters)
        )
      ]
    }
  }

  /// The class of a style's colour.
  private static func color(_ style: Screen.Style) -> String {
    switch style {
    case .plain, .strong: "ink"
    case .faint: "quiet"
    case .wall: "faint"
    case .listener, .alarm, .high: "accent"
    case .series(let index): Theme.series(index)
    case .low: Theme.series(1)
    case .middle: Theme.series(3)
    }
  }

  /// The form of a character.
  private enum Shape: Hashable {
    case empty
    /// A block from the left that fills a part of the width.
    case block(Double)
    /// A Braille character by its dots.
    case dots(UInt32)
    case text

    init(_ character: Character) {
      let value = character.unicodeScalars.first?.value ?? 0
      switch value {
      case 0x20: self = .empty
      case 0x2593: self = .block(1)
      case 0x2588...0x258F: self = .block(Double(0x2590 - value) / 8)
      case 0x2800...0x28FF: self = .dots(value - 0x2800)
      default: self = .text
      }
    }
  }
}
