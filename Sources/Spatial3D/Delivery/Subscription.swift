internal import AudioSupport

/// The storage of one subscriber's pending notifications, shared by all kinds of subscriptions.
///
/// Notifications are appended under the context's lock, in order, and delivered without a lock: to a closure, one after
/// the other, to tasks that await them, or to an inbox.
package final class Subscription<Element: Coalescing>: NotificationQueue {
  package typealias Handler = @Sendable (Element) -> Void

  fileprivate struct State: AwaitedElements {
    var pending: CoalescingQueue<Element>
    var handler: HandlerBox?
    let hasInbox: Bool
    var waiting = WaitingTasks<Element>()
    /// Whether a delivery is scheduled or running.
    var isScheduled = false
    /// Whether no more notifications are accepted.
    var isFinished = false
    /// Whether pending notifications are no longer delivered.
    var isCancelled = false
  }

  /// The box avoids a further wrapper around the closure each time that the lock returns it.
  fileprivate struct HandlerBox: Sendable {
    let call: Handler
  }

  private let state: Lock<State>
  /// The queue of the inbox that takes the notifications; `nil` for the context's own queue.
  private let inbox: (any NotificationDispatcher)?

  /// The largest number of notifications that are never joined and wait for a task.
  package static var unreadLimit: Int { UnreadNotifications<Element>.limit }

  init(handler: Handler? = nil, inbox: (any NotificationDispatcher)? = nil) {
    let isSequence = handler == nil && inbox == nil
    let pending = CoalescingQueue<Element>(bound: isSequence ? Self.unreadLimit : nil)
    state = Lock(State(pending: pending, handler: handler.map(HandlerBox.init), hasInbox: inbox != nil))
    self.inbox = inbox
  }
}

// MARK: - Putting in

extension Subscription {
  /// Appends a notification, and schedules its delivery; returns whether it is the first for which one was lost.
  @discardableResult
  func post(_ element: Element, over deliveries: any NotificationDispatcher) -> Bool {
    let (isClaimed, isFirstLoss) = state.withLock { state in
      guard !state.isFinished else { return (false, false) }
      let hasLost = state.pending.append(element)
      return (state.claim(), hasLost && state.pending.lostCount == 1)
    }
    if isClaimed { (inbox ?? deliveries).schedule(self) }
    return isFirstLoss
  }

  /// The number of notifications that were dropped, because too many waited to be read.
  package var lostCount: Int { state.withLock { $0.pending.lostCount } }

  /// Accepts no more notifications, and schedules the delivery of the pending notifications.
  func finish(over deliveries: any NotificationDispatcher) {
    let isClaimed = state.withLock { state in
      state.isFinished = true
      return state.claim()
    }
    if isClaimed { (inbox ?? deliveries).schedule(self) }
  }

  /// Ends the subscription and drops the pending notifications.
  ///
  /// A closure that runs on another thread ends a little later.
  package func cancel() {
    let (handler, waiting, isClaimed) = state.withLock { state in
      state.isFinished = true
      state.isCancelled = true
      state.pending.removeAll()
      defer { state.handler = nil }
      return (state.handler, state.waiting.removeAll(), state.hasInbox && state.claim())
    }
    if isClaimed { inbox?.schedule(self) }
    for task in waiting { task.resume(returning: nil) }
    // The captures of the closure are released here, without a lock.
    withExtendedLifetime(handler) {}
  }
}

extension Subscription.State {
  /// Returns whether there is something to deliver and no delivery is scheduled.
  mutating func claim() -> Bool {
    guard !isScheduled, canHandOver else { return false }
    isScheduled = true
    return true
  }

  var canHandOver: Bool {
    if hasInbox { return !pending.isEmpty || isFinished }
    if handler != nil { return !pending.isEmpty }
    return !waiting.isEmpty && (!pending.isEmpty || isFinished)
  }

  mutating func takeNext() -> Element?? {
    if waiting.isEmpty, let next = pending.popFirst() { return .some(next) }
    return isFinished ? .some(nil) : nil
  }
}

// MARK: - Handing over

extension Subscription {
  /// The work of one delivery.
  private enum Delivery {
    case call(HandlerBox, Element)
    case resume(WaitingTasks<Element>.Continuation, Element?)
  }

  func deliver() -> Bool {
    // One notification per turn: other subscriptions are served in between.
    let delivery: Delivery? = state.withLock { state in
      if let handler = state.handler {
        return state.pending.popFirst().map { .call(handler, $0) }
      }
      guard state.canHandOver, let task = state.waiting.popFirst() else { return nil }
      return .resume(task, state.pending.popFirst())
    }
    switch delivery {
    case .call(let handler, let element): handler.call(element)
    case .resume(let task, let element): task.resume(returning: element)
    case nil: break
    }
    return state.withLock { state in
      state.isScheduled = state.canHandOver
      return state.isScheduled
    }
  }

  /// Takes the pending notifications for an inbox; returns whether they are the last.
  func takePending() -> (elements: CoalescingQueue<Element>, isLast: Bool) {
    state.withLock { state in
      state.isScheduled = false
      defer { state.pending.removeAll() }
      return (state.pending, state.isFinished)
    }
  }

  /// Whether the pending notifications are no longer delivered.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The next notification; `nil` at the end.
  ///
  /// A cancelled task receives `nil` too; the subscription then continues for others.
  package func next() async -> Element? { await state.next() }
}
