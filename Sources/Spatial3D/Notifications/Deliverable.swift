/// What has notifications to hand over.
protocol Deliverable: AnyObject, Sendable {
  /// Hands over one notification, without a lock; says whether there are more.
  ///
  /// By one thread at a time, which whoever put the notification in saw to.
  func deliver() -> Bool
}

/// Where those wait that have notifications to hand over, first come, first served.
protocol Deliveries: AnyObject, Sendable {
  /// Puts somebody in the line; may be called with locks held.
  func schedule(_ deliverable: any Deliverable)

  /// Hands over what the calling thread has to, which is nothing where others do it; without a lock.
  func deliver()
}

/// Those that wait, in their order.
private struct Line: Sendable {
  private var members: [any Deliverable] = []
  private var head = 0

  var isEmpty: Bool { head == members.count }

  mutating func append(_ next: any Deliverable) { members.append(next) }

  mutating func popFirst() -> (any Deliverable)? {
    guard !isEmpty else { return nil }
    head += 1
    defer {
      // Not for each of thousands.
      if head == members.count || head == 64 {
        members.removeFirst(head)
        head = 0
      }
    }
    return members[head - 1]
  }
}

/// The line of an offline context: whoever renders or calls hands over, before the call returns.
///
/// What a handler causes is handed over inside the call that caused it, except to handlers that are at work.
final class CallerDeliveries: Deliveries {
  private let line = Lock(Line())

  func schedule(_ deliverable: any Deliverable) { line.withLock { $0.append(deliverable) } }

  func deliver() {
    while let next = line.withLock({ $0.popFirst() }) {
      if next.deliver() { schedule(next) }
    }
  }
}

/// The line of all contexts on devices, and the threads that hand over.
///
/// One thread, parked while there is nothing to do. A handler that blocks keeps it; then the next in the line gets another
/// after 20 ms. Threads that are not needed any more end.
final class ThreadDeliveries: Deliveries {
  static let all = ThreadDeliveries()

  /// How long the line may stand still before another thread is started.
  static let patience: Int64 = 20_000_000

  private struct State: Sendable {
    var line = Line()
    var threads = 0
    var parked = 0
    /// Deliveries that were begun.
    var begun: UInt64 = 0
    /// What `begun` was when the line was last looked after, and when that was.
    var lastBegun: UInt64 = 0
    var stuckSince: Int64?
  }

  private let state = Lock(State())
  private let bell = Bell()

  func schedule(_ deliverable: any Deliverable) {
    let isAlone = state.withLock { state in
      state.line.append(deliverable)
      if state.parked > 0 {
        state.parked -= 1
        bell.ring()
        return false
      }
      return state.threads == 0
    }
    // All at work: who watches over the devices looks after the line in a while.
    if isAlone { start() } else { Lookout.all.watchDeliveries() }
  }

  func deliver() {}

  /// Starts another thread where the line stands still; returns how long it may go on like that, `nil` where nobody waits.
  func lookAfter(at now: Int64) -> Int64? {
    let (wait, isStuck): (Int64?, Bool) = state.withLock { state in
      guard !state.line.isEmpty, state.parked == 0 else {
        state.stuckSince = nil
        return (nil, false)
      }
      guard let since = state.stuckSince, state.lastBegun == state.begun else {
        state.stuckSince = now
        state.lastBegun = state.begun
        return (Self.patience, false)
      }
      guard now - since >= Self.patience else { return (since + Self.patience - now, false) }
      state.stuckSince = now
      return (Self.patience, true)
    }
    if isStuck { start() }
    return wait
  }

  private func start() {
    state.withLock { $0.threads += 1 }
    // Where there is no thread to be had, the lookout tries again.
    guard !startThread({ self.work() }) else { return }
    state.withLock { $0.threads -= 1 }
    Lookout.all.watchDeliveries()
  }

  private func work() {
    while true {
      let (next, isDone): ((any Deliverable)?, Bool) = state.withLock { state in
        if let next = state.line.popFirst() {
          state.begun += 1
          return (next, false)
        }
        // One stays.
        guard state.threads == 1 || state.parked == 0 else {
          state.threads -= 1
          return (nil, true)
        }
        state.parked += 1
        return (nil, false)
      }
      if isDone { return }
      guard let next else {
        bell.waitForOne()
        continue
      }
      if next.deliver() { state.withLock { $0.line.append(next) } }
    }
  }
}
