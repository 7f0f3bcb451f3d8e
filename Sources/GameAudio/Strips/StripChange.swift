internal import SignalProcessing

/// A change of a part of a strip, which a tick performs.
struct StripChange: ~Copyable, Sendable {
  let steps: [ProcessorStep]
  /// The frames of a glide or a crossfade.
  let frameCount: Int
  /// A chain of the steps, where one is needed; behind the change the chain that it has replaced.
  var chain: AlignedChain?
  var isPerformed = false

  init(steps: [ProcessorStep], frameCount: Int) { (self.steps, self.frameCount) = (steps, frameCount) }
}

/// The newest change of each part of a strip.
struct StripChanges: ~Copyable, Sendable {
  private var inserts: StripChange?
  private var lastStages: StripChange?

  /// Swaps the change of a part for another one.
  mutating func swapChange(of part: Strip.Part, with change: inout StripChange?) {
    switch part {
    case .inserts: swap(&inserts, &change)
    case .lastStages: swap(&lastStages, &change)
    }
  }

  /// Keeps a change that was performed, unless a newer one waits.
  mutating func keep(_ change: inout StripChange?, of part: Strip.Part) {
    switch part {
    case .inserts: if inserts == nil { swap(&inserts, &change) }
    case .lastStages: if lastStages == nil { swap(&lastStages, &change) }
    }
  }

  /// The change of a part that was performed.
  mutating func takePerformed(_ part: Strip.Part) -> StripChange? {
    switch part {
    case .inserts: Self.takePerformed(&inserts)
    case .lastStages: Self.takePerformed(&lastStages)
    }
  }

  private static func takePerformed(_ change: inout StripChange?) -> StripChange? {
    isWaiting(change) ? nil : change.take()
  }

  private static func isWaiting(_ change: borrowing StripChange?) -> Bool {
    switch change {
    case .some(let change): !change.isPerformed
    case .none: false
    }
  }
}
