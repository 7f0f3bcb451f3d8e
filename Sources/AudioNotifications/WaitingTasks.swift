package import AudioSupport

/// The tasks that wait for an element of a sequence, first in, first out.
///
/// The lock of the sequence guards them. A call that removes a task returns its continuation, to be resumed without the
/// lock. Other modules inline ``isEmpty``, because a context appends to a sequence under its own lock.
@frozen @usableFromInline
package struct WaitingTasks<Element: Sendable>: Sendable {
  @usableFromInline package typealias Continuation = CheckedContinuation<Element?, Never>

  @usableFromInline var tasks: [(ticket: Int, continuation: Continuation)] = []
  private var lastTicket = 0

  package init() {}

  @inlinable package var isEmpty: Bool { tasks.isEmpty }
  var count: Int { tasks.count }

  package mutating func popFirst() -> Continuation? { isEmpty ? nil : tasks.removeFirst().continuation }

  package mutating func removeAll() -> [Continuation] {
    defer { tasks = [] }
    return tasks.map(\.continuation)
  }

  /// A number that names a task before it waits.
  fileprivate mutating func makeTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  fileprivate mutating func remove(_ ticket: Int) -> Continuation? {
    tasks.firstIndex { $0.ticket == ticket }.map { tasks.remove(at: $0).continuation }
  }
}

/// The state of a sequence: its elements, and the tasks that wait for one.
package protocol AwaitedElements: Sendable {
  associatedtype Element: Sendable
  var waiting: WaitingTasks<Element> { get set }

  /// The answer for a task that asks: an element, `.some(nil)` at the end, or `nil` if the task has to wait.
  mutating func takeNext() -> Element??
}

extension Lock where Value: AwaitedElements {
  /// The next element; `nil` at the end.
  ///
  /// A cancelled task receives `nil` too; other tasks receive further elements.
  package borrowing func next() async -> Value.Element? {
    let ticket = withLock { $0.waiting.makeTicket() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Value.Element?? = withLock { state in
          // A cancelled task takes no element from the others.
          if Task.isCancelled { return .some(nil) }
          if let answer = state.takeNext() { return answer }
          state.waiting.tasks.append((ticket, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      withLock { $0.waiting.remove(ticket) }?.resume(returning: nil)
    }
  }
}
