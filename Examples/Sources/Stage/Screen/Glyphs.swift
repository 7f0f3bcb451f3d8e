/// The characters of the drawing: Unicode, or ASCII alone.
package struct Glyphs: Sendable {
  package let wall: Character
  package let grass: Character
  package let track: Character
  package let minus: String
  package let degree: String
  package let separator: String
  package let arrowKeys: (walk: String, turn: String)

  /// The arrows of the listener, clockwise from up the plan.
  package let arrows: [Character]

  /// The parts of a cell that a bar fills, from the least to the whole cell.
  package let bar: [Character]

  /// Whether lines consist of Braille dots, eight in a cell; otherwise of `*`.
  package let hasBraille: Bool

  package static let unicode = Glyphs(
    wall: "▓",
    grass: "·",
    track: "·",
    minus: "−",
    degree: "°",
    separator: " · ",
    arrowKeys: ("↑↓", "←→"),
    arrows: ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"],
    bar: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    hasBraille: true
  )

  package static let ascii = Glyphs(
    wall: "#",
    grass: ".",
    track: ".",
    minus: "-",
    degree: "",
    separator: " - ",
    arrowKeys: ("Up Down", "Left Right"),
    arrows: ["^", ">", "v", "<"],
    bar: ["="],
    hasBraille: false
  )

  /// The arrow nearest to a heading in degrees.
  package func arrow(_ heading: Double) -> Character {
    let index = Int((heading / 360 * Double(arrows.count)).rounded()) % arrows.count
    return arrows[index < 0 ? index + arrows.count : index]
  }
}
