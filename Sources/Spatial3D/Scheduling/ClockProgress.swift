/// Detects that the clock of an output stands still: without an output, time may do so.
///
/// All values are nanoseconds.
struct ClockProgress: Sendable {
  /// How long the clock has to stand still, and how long its readers then wait.
  static let standstill: Int64 = 100_000_000

  /// The last clock that differed from the clock before, and the time at which it was read.
  private var moved: (clock: Int64, time: Int64)?

  /// Takes a reading of the clock; returns whether the clock has stood still for longer than ``standstill``.
  mutating func standsStill(at clock: Int64, now: Int64) -> Bool {
    guard let moved, moved.clock == clock else {
      moved = (clock, now)
      return false
    }
    return now - moved.time > Self.standstill
  }
}
