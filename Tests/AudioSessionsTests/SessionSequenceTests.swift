import TestSupport
import Testing

@testable import AudioSessions

@Suite(.hangLimit) struct SessionSequenceTests {
  private let system = SimulatedSession()
  private let unread = UnreadNotifications<SessionEvent>()

  private func makeActiveSession() throws -> AudioSession {
    let session = AudioSession(system)
    try session.activate()
    return session
  }

  private func awaitLoop() async throws {
    try await eventually("a loop waits") { unread.waitingCount == 1 }
  }

  @Test func `Events form a sequence, which ends with the session after the pending events`() async throws {
    let sequence: NotificationSequence<SessionEvent>
    do {
      let session = try makeActiveSession()
      sequence = session.events()
      for _ in 0..<1_000 { system.post(.outputUnplugged) }
      system.post(.servicesLost)
    }
    var events: [SessionEvent] = []
    for await event in sequence { events.append(event) }
    #expect(events.count == 1_001)
    #expect(events.last == .servicesLost)
    #expect(sequence.lostCount == 0)
  }

  @Test func `A loop that waits ends at the release of the session`() async throws {
    var session: AudioSession? = try makeActiveSession()
    let sequence = try #require(session?.events(from: unread))
    let loop = Task {
      var count = 0
      for await _ in sequence { count += 1 }
      return count
    }
    try await awaitLoop()
    system.post(.servicesLost)
    try await awaitLoop()
    session = nil
    #expect(await loop.value == 1)
    #expect(session == nil)
  }

  @Test func `Of unread events the newest 16,384 are kept, and the others are counted`() async throws {
    let session = try makeActiveSession()
    let events = session.events()
    system.post(.phoneCallBegan)
    for _ in 0..<16_383 { system.post(.outputUnplugged) }
    #expect(events.lostCount == 0)
    system.post(.outputUnplugged)
    system.post(.servicesLost)
    #expect(events.lostCount == 2)
    var iterator = events.makeAsyncIterator()
    let gone = RouteChange(reason: .oldDeviceUnavailable, previous: SessionRoute(), current: SessionRoute())
    for _ in 0..<16_383 {
      let next = await iterator.next()
      guard next == .routeChanged(gone) else {
        Issue.record("\(String(describing: next)) is not the change of the route.")
        return
      }
    }
    let last = await iterator.next()
    #expect(last == .servicesLost)
  }

  @Test func `Two loops over one sequence share its events`() async throws {
    let session = try makeActiveSession()
    let events = session.events()
    var (first, second) = (events.makeAsyncIterator(), events.makeAsyncIterator())
    system.post(.servicesLost)
    system.post(.servicesReset)
    let (one, other) = (await first.next(), await second.next())
    #expect(one == .servicesLost && other == .servicesReset)
  }

  @Test func `A cancelled loop ends, and another loop over the sequence continues`() async throws {
    let session = try makeActiveSession()
    let events = session.events(from: unread)
    let loop = Task { for await _ in events {} }
    try await awaitLoop()
    loop.cancel()
    await loop.value
    system.post(.servicesLost)
    var iterator = events.makeAsyncIterator()
    let next = await iterator.next()
    #expect(next == .servicesLost)
  }
}
