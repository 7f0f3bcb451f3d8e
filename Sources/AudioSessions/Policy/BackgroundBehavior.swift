/// The program's declarations about the background.
struct BackgroundBehavior: Hashable, Sendable {
  /// Whether the program declares that it plays in the background.
  var plays = false
  /// Whether it is suspended there all the same, as Wwise's `SuspendInBackground`.
  var suspends = false

  func isSuspended(with rules: CategoryRules) -> Bool {
    if suspends { return true }
    return switch rules.background {
    case .silent: true
    case .playsIfDeclared: !plays
    case .plays: false
    }
  }
}
