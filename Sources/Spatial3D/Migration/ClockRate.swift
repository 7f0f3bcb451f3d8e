/// Detects an output whose clock runs at a wrong rate: all of its sounds have a wrong pitch then.
///
/// A stream through `pipewire-pulse` 0.3.65 runs at 0.919 of its rate after its graph has changed from 48,000 Hz to
/// 44,100 Hz, until it is opened again. A clock is off for other reasons for a while: an output fills its buffer when
/// it starts, and a busy machine does not run its mixer. These do not take the same from each of four windows. Pure: no
/// call and no lock.
struct ClockRate: Sendable {
  /// The length of a window, in nanoseconds.
  static let window: Int64 = 3_000_000_000
  /// How many windows have to agree.
  static let windowCount = 4
  /// How far they may differ.
  static let spread = 0.015
  /// How far a rate may be off; the rates of outputs in use are at least 8 % apart.
  static let tolerance = 0.04

  private var start: (clock: Int64, time: Int64)?
  private var lookedAt: Int64 = 0
  /// The rates of the last windows.
  private var rates: [Double] = []
  private var isReported = false

  /// Leaves out a time in which the clock was not read, and in which the process ran.
  mutating func skip(to time: Int64) { lookedAt = time }

  /// Takes a reading of the clock, `nil` for an output that may stand still; returns a wrong rate, once until the rate
  /// was right again.
  mutating func step(at clock: Int64?, now: Int64) -> Double? {
    defer { lookedAt = now }
    guard let clock else {
      (start, rates) = (nil, [])
      return nil
    }
    guard let before = start, clock >= before.clock, now - lookedAt <= 2 * ClockWatch.period else {
      (start, rates) = ((clock, now), [])
      return nil
    }
    guard now - before.time >= Self.window else { return nil }
    start = (clock, now)
    // A clock that stands still has no rate: `ClockWatch` detects that.
    guard clock > before.clock else {
      rates = []
      return nil
    }
    rates.append(Double(clock - before.clock) / Double(now - before.time))
    rates.removeFirst(max(rates.count - Self.windowCount, 0))
    guard rates.count == Self.windowCount, let least = rates.min(), let most = rates.max(), most - least <= Self.spread
    else { return nil }
    let rate = (least + most) / 2
    let isWrong = abs(rate - 1) > Self.tolerance
    defer { isReported = isWrong }
    return isWrong && !isReported ? rate : nil
  }
}
