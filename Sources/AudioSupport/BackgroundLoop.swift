/// A thread that repeats a step, and sleeps in between for as long as the step returns.
///
/// There is no thread before `begin`, and none after a step that ended the loop. A `begin` while the thread runs is not
/// lost: a step that ends the loop is then repeated once.
package final class BackgroundLoop: Sendable {
  /// The time of the next step.
  package enum Next: Hashable, Sendable {
    /// After some nanoseconds, or at the next signal if that comes earlier.
    case after(Int64)
    case onSignal
    case end
  }

  private struct State: Sendable {
    var isRunning = false
    /// Whether `begin` was called since the thread began, or since the last step that ended the loop.
    var isAskedAgain = false
  }

  /// Wakes the thread; C code may signal it too.
  package let semaphore = Semaphore()
  private let state = Lock(State())

  package init() {}

  package var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Starts a thread that repeats a step, unless a thread repeats an earlier one; with `wakes`, that one runs its step
  /// now.
  ///
  /// The thread retains the loop and its step; a step that is passed while it runs is dropped. Returns `false` if the
  /// system starts no thread; another call tries again.
  @discardableResult
  package func begin(wakes: Bool = false, _ step: @escaping @Sendable () -> Next) -> Bool {
    // The lock is held while the thread starts: another call must not rely on a thread that the system refuses.
    state.withLock { state in
      if state.isRunning {
        state.isAskedAgain = true
        if wakes { semaphore.signal() }
      } else {
        state.isRunning = startThread { self.run(step) }
      }
      return state.isRunning
    }
  }

  /// Lets the thread run its step now.
  package func signal() { semaphore.signal() }

  private func run(_ step: () -> Next) {
    while true {
      switch step() {
      case .after(let nanoseconds): semaphore.wait(atMost: nanoseconds)
      case .onSignal: semaphore.wait()
      case .end:
        let isOver = state.withLock { state in
          defer { state.isAskedAgain = false }
          state.isRunning = state.isAskedAgain
          return !state.isRunning
        }
        if isOver { return }
      }
    }
  }
}
