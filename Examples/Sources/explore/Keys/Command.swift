import Stage

/// An action that a key asks for.
enum Command: Hashable, Sendable {
  /// Steps ahead; negative ones are backwards.
  case walk(Double)

  /// Turns to the right; negative ones are to the left.
  case turn(Double)

  /// Mutes a sound by its index, or makes it audible again.
  case toggleMute(Int)
  case suspend
  case redraw
  case quit

  /// The action of a key; `nil` for a key without one.
  init?(_ key: Key) {
    switch key {
    case .up, .character("w"), .character("W"): self = .walk(1)
    case .down, .character("s"), .character("S"): self = .walk(-1)
    case .left, .character("a"), .character("A"): self = .turn(-1)
    case .right, .character("d"), .character("D"): self = .turn(1)
    case .character("q"), .character("Q"), .control("c"): self = .quit
    case .control("z"): self = .suspend
    case .control("l"): self = .redraw
    case .character(let character):
      guard character.isASCII, let digit = character.wholeNumberValue, digit > 0 else { return nil }
      self = .toggleMute(digit - 1)
    case .escape, .control: return nil
    }
  }
}
