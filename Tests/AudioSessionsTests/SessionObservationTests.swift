import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import AudioSessions

@Suite struct SessionObservationTests {
  private let system = SimulatedSession()

  private func makeActiveSession() throws -> AudioSession {
    let session = AudioSession(system)
    try session.activate()
    return session
  }

  @Test func `An event is reported after the fact`() throws {
    let session = try makeActiveSession()
    let seen = Record<SessionState>()
    let suspended = Record<[SessionDirectives.Reason: SessionDirectives.Suspension]>()
    let directed = session.observeDirectives { suspended.append($0.suspensions) }
    let observed = session.observe { [weak session] _ in
      seen.append(session?.state ?? .inactive)
      suspended.append([:])
    }
    system.post(.phoneCallBegan)
    #expect(seen.values == [.interrupted(by: [.phone])])
    #expect(suspended.values == [[:], [.interruption: .freeze], [:]])
    withExtendedLifetime((directed, observed)) {}
  }

  @Test func `Directives are observed from the current ones on, and only changes are reported`() throws {
    let session = AudioSession(system)
    let record = Record<SessionDirectives>()
    let token = session.observeDirectives { record.append($0) }
    #expect(record.values.map(\.suspensions) == [[.inactive: .freeze]])
    try session.activate()
    try session.activate()
    system.post(.screenLocked)
    system.post(.screenLocked)
    system.post(.screenUnlocked)
    #expect(record.values.map(\.suspensions) == [[.inactive: .freeze], [:], [.screenLock: .queue], [:]])
    token.cancel()
    session.deactivate()
    #expect(record.values.count == 4)
  }

  @Test func `An observation that begins inside an observer starts with the current directives`() throws {
    let session = try makeActiveSession()
    let inner = Record<NotificationToken>()
    let record = Record<[SessionDirectives.Reason: SessionDirectives.Suspension]>()
    let outer = session.observe { [weak session] _ in
      guard let session else { return }
      inner.append(session.observeDirectives { record.append($0.suspensions) })
      #expect(record.values == [])
    }
    system.post(.phoneCallBegan)
    #expect(record.values == [[.interruption: .freeze]])
    withExtendedLifetime(outer) {}
  }

  @Test func `Directives observed inside an observer arrive in order, and none is lost`() throws {
    let session = try makeActiveSession()
    let inner = Record<NotificationToken>()
    let (early, late) = (Record<SessionDirectives>(), Record<SessionDirectives>())
    let first = session.observeDirectives { early.append($0) }
    let causing = session.observe { [weak session] event in
      guard let session, case .interruptionBegan = event else { return }
      session.report(.enteredBackground)
      inner.append(session.observeDirectives { late.append($0) })
      session.report(.phoneCallEnded(shouldResume: true))
      try? session.activate()
    }
    system.post(.phoneCallBegan)
    // Active, interrupted, in the background, inactive, active again.
    #expect(early.values.count == 5)
    #expect(late.values == Array(early.values.suffix(3)))
    withExtendedLifetime((first, causing)) {}
  }

  @Test func `A closure after the deliveries waits for observers on another thread`() async throws {
    let session = try makeActiveSession()
    let mayReturn = DispatchSemaphore(value: 0)
    let done = Record<String>()
    let token = session.observe { _ in
      done.append("begun")
      mayReturn.wait()
      done.append("returned")
    }
    // A thread of its own, so that the threads of other tests stay free.
    DispatchQueue(label: "delivers").async { session.report(.systemWillSleep) }
    try await eventually("the observer works") { done.values == ["begun"] }
    session.afterDeliveries { done.append("closure") }
    #expect(done.values == ["begun"])
    mayReturn.signal()
    try await eventually("both are called, in order") { done.values == ["begun", "returned", "closure"] }
    session.afterDeliveries { done.append("next") }
    try await eventually("the next one is called") { done.values.last == "next" }
    withExtendedLifetime(token) {}
  }

