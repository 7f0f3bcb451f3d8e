/// A meter with a rise at once and a slow fall, like a meter of a mixing desk.
package struct LevelMeter: Hashable, Sendable {
  /// The levels from the left to the right end of a meter, in decibels.
  package static let range = -60.0...0.0

  /// The speed of the fall, in decibels per second.
  package static let fall = 30.0

  /// The level from which a bar is yellow, and the level from which it is red.
  package static let marks = (middle: -18.0, high: -6.0)

  /// The level in decibels; minus infinity for one below the range.
  package private(set) var level = -Double.infinity

  /// A meter that shows silence.
  package init() {}

  /// Shows a measured level a number of seconds after the level before; NaN counts as silence.
  package mutating func show(_ measured: Double, after seconds: Double) {
    let fallen = level - Self.fall * max(seconds, 0)
    level = max(measured.isNaN ? -.infinity : measured, fallen)
    if level < Self.range.lowerBound { level = -.infinity }
  }

  /// The filled part of a bar with a width in cells: whole cells, and the part of the next one, from 0 to 1.
  package func filled(width: Int) -> (cells: Int, part: Double) {
    guard width > 0, level > Self.range.lowerBound else { return (0, 0) }
    let share = (min(level, Self.range.upperBound) - Self.range.lowerBound) / -Self.range.lowerBound
    let length = share * Double(width)
    return (Int(length), length - length.rounded(.down))
  }

  /// The cells of a bar with a width.
  package func bar(width: Int, _ glyphs: Glyphs) -> [Screen.Cell] {
    let (full, part) = filled(width: width)
    // The steps of a partly filled cell, without the step of a full cell.
    let step = Int(part * Double(glyphs.bar.count))
    return (0..<max(width, 0)).map { index in
      let style = Self.style(at: (Double(index) + 0.5) / Double(width))
      if index < full { return Screen.Cell(character: glyphs.bar[glyphs.bar.count - 1], style: style) }
      if index == full, step > 0 { return Screen.Cell(character: glyphs.bar[step - 1], style: style) }
      return Screen.Cell(character: glyphs.track, style: .faint)
    }
  }

  /// The style of a bar at a part of its width.
  package static func style(at part: Double) -> Screen.Style {
    let level = range.lowerBound * (1 - part)
    return level < marks.middle ? .low : level < marks.high ? .middle : .high
  }

  /// The level as a text of seven characters, such as `" −32 dB"`.
  package func text(_ glyphs: Glyphs) -> String {
    guard level > -.infinity else { return " silent" }
    let number = Int(level.rounded())
    let digits = (number < 0 ? glyphs.minus : "") + "\(abs(number)) dB"
    return String(repeating: " ", count: max(7 - digits.count, 0)) + digits
  }
}
