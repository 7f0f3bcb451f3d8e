import AudioSupport
import TestSupport
import Testing

@testable import Spatial3D

/// The queues of notifications and the threads that deliver them, without a context.
@Suite struct DeliveryTests {
  /// A store with a number of deliveries, which may wait for a gate.
  private final class Store: NotificationQueue {
    let name: String
    private let left: Lock<Int>
    private let log: Log
    let gate = Gate()

    init(_ name: String, _ count: Int = 1, _ log: Log) {
      (self.name, self.log) = (name, log)
      left = Lock(count)
    }

    func deliver() -> Bool {
      gate.pass()
      log.names.withLock { $0.append(name) }
      return left.withLock { left in
        left -= 1
        return left > 0
      }
    }
  }

  private final class Log: Sendable {
    let names = Lock<[String]>([])
    let checks = Lock(0)
    var all: [String] { names.withLock { $0 } }
    var checkCount: Int { checks.withLock { $0 } }
  }

  @Test func `A thread that delivers serves all stores in turn, until none has more`() {
    let (log, dispatcher) = (Log(), SynchronousDispatcher())
    dispatcher.deliver()
    for (name, count) in [("a", 3), ("b", 1), ("c", 2)] { dispatcher.schedule(Store(name, count, log)) }
    #expect(log.all == [])
    dispatcher.deliver()
    #expect(log.all == ["a", "b", "c", "a", "c", "a"])
    dispatcher.deliver()
    #expect(log.all.count == 6)
  }

  @Test(.hangLimit) func `Another thread starts after 20 ms without a delivery, and surplus threads end`() throws {
    let log = Log()
    let dispatcher = BackgroundDispatcher { log.checks.withLock { $0 += 1 } }
    #expect(DeliveryProgress.patience == 20_000_000)
    #expect(dispatcher.checkProgress(at: 0) == nil)
    let (blocked, quick) = (Store("blocked", 1, log), Store("quick", 3, log))
    blocked.gate.close()
    dispatcher.schedule(blocked)
    blocked.gate.waitForReads(1)
    // The only thread is busy, and nothing waits.
    #expect(log.checkCount == 0 && dispatcher.checkProgress(at: 1_000) == nil)
    dispatcher.schedule(quick)
    #expect(log.checkCount == 1)
    dispatcher.deliver()
    #expect(dispatcher.checkProgress(at: 5_000) == 20_000_000)
    #expect(dispatcher.checkProgress(at: 5_005_000) == 15_000_000)
    #expect(dispatcher.checkProgress(at: 20_004_999) == 1)
    #expect(log.all == [])
    #expect(dispatcher.checkProgress(at: 20_005_000) == 20_000_000)
    try eventually("the second thread has delivered") { log.all == ["quick", "quick", "quick"] }
    #expect(dispatcher.checkProgress(at: 20_005_001) == nil)
    blocked.gate.open()
    try eventually("the first thread has delivered") { log.all.count == 4 }
    // A parked thread takes the next one, with no check and no start.
    for number in 0..<50 {
      try eventually("a thread is parked") { dispatcher.checkProgress(at: 0) == nil }
      let checks = log.checkCount
      dispatcher.schedule(Store("\(number)", 2, log))
      try eventually("the store is empty") { log.all.count == 6 + 2 * number }
      #expect(log.checkCount <= checks + 1)
    }
  }

  @Test func `A queue without progress gets another thread each 20 ms`() {
    var progress = DeliveryProgress()
    let looks: [(begun: UInt64?, now: Int64)] = [
      (nil, 0), (1, 5), (1, 15), (1, 25), (1, 26), (1, 44), (1, 45), (2, 50), (2, 69), (nil, 70), (2, 71), (2, 91),
    ]
    let steps = looks.map { progress.step(begun: $0.begun, now: $0.now * 1_000_000) }
    #expect(steps.map { $0.wait.map { $0 / 1_000_000 } } == [nil, 20, 10, 20, 19, 1, 20, 20, 1, nil, 20, 20])
    #expect(steps.indices.filter { steps[$0].isStuck } == [3, 6, 11])
  }

  @Test(.hangLimit) func `A queue that moves between two checks is not stuck`() throws {
    let log = Log()
    let dispatcher = BackgroundDispatcher { log.checks.withLock { $0 += 1 } }
    let (blocked, next) = (Store("blocked", 1, log), Store("next", 1, log))
    for store in [blocked, next] { store.gate.close() }
    dispatcher.schedule(blocked)
    blocked.gate.waitForReads(1)
    dispatcher.schedule(next)
    dispatcher.schedule(Store("last", 1, log))
    #expect(dispatcher.checkProgress(at: 0) == 20_000_000)
    blocked.gate.open()
    next.gate.waitForReads(1)
    // The thread has begun another delivery, so the wait begins again.
    #expect(dispatcher.checkProgress(at: 30_000_000) == 20_000_000)
    #expect(dispatcher.checkProgress(at: 49_999_999) == 1)
    #expect(log.all == ["blocked"])
    #expect(dispatcher.checkProgress(at: 50_000_000) == 20_000_000)
    try eventually("another thread has delivered") { log.all == ["blocked", "last"] }
    next.gate.open()
    try eventually("the first thread has delivered") { log.all.count == 3 }
  }

