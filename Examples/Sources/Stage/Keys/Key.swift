/// A key of a terminal.
package enum Key: Hashable, Sendable {
  case up
  case down
  case left
  case right
  case escape
  case character(Character)

  /// A letter together with the control key, as a lower-case letter.
  case control(Character)
}
