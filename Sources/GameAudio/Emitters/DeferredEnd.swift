/// An end that the next tick delivers, for a task that begins to wait before the tick.
struct DeferredEnd: Sendable {
  let reason: EmitterEvent.Reason
  /// The round of announcements in which it was deferred: it is over with the next round.
  let round: Int
}

/// What a task that waits for an end waits for.
enum EndWait {
  /// Nothing plays, and the next tick delivers no end.
  case none
  /// The tick that delivers an end which has come already.
  case untilTick
  /// The end of what plays.
  case untilEnd
}
