/// The characters of the drawing: Unicode, or ASCII alone.
struct Glyphs: Sendable {
  let wall: Character
  let grass: Character
  let track: Character
  let minus: String
  let degree: String
  let separator: String
  let arrowKeys: (walk: String, turn: String)

  /// The arrows of the listener, clockwise from up the plan.
  let arrows: [Character]

  /// The parts of a cell that a bar fills, from the least to the whole cell.
  let bar: [Character]

  /// Whether lines consist of Braille dots, eight in a cell; otherwise of `*`.
  let hasBraille: Bool

  static let unicode = Glyphs(
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

  static let ascii = Glyphs(
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
  func arrow(_ heading: Double) -> Character {
    let index = Int((heading / 360 * Double(arrows.count)).rounded()) % arrows.count
    return arrows[index < 0 ? index + arrows.count : index]
  }
}
