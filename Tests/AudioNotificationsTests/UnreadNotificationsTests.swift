import TestSupport
import Testing

@testable import AudioNotifications

@Suite(.hangLimit) struct UnreadNotificationsTests {
  private let unread = UnreadNotifications<Int>()

  private func rest() async -> [Int] {
    var elements: [Int] = []
    while let next = await unread.next() { elements.append(next) }
    return elements
  }

  @Test func `Of more than 16,384 elements the newest wait, and the others are counted`() async {
    for number in 0..<16_384 { unread.append(number) }
    #expect(unread.lostCount == 0)
    for number in 16_384..<16_387 { unread.append(number) }
    #expect(unread.lostCount == 3)
    unread.finish()
    #expect(await rest() == Array(3..<16_387))
    #expect(unread.lostCount == 3)
  }

  @Test func `The end comes after the elements that wait, and later elements are dropped`() async {
    unread.append(1)
    unread.finish()
    unread.append(2)
    #expect(await rest() == [1])
    #expect(await unread.next() == nil)
    #expect(unread.lostCount == 0)
  }

  private func awaitWaiting(_ count: Int) async throws {
    try await eventually("\(count) tasks wait") { unread.waitingCount == count }
  }

  @Test func `Tasks that wait receive the next elements in order, and nil at the end`() async throws {
    let first = Task { await unread.next() }
    try await awaitWaiting(1)
    let second = Task { await unread.next() }
    try await awaitWaiting(2)
    unread.append(1)
    unread.append(2)
    #expect(await first.value == 1)
    #expect(await second.value == 2)
    let last = Task { await unread.next() }
    try await awaitWaiting(1)
    unread.finish()
    #expect(await last.value == nil)
  }

  @Test func `A cancelled task receives nil, and other tasks receive further elements`() async throws {
    let cancelled = Task { await unread.next() }
    let other = Task { await unread.next() }
    try await awaitWaiting(2)
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    #expect(unread.waitingCount == 1)
    unread.append(1)
    #expect(await other.value == 1)
  }

  @Test func `A task that is cancelled takes no element that waits`() async {
    for number in 0..<3 { unread.append(number) }
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return await unread.next()
    }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    unread.finish()
    #expect(await rest() == [0, 1, 2])
  }

  @Test func `Two loops share the elements of several threads, each element once and in order`() async {
    let loops = [Task { await rest() }, Task { await rest() }]
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask { for number in 0..<1_000 { unread.append(1_000 * thread + number) } }
      }
    }
    unread.finish()
    var all: [Int] = []
    for loop in loops {
      let elements = await loop.value
      for thread in 0..<4 {
        let own = elements.filter { $0 / 1_000 == thread }
        #expect(own == own.sorted())
      }
      all += elements
    }
    #expect(all.sorted() == Array(0..<4_000))
  }
}
