/// Detects a queue that waits, and of which no thread begins a delivery.
///
/// Pure: no call and no lock.
struct DeliveryProgress: Sendable {
  /// The nanoseconds without progress after which another thread starts.
  static let patience: Int64 = 20_000_000

  /// The number of begun deliveries when the wait began or another thread was due, and that time.
  private var start: (begun: UInt64, time: Int64)?

  /// Compares the number of begun deliveries, `nil` for a queue that does not wait, with the number at the last look.
  ///
  /// Returns the nanoseconds until the next look, `nil` if the queue does not wait, and whether another thread is due.
  mutating func step(begun: UInt64?, now: Int64) -> (wait: Int64?, isStuck: Bool) {
    guard let begun else {
      start = nil
      return (nil, false)
    }
    if let start, start.begun == begun, now - start.time < Self.patience {
      return (start.time + Self.patience - now, false)
    }
    let isStuck = start?.begun == begun
    start = (begun, now)
    return (Self.patience, isStuck)
  }
}