  @Test func `All observers have the same order, also of events that an observer causes`() throws {
    let session = try makeActiveSession()
    let first = EventLog(session)
    let causing = session.observe { [weak session] event in
      if event == .interruptionBegan(.phone) { session?.report(.outputUnplugged) }
      if event == .interruptionEnded(shouldResume: true) { try? session?.activate() }
    }
    let last = EventLog(session)
    system.post(.phoneCallBegan)
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.state == .active)
    let gone = RouteChange(reason: .oldDeviceUnavailable, previous: SessionRoute(), current: SessionRoute())
    #expect(
      first.events == [.interruptionBegan(.phone), .routeChanged(gone), .interruptionEnded(shouldResume: true)]
    )
    #expect(last.events == first.events)
    withExtendedLifetime(causing) {}
  }

  @Test func `An observer may do anything with the session`() throws {
    let session = try makeActiveSession()
    let tokens = Record<NotificationToken>()
    let log = Record<SessionEvent>()
    let token = session.observe { [weak session] event in
      guard let session else { return }
      try? session.setCategory(.playback, mode: .spokenAudio)
      session.deactivate(notifyingOthers: true)
      tokens.append(session.observe { log.append($0) })
      _ = (session.directives, session.route, session.isOtherAudioPlaying)
    }
    system.post(.phoneCallBegan)
    #expect(session.state == .inactive)
    #expect(session.mode == .spokenAudio)
    #expect(tokens.values.count == 1)
    #expect(log.values == [])
    token.cancel()
    system.post(.servicesLost)
    #expect(log.values == [.servicesLost])
  }

  @Test func `A released token ends its observation, also from inside an observer`() throws {
    let session = try makeActiveSession()
    let removed = Mutex<NotificationToken?>(nil)
    let calls = Record<String>()
    let first = session.observe { _ in
      calls.append("first")
      removed.withLock { $0 = nil }
    }
    removed.withLock { $0 = session.observe { _ in calls.append("removed") } }
    system.post(.phoneCallBegan)
    #expect(calls.values == ["first"])
    withExtendedLifetime(first) {}
  }

  @Test func `A token keeps neither the session nor, after its end, the closure`() throws {
    final class Captured: Sendable {}
    weak var captured: Captured?
    weak var released: AudioSession?
    var token: NotificationToken?
    do {
      let session = AudioSession()
      let object = Captured()
      captured = object
      released = session
      token = session.observe { [object] _ in _ = object }
    }
    #expect(released == nil)
    #expect(captured == nil)
    token = nil
    #expect(token == nil)
  }

  @Test func `Threads that report at once deliver each event once, in one order`() async throws {
    let session = try makeActiveSession()
    let logs = [EventLog(session), EventLog(session)]
    await withTaskGroup { group in
      for name in ["a", "b", "c", "d"] {
        group.addTask { for number in 0..<250 { session.report(.outputPlugged("\(name)\(number)")) } }
      }
    }
    try await eventually("all events are delivered") { logs.allSatisfy { $0.events.count == 1_000 } }
    #expect(logs[0].events == logs[1].events)
    #expect(Set(logs[0].events).count == 1_000)
  }

  @Test func `An observer that works long on the beginning of an interruption is reported`() throws {
    let clock = Mutex(Duration.zero)
    let diagnostics = Record<SessionDiagnostic>()
    let session = AudioSession(
      system,
      behavior: BackgroundBehavior(),
      onDiagnostic: { diagnostics.append($0) },
      now: { clock.withLock { $0 } }
    )
    let work = Mutex(Duration.milliseconds(2))
    let token = session.observe { _ in clock.withLock { $0 += work.withLock { $0 } } }
    try session.activate()
    system.post(.phoneCallBegan)
    #expect(diagnostics.values == [])
    work.withLock { $0 = .milliseconds(3) }
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(diagnostics.values == [])
    try session.activate()
    system.post(.phoneCallBegan)
    #expect(diagnostics.values.map(\.code) == [.slowHandler])
    #expect(
      diagnostics.values.first?.description
        == "An observer of the session took 0.003 seconds at the beginning of an interruption, and 0.002 seconds are"
        + " permitted. Do only short work there, and the rest on another thread."
    )
    withExtendedLifetime(token) {}
  }

  @Test func `A released session that was active withdraws its requests`() throws {
    do {
      let session = AudioSession(system)
      try session.setCategory(.playback, options: .duckOthers)
      try session.activate()
      #expect(system.requests.isActive)
      #expect(system.requests.lowersOthers)
    }
    #expect(system.requests == .inactive)
  }

  @Test func `The backend has the effect on others`() {
    let session = AudioSession(system)
    #expect(session.otherAudioEffect == .nothing)
    system.otherAudioEffect = .paused
    #expect(session.otherAudioEffect == .paused)
  }
}
