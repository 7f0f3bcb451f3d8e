internal import AudioSupport

/// A store of pending notifications.
protocol NotificationQueue: AnyObject, Sendable {
  /// Delivers one notification; returns whether there are more.
  ///
  /// Called without a lock, by one thread at a time. The caller of `schedule(_:)` has to ensure that.
  func deliver() -> Bool
}

/// A first-in, first-out queue of stores with pending notifications.
protocol NotificationDispatcher: AnyObject, Sendable {
  /// Appends a store to the queue; may be called with locks held.
  func schedule(_ deliverable: any NotificationQueue)

  /// Delivers the notifications that the calling thread has to deliver, none if other threads do it; without a lock.
  func deliver()
}

/// The waiting stores, in order.
private typealias ReadyQueue = FirstInFirstOut<any NotificationQueue>

/// The queue of an offline context: the thread that renders or calls delivers, before the call returns.
///
/// Notifications that a handler causes are delivered inside the call that caused them, except to handlers that are
/// running.
final class SynchronousDispatcher: NotificationDispatcher {
  private let ready = Lock(ReadyQueue())

  func schedule(_ deliverable: any NotificationQueue) { ready.withLock { $0.append(deliverable) } }

  func deliver() {
    while let next = ready.withLock({ $0.popFirst() }) {
      if next.deliver() { schedule(next) }
    }
  }
}

/// The queue of all contexts on devices, and the threads that deliver.
///
/// Usually one thread is enough; it is parked while the queue is empty. If a handler blocks it, another thread starts
/// after 20 ms and serves the rest of the queue. Surplus threads end.
final class BackgroundDispatcher: NotificationDispatcher {
  private struct State: Sendable {
    var ready = ReadyQueue()
    var threads = 0
    var parked = 0
    /// The number of deliveries that were begun.
    var begun: UInt64 = 0
    var progress = DeliveryProgress()
  }

  private let state = Lock(State())
  private let semaphore = Semaphore()
  /// Asks a thread that never blocks to call `checkProgress` soon.
  private let requestCheck: @Sendable () -> Void

  init(requestCheck: @escaping @Sendable () -> Void) { self.requestCheck = requestCheck }

  func schedule(_ deliverable: any NotificationQueue) {
    let isAlone = state.withLock { state in
      state.ready.append(deliverable)
      if state.parked > 0 {
        state.parked -= 1
        semaphore.signal()
        return false
      }
      return state.threads == 0
    }
    // All threads may be busy, or blocked.
    if isAlone { start() } else { requestCheck() }
  }

  func deliver() {}

  /// Starts another thread if the queue makes no progress; returns the nanoseconds until the next poll, `nil` for an
  /// empty queue.
  func checkProgress(at now: Int64) -> Int64? {
    let (wait, isStuck) = state.withLock { state in
      let isWaiting = !state.ready.isEmpty && state.parked == 0
      return state.progress.step(begun: isWaiting ? state.begun : nil, now: now)
    }
    if isStuck { start() }
    return wait
  }

  private func start() {
    state.withLock { $0.threads += 1 }
    // If the system has no thread left, the next check tries again.
    guard !startThread({ self.work() }) else { return }
    state.withLock { $0.threads -= 1 }
    requestCheck()
  }

  private func work() {
    while true {
      let (next, isDone): ((any NotificationQueue)?, Bool) = state.withLock { state in
        if let next = state.ready.popFirst() {
          state.begun += 1
          return (next, false)
        }
        // One thread stays.
        guard state.threads == 1 || state.parked == 0 else {
          state.threads -= 1
          return (nil, true)
        }
        state.parked += 1
        return (nil, false)
      }
      if isDone { return }
      guard let next else {
        semaphore.waitForOne()
        continue
      }
      if next.deliver() { state.withLock { $0.ready.append(next) } }
    }
  }
}
