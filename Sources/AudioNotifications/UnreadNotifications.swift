internal import AudioSupport

/// The elements of a sequence that no task has taken yet: the newest, up to a bound.
///
/// Tasks take the elements in order, each element once. An append resumes a task that waits.
package final class UnreadNotifications<Element: Sendable>: Sendable {
  private struct State: AwaitedElements {
    var pending = FirstInFirstOut<Element>()
    /// None while elements are pending.
    var waiting = WaitingTasks<Element>()
    var lostCount = 0
    var isFinished = false

    mutating func takeNext() -> Element?? {
      if let next = pending.popFirst() { return .some(next) }
      return isFinished ? .some(nil) : nil
    }
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
    let task: WaitingTasks<Element>.Continuation? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if let task = state.waiting.popFirst() { return task }
      state.pending.append(element)
      if state.pending.count > Self.limit {
        _ = state.pending.popFirst()
        state.lostCount += 1
      }
      return nil
    }
    task?.resume(returning: element)
  }

  /// Accepts no more elements; tasks that wait receive `nil`.
  package func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      return state.waiting.removeAll()
    }
    for task in waiting { task.resume(returning: nil) }
  }

  /// The next element; `nil` at the end.
  ///
  /// A cancelled task receives `nil` too; other tasks receive further elements.
  package func next() async -> Element? { await state.next() }
}
