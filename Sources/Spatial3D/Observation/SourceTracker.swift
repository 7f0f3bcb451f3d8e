/// The posted state and queue count of a source, and the changes to post next.
///
/// The library's state is authoritative; each poll is compared with the last posted state. Pure: no call and no lock.
struct SourceTracker: Sendable {
  /// The state that was posted last.
  private(set) var state: SourceState
  /// The number of buffers at the head of the queue that were posted as played and are still in it.
  private(set) var processed: Int

  /// The library's report on a source.
  struct Reading: Hashable, Sendable {
    var state: SourceState
    /// `nil` if the library does not report it, for example while the queue loops.
    var processed: Int?
  }

  /// The changes to post, in this order.
  struct Changes: Hashable, Sendable {
    var before: SourceState?
    var processed = 0
    var after: SourceState?

    var isEmpty: Bool { before == nil && processed == 0 && after == nil }
  }

  /// Compares a poll without a call with the last poll, and returns the mixer's changes.
  mutating func update(to reading: Reading) -> Changes {
    Changes(processed: take(reading.processed), after: move(to: reading.state))
  }

  /// Records a play call and the poll right after it.
  ///
  /// The caller has already polled the earlier work of the mixer. A sound with frames counts as playing, even if the
  /// mixer has ended it by now.
  mutating func played(hasFrames: Bool, then reading: Reading) -> Changes {
    // A queue that does not resume from a pause starts from its first buffer.
    if state != .paused { processed = 0 }
    let before = hasFrames ? move(to: .playing) : nil
    return Changes(before: before, processed: take(reading.processed), after: move(to: reading.state))
  }

  /// Subtracts unqueued buffers from the count; returns the buffers that ended after the last poll.
  mutating func unqueued(_ count: Int) -> Changes {
    defer { processed = max(processed - count, 0) }
    return Changes(processed: max(count - processed, 0))
  }

  /// Excludes the buffers that were played until now from later counts.
  mutating func forgetProcessed() { processed = 0 }

  private mutating func take(_ found: Int?) -> Int {
    guard let found else { return 0 }
    // A lower count means that the queue was moved back or starts over. Buffers that play again count again.
    defer { processed = found }
    return max(found - processed, 0)
  }

  private mutating func move(to found: SourceState) -> SourceState? {
    guard found != state else { return nil }
    state = found
    return found
  }
}
