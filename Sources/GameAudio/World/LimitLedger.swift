/// The emitters that limits keep virtual.
struct LimitLedger: Sendable {
  /// The slots of emitters that a limit keeps virtual, in the order of their beginnings.
  var held: [WorldState.Held] = []
  /// Whether one of them may have a voice now, or has ended.
  var hasRoom = false
}