  /// A state, or a count.
  private struct Note: Coalescing, Hashable {
    var value: Int
    var isCount = false
    var isJoinable = false
    func joined(with later: Note) -> Note? {
      guard isJoinable, later.isJoinable, isCount == later.isCount else { return nil }
      return isCount ? Note(value: value + later.value, isCount: true, isJoinable: true) : later
    }
  }

  @Test func `A closure receives each notification once, until its subscription is finished or cancelled`() {
    let dispatcher = SynchronousDispatcher()
    let found = Lock<[Int]>([])
    func values() -> [Int] { found.withLock { $0 } }
    let subscription = Subscription<Note>(handler: { note in found.withLock { $0.append(note.value) } })
    for value in 1...3 { #expect(!subscription.post(Note(value: value), over: dispatcher)) }
    #expect(values() == [])
    dispatcher.deliver()
    #expect(values() == [1, 2, 3])
    subscription.post(Note(value: 4), over: dispatcher)
    subscription.finish(over: dispatcher)
    #expect(!subscription.post(Note(value: 5), over: dispatcher))
    dispatcher.deliver()
    #expect(values() == [1, 2, 3, 4] && !subscription.isCancelled)
    let other = Subscription<Note>(handler: { note in found.withLock { $0.append(note.value) } })
    other.post(Note(value: 6), over: dispatcher)
    other.cancel()
    dispatcher.deliver()
    #expect(values() == [1, 2, 3, 4] && other.isCancelled)
    // A closure has no bound.
    let endless = Subscription<Note>(handler: { _ in })
    for value in 0...Subscription<Note>.unreadLimit { #expect(!endless.post(Note(value: value), over: dispatcher)) }
    #expect(endless.lostCount == 0)
  }

  @Test func `A sequence loses the oldest of more than 16,384 that wait, and reports the first loss`() async {
    #expect(Subscription<Note>.unreadLimit == 16_384)
    let dispatcher = SynchronousDispatcher()
    let subscription = Subscription<Note>()
    for value in 0..<16_384 { #expect(!subscription.post(Note(value: value), over: dispatcher)) }
    #expect(subscription.lostCount == 0)
    #expect(subscription.post(Note(value: 16_384), over: dispatcher))
    #expect(!subscription.post(Note(value: 16_385), over: dispatcher))
    #expect(subscription.lostCount == 2)
    let first = await subscription.next()
    #expect(first?.value == 2)
    subscription.finish(over: dispatcher)
    var last = first
    while let next = await subscription.next() { last = next }
    #expect(last?.value == 16_385)
  }

  @Test func `A task that awaits receives the next notification, and nil at the end`() async throws {
    let dispatcher = SynchronousDispatcher()
    let subscription = Subscription<Note>()
    let log = Lock<[Int]>([])
    let task = Task {
      while let next = await subscription.next() { log.withLock { $0.append(next.value) } }
      return log.withLock { $0 }
    }
    for value in 1...5 {
      subscription.post(Note(value: value), over: dispatcher)
      try await eventually("the task has \(value)") {
        dispatcher.deliver()
        return log.withLock { $0.last } == value
      }
    }
    subscription.finish(over: dispatcher)
    dispatcher.deliver()
    try await eventually("the task has ended") {
      dispatcher.deliver()
      return log.withLock { $0.count } == 5
    }
    #expect(await task.value == [1, 2, 3, 4, 5])
    // A subscription that has ended has nothing for the next task.
    #expect(await subscription.next() == nil)
    let cancelled = Subscription<Note>()
    cancelled.post(Note(value: 1), over: dispatcher)
    cancelled.cancel()
    #expect(await cancelled.next() == nil)
  }

  @Test func `A queue joins the first of two kinds that has a later one, and adds counts side by side`() {
    var queue = CoalescingQueue<Note>()
    #expect(queue.isEmpty && queue.count == 0 && CoalescingQueue<Note>.limit == 64)
    queue.append(Note(value: 1, isCount: true, isJoinable: true))
    queue.append(Note(value: 2, isCount: true, isJoinable: true))
    queue.append(Note(value: 9))
    // An end between two counts keeps them apart.
    queue.append(Note(value: 4, isCount: true, isJoinable: true))
    #expect(queue.count == 3 && !queue.isEmpty)
    check((0..<4).map { _ in queue.popFirst()?.value }, [3, 9, 4, nil])
    // A state that was taken does not join the next count.
    queue.append(Note(value: 5, isCount: true, isJoinable: true))
    check(queue.popFirst()?.value, 5)
    queue.append(Note(value: 6, isCount: true, isJoinable: true))
    check(queue.popFirst()?.value, 6)
    check(queue.isEmpty, true)
    for value in 0..<65 { queue.append(Note(value: value, isJoinable: true)) }
    check(queue.count, 64)
    check(queue.popFirst()?.value, 1)
    var bounded = CoalescingQueue<Note>(bound: 2)
    check([1, 2, 3, 4].map { bounded.append(Note(value: $0)) }, [false, false, true, true])
    check(bounded.lostCount, 2)
    check(bounded.popFirst()?.value, 3)
    bounded.removeAll()
    #expect(bounded.isEmpty && bounded.count == 0)
  }
}
