/// The progress of work that several threads share: its reports come in order, one at a time, and with no lock held.
///
/// A thread that finishes a part while another thread reports leaves its report to that thread, and goes on with its
/// work. The closures may call ``advance(_:)`` and whatever else they like.
package final class SharedProgress: Sendable {
  private struct State {
    var finished = 0
    var reported = 0
    var isReporting = false

    /// The number of the next report; `nil` if none is due, and the thread stops reporting.
    mutating func next() -> Int? {
      isReporting = reported < finished
      guard isReporting else { return nil }
      reported += 1
      return reported
    }
  }

  private let total: Int
  private let report: (@Sendable (_ finished: Int, _ total: Int) -> Void)?
  private let state = Lock(State())

  /// The progress of a number of parts, 1 and up.
  package init(of total: Int, report: (@Sendable (_ finished: Int, _ total: Int) -> Void)?) {
    (self.total, self.report) = (total, report)
  }

  /// Whether a thread is reporting.
  package var isReporting: Bool { state.withLock { $0.isReporting } }

  /// Counts one more part as finished; behind the report of the last part, one of the threads calls its `end`.
  package func advance(_ end: () -> Void) {
    let begins = state.withLock { state in
      state.finished += 1
      defer { state.isReporting = true }
      return !state.isReporting
    }
    guard begins else { return }
    while let count = state.withLock({ $0.next() }) {
      report?(count, total)
      if count == total { end() }
    }
  }
}
