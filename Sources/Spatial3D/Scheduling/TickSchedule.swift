/// The frames of the mix at which a tick is due: the multiples of an interval.
struct TickSchedule: Sendable {
  /// The number of frames between two ticks, from 1 to 2⁴⁰.
  let interval: Int

  /// The frame of the next tick, at the rate that it was computed for; `nil` before the first call.
  private var next: (frame: Int, rate: Int)?

  init(every interval: Int) { self.interval = interval.clamped(to: 1...(1 << 40)) }

  /// Computes the first tick from a frame on, or after it.
  mutating func begin(at frame: Int, rate: Int, isAfter: Bool) {
    next = (Self.multiple(of: interval, from: isAfter ? frame + 1 : frame), rate)
  }

  /// Takes the tick that is due at a frame, together with all that are late; returns whether there is one.
  mutating func take(at frame: Int, rate: Int) -> Bool {
    guard framesUntilNext(at: frame, rate: rate) <= 0 else { return false }
    next = (Self.multiple(of: interval, from: frame + 1), rate)
    return true
  }

  /// The number of frames until the next tick; 0 or below where one is due.
  ///
  /// The first tick is the first multiple from now on. So is the next one after a change of the rate, and after the
  /// clock went back by more than an interval.
  mutating func framesUntilNext(at frame: Int, rate: Int) -> Int {
    if let next, next.rate == rate, next.frame - frame <= 2 * interval { return next.frame - frame }
    let first = Self.multiple(of: interval, from: frame)
    next = (first, rate)
    return first - frame
  }

  /// The least multiple of an interval that is not below a frame.
  private static func multiple(of interval: Int, from frame: Int) -> Int {
    let excess = frame % interval
    return excess > 0 ? frame - excess + interval : frame - excess
  }
}
