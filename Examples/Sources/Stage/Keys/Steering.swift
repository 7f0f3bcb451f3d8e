/// An action that the same keys ask for in each program with a walk.
package enum Steering: Hashable, Sendable {
  /// Steps ahead; a negative number is backwards.
  case walk(Double)

  /// Turns to the right; a negative number is to the left.
  case turn(Double)
  case suspend
  case redraw
  case quit

  /// The action of an arrow key, of W, A, S, D and Q, and of the control keys; `nil` for another key.
  package init?(_ key: Key) {
    switch key {
    case .up, .character("w"), .character("W"): self = .walk(1)
    case .down, .character("s"), .character("S"): self = .walk(-1)
    case .left, .character("a"), .character("A"): self = .turn(-1)
    case .right, .character("d"), .character("D"): self = .turn(1)
    case .character("q"), .character("Q"), .control("c"): self = .quit
    case .control("z"): self = .suspend
    case .control("l"): self = .redraw
    case .character, .escape, .control: return nil
    }
  }
}
