import Stage

/// An action that a key asks for.
enum Command: Hashable, Sendable {
  /// Steps ahead; a negative number is backwards.
  case walk(Double)

  /// Turns to the right; a negative number is to the left.
  case turn(Double)

  /// Mutes a sound by its index, or makes it audible again.
  case toggleMute(Int)

  /// Shows the state of the audio world instead of the plan, or the plan again.
  case toggleView
  case suspend
  case redraw
  case quit

  /// The action of a key; `nil` for a key without one.
  init?(_ key: Key) {
    switch Steering(key) {
    case .walk(let steps): self = .walk(steps)
    case .turn(let turns): self = .turn(turns)
    case .quit: self = .quit
    case .suspend: self = .suspend
    case .redraw: self = .redraw
    case nil where key == .character("v") || key == .character("V"): self = .toggleView
    case nil:
      guard case .character(let character) = key, character.isASCII, let digit = character.wholeNumberValue, digit > 0
      else { return nil }
      self = .toggleMute(digit - 1)
    }
  }
}
