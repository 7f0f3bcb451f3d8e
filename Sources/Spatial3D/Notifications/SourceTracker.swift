/// What was told of one source's state and queue, and what has to be told next.
///
/// The library's state is the truth; what is found there is compared with what was told last. Pure: no call and no lock.
struct SourceTracker: Sendable {
  /// The state that was told last.
  private(set) var state: SourceState
  /// How many buffers at the head of the queue were told as played and are still in it.
  private(set) var processed: Int

  init(state: SourceState, processed: Int) {
    self.state = state
    self.processed = processed
  }

  /// What the library says of a source.
  struct Finding: Hashable, Sendable {
    var state: SourceState
    /// `nil` where the library does not say, as while the queue loops.
    var processed: Int?
  }

  /// What is to be told, in this order.
  struct Changes: Hashable, Sendable {
    var before: SourceState?
    var processed = 0
    var after: SourceState?

    var isEmpty: Bool { before == nil && processed == 0 && after == nil }
  }

  /// Something was found without a call: what the mixer did since the last time.
  mutating func found(_ finding: Finding) -> Changes {
    Changes(processed: take(finding.processed), after: move(to: finding.state))
  }

  /// The source was played, and right after that something was found.
  ///
  /// What the mixer did before was found before.
  /// Whatever has frames plays, if only so shortly that the mixer has ended it by now.
  mutating func played(hasFrames: Bool, then finding: Finding) -> Changes {
    // A queue that does not go on from a pause starts from its first buffer.
    if state != .paused { processed = 0 }
    let before = hasFrames ? move(to: .playing) : nil
    return Changes(before: before, processed: take(finding.processed), after: move(to: finding.state))
  }

  /// Buffers were taken from the head of the queue; those that ended after the last look are still to be told.
  mutating func unqueued(_ count: Int) -> Changes {
    defer { processed = max(processed - count, 0) }
    return Changes(processed: max(count - processed, 0))
  }

  /// What was played until now is nobody's news.
  mutating func forgetProcessed() { processed = 0 }

  private mutating func take(_ found: Int?) -> Int {
    guard let found else { return 0 }
    // Fewer than before: the queue was moved back, or starts over. What is played again counts again.
    defer { processed = found }
    return max(found - processed, 0)
  }

  private mutating func move(to found: SourceState) -> SourceState? {
    guard found != state else { return nil }
    state = found
    return found
  }
}
