/// The codes of the styles on a terminal.
package enum Palette: Hashable, Sendable {
  /// The sixteen colours that every colour terminal has.
  case colors

  /// Bold and faint alone.
  case monochrome

  /// The parameters of "Select Graphic Rendition" for a style; they do not depend on the style before.
  package func rendition(of style: Screen.Style) -> String {
    switch (self, style) {
    case (_, .plain): "0"
    case (_, .strong): "0;1"
    case (.monochrome, .faint), (.monochrome, .wall): "0;2"
    case (.monochrome, .listener), (.monochrome, .alarm), (.monochrome, .high): "0;1"
    case (.monochrome, .series), (.monochrome, .low), (.monochrome, .middle): "0"
    case (.colors, .faint), (.colors, .wall): "0;90"
    case (.colors, .listener), (.colors, .alarm): "0;1;91"
    case (.colors, .series(let index)): "0;\([94, 92, 95, 93, 96, 97][max(index, 0) % 6])"
    case (.colors, .low): "0;32"
    case (.colors, .middle): "0;33"
    case (.colors, .high): "0;31"
    }
  }
}
