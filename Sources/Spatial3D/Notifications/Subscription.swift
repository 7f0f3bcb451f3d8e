/// One subscriber's notifications on their way: the storage under every face.
///
/// Notifications are put in under the context's lock, in order, and handed over without any lock: to a closure, one after the
/// other, or to whoever awaits them.
final class Subscription<Element: Coalescing>: Deliverable {
  typealias Handler = @Sendable (Element) -> Void

  fileprivate struct State: Sendable {
    var pending = PendingList<Element>()
    var handler: HandlerBox?
    var waiting: [Waiter] = []
    var lastTicket = 0
    /// Whether somebody is about to hand over, or does.
    var isScheduled = false
    /// Nothing comes any more.
    var isFinished = false
    /// And nothing is to be handed over any more.
    var isCancelled = false
  }

  /// A closure by itself would be wrapped once more each time that the lock hands it out.
  fileprivate struct HandlerBox: Sendable {
    let call: Handler
  }

  fileprivate struct Waiter: Sendable {
    let ticket: Int
    let continuation: CheckedContinuation<Element?, Never>
  }

  private let state: Lock<State>

  init(handler: Handler? = nil) {
    state = Lock(State(handler: handler.map(HandlerBox.init)))
  }
}

// MARK: - Putting in

extension Subscription {
  /// Puts a notification in; says whether somebody has to hand over now.
  func post(_ element: Element) -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      state.pending.append(element)
      return state.claim()
    }
  }

  /// The last notification is in; says whether somebody has to hand over now.
  func finish() -> Bool {
    state.withLock { state in
      state.isFinished = true
      return state.claim()
    }
  }

  /// Nothing more is wanted.
  ///
  /// A closure that runs on another thread ends a little later.
  func cancel() {
    let (handler, waiting) = state.withLock { state in
      state.isFinished = true
      state.isCancelled = true
      state.pending.removeAll()
      defer {
        state.handler = nil
        state.waiting = []
      }
      return (state.handler, state.waiting)
    }
    for waiter in waiting { waiter.continuation.resume(returning: nil) }
    // What the closure holds goes here, without a lock.
    withExtendedLifetime(handler) {}
  }
}

extension Subscription.State {
  /// Whether there is something to hand over that nobody is about to.
  mutating func claim() -> Bool {
    guard !isScheduled, canHandOver else { return false }
    isScheduled = true
    return true
  }

  var canHandOver: Bool {
    if handler != nil { return !pending.isEmpty }
    return !waiting.isEmpty && (!pending.isEmpty || isFinished)
  }
}

// MARK: - Handing over

extension Subscription {
  /// What one delivery does.
  private enum Delivery {
    case call(HandlerBox, Element)
    case resume(Waiter, Element?)
  }

  func deliver() -> Bool {
    // One at a time: others have their turn in between.
    let delivery: Delivery? = state.withLock { state in
      if let handler = state.handler {
        return state.pending.popFirst().map { .call(handler, $0) }
      }
      guard state.canHandOver else { return nil }
      return .resume(state.waiting.removeFirst(), state.pending.popFirst())
    }
    switch delivery {
    case .call(let handler, let element): handler.call(element)
    case .resume(let waiter, let element): waiter.continuation.resume(returning: element)
    case nil: break
    }
    return state.withLock { state in
      state.isScheduled = state.canHandOver
      return state.isScheduled
    }
  }

  /// The next notification; `nil` once there will be none.
  ///
  /// `nil` too where the task is cancelled meanwhile, which ends nothing for others.
  func next() async -> Element? {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Element?? = state.withLock { state in
          if state.waiting.isEmpty, let next = state.pending.popFirst() { return .some(next) }
          if Task.isCancelled || state.isFinished { return .some(nil) }
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
