internal import OpenALLoops

/// Two implementations of the same task, run in turns, so that a slower machine slows both down.
enum Turns {
  /// The clock that measures a run.
  enum Clock {
    /// The processor time of this thread.
    case thread
    /// The processor time of all threads of this process.
    case process
    /// The wall-clock time.
    case wall
  }

  /// The time of one closure, as a ratio to the time of another, for each round.
  ///
  /// Each closure runs several times a round, and its fastest run counts: an interruption makes a run slower, never
  /// faster.
  static func ratios(
    rounds: Int = 25,
    runs: Int = 10,
    by clock: Clock = .thread,
    of body: () throws -> Void,
    to reference: () throws -> Void
  ) rethrows -> [Double] {
    try (0..<rounds).map { _ in
      var (own, other) = (Double.infinity, Double.infinity)
      for _ in 0..<runs {
        own = min(own, try seconds(clock, body))
        other = min(other, try seconds(clock, reference))
      }
      return own / other
    }
  }

  static func seconds(_ clock: Clock, _ body: () throws -> Void) rethrows -> Double {
    let start = now(clock)
    try body()
    return now(clock) - start
  }

  static func now(_ clock: Clock) -> Double {
    switch clock {
    case .thread: thread_seconds()
    case .process: process_seconds()
    case .wall: (ContinuousClock.now - Self.start) / .seconds(1)
    }
  }

  private static let start = ContinuousClock.now
}
