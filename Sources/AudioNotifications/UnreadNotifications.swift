internal import AudioSupport

/// The elements of a sequence that no task has taken yet: the newest, up to a bound.
///
/// Tasks take the elements in order, each element once. An append resumes a task that waits.
package final class UnreadNotifications<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var pending = FirstInFirstOut<Element>()
    /// The tasks that wait, in order; none while elements are pending.
    var waiting: [Waiter] = []
    var lastTicket = 0
    var lostCount = 0
    var isFinished = false
  }

  private struct Waiter: Sendable {
    let ticket: Int
    let continuation: CheckedContinuation<Element?, Never>
  }

  private let state = Lock(State())

  /// The largest number of elements that wait: half an hour of ten ends of sounds a second.
  package static var limit: Int { 16_384 }

  package init() {}

  /// The number of tasks that wait for an element.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The number of elements that were dropped, because too many waited to be read.
  package var lostCount: Int { state.withLock { $0.lostCount } }

  /// Appends an element, and drops the oldest for it if too many wait.
  ///
  /// After the end it does nothing.
  package func append(_ element: Element) {
    let waiter: Waiter? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.pending.append(element)
      if state.pending.count > Self.limit {
        _ = state.pending.popFirst()
        state.lostCount += 1
      }
      return nil
    }
    waiter?.continuation.resume(returning: element)
  }

  /// Accepts no more elements; tasks that wait receive `nil`.
  package func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume(returning: nil) }
  }

  /// The next element; `nil` at the end.
  ///
  /// A cancelled task receives `nil` too; other tasks receive further elements.
  package func next() async -> Element? {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Element?? = state.withLock { state in
          // A cancelled task takes no element from the others.
          if Task.isCancelled { return .some(nil) }
          if let next = state.pending.popFirst() { return .some(next) }
          if state.isFinished { return .some(nil) }
          state.waiting.append(Waiter(ticket: ticket, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: nil)
    }
  }
}
