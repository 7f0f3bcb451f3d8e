import AudioNotifications
import AudioSupport
import Synchronization
import TestSupport
import Testing

@Suite(.hangLimit) struct NotificationTokenTests {
  @Test func `A token calls its closure at its release, unless it was cancelled before`() {
    let calls = Lock(0)
    var token: NotificationToken? = NotificationToken { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 0)
    token = nil
    #expect(token == nil)
    #expect(calls.withLock { $0 } == 1)
    do {
      let cancelled = NotificationToken { calls.withLock { $0 += 1 } }
      cancelled.cancel()
      #expect(calls.withLock { $0 } == 2)
      cancelled.cancel()
    }
    #expect(calls.withLock { $0 } == 2)
  }

  @Test func `The closure of a token may cancel the token again`() {
    let own = Held()
    let calls = Lock(0)
    let token = NotificationToken {
      calls.withLock { $0 += 1 }
      own.token.withLock { $0 }?.cancel()
    }
    own.token.withLock { $0 = token }
    token.cancel()
    #expect(calls.withLock { $0 } == 1)
    own.token.withLock { $0 = nil }
  }

  private final class Held: Sendable {
    let token = Lock<NotificationToken?>(nil)
  }

  @Test func `A token that two threads cancel at once calls its closure once`() async throws {
    for _ in 0..<100 {
      let race = Race()
      let token = NotificationToken { race.calls.add(1, ordering: .relaxed) }
      for _ in 0..<2 {
        let isStarted = startThread {
          race.absent.subtract(1, ordering: .relaxed)
          while race.absent.load(ordering: .relaxed) > 0 {}
          token.cancel()
          race.ended.add(1, ordering: .releasing)
        }
        try #require(isStarted)
      }
      try await eventually("both threads have cancelled the token") { race.ended.load(ordering: .acquiring) == 2 }
      #expect(race.calls.load(ordering: .relaxed) == 1)
    }
  }

  private final class Race: Sendable {
    /// The number of threads that have not reached the call.
    let absent = Atomic(2)
    let calls = Atomic(0)
    let ended = Atomic(0)
  }
}
