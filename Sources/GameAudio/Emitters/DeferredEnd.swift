/// An end that the next tick delivers, for a task that begins to wait before the tick.
struct DeferredEnd: Sendable {
  let reason: EmitterEvent.Reason
  /// The round of the event queue in which it was deferred: it is over with the next round.
  let round: UInt32
}

/// The end that a task waits for.
enum EndWait {
  /// Nothing plays, and the next tick delivers no end.
  case none
  /// The tick that delivers an end which has come already.
  case untilTick
  /// The end of what plays.
  case untilEnd
}

extension EmitterEvent.Reason {
  /// Whether the end of an emitter that began at a frame waits for the next tick.
  ///
  /// A handler that plays again on each end would otherwise call for ever within one call, or take a whole core on an
  /// output.
  func waitsForTick(began: Int, lastTick: Int) -> Bool {
    switch self {
    case .played: false
    case .stopped, .stolen: began >= lastTick
    case .refused, .failed: true
    }
  }
}
