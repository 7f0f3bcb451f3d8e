/// Detects an output that stands still, because its server is gone and the library has not noticed.
///
/// PipeWire 0.3.65 with the PipeWire backend of OpenAL Soft 1.25.2 ends like this: the library reports a connected device,
/// its clock stands still, and no call for the device returns any more. Pure: no call and no lock.
struct ClockWatch: Sendable {
  /// The time between two looks, in nanoseconds.
  static let period: Int64 = 250_000_000
  /// How long a clock stands still before the output counts as stalled.
  static let limit: Int64 = 1_000_000_000

  private var clock: Int64?
  /// When the clock was seen to move, and the last look; `nil` for a clock that has not moved yet.
  private var movedAt: Int64?
  private var lookedAt: Int64 = 0

  /// Adopts a reading of the clock, `nil` for an output that may stand still; returns whether the output has stalled.
  ///
  /// A process that did not run for a while has missed the moves of the clock: the time counts anew then.
  mutating func isStalled(at clock: Int64?, now: Int64) -> Bool {
    defer { (self.clock, lookedAt) = (clock, now) }
    guard let clock, let before = self.clock else {
      movedAt = nil
      return false
    }
    if clock != before || movedAt != nil && now - lookedAt > 2 * Self.period {
      movedAt = now
      return false
    }
    return movedAt.map { now - $0 >= Self.limit } ?? false
  }
}
