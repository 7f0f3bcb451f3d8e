/// Detects that the clock of an output stands still: without an output, time may do so.
///
/// All values are nanoseconds.
struct ClockProgress: Sendable {
  /// How long the clock has to stand still, and how long its readers then wait.
  static let standstill: Int64 = 100_000_000

  /// The last clock that differed from the clock before, and the time at which it was read.
  private var moved: (clock: Int64, time: Int64)?

  /// The progress of the clock since the reading before.
  enum Reading: Hashable, Sendable {
    case moved
    /// As before: an output advances its clock once a mix.
    case unchanged
    /// Unchanged for longer than ``standstill``.
    case standsStill
  }

  /// Takes a reading of the clock.
  mutating func read(_ clock: Int64, now: Int64) -> Reading {
    guard let moved, moved.clock == clock else {
      moved = (clock, now)
      return .moved
    }
    return now - moved.time > Self.standstill ? .standsStill : .unchanged
  }
}
