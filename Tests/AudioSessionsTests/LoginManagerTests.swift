import Foundation
import TestSupport
import Testing

@testable import AudioSessions

#if DesktopSession

  /// A session beside a login manager of the test's own, which python3-dbusmock plays.
  @Suite(.hangLimit, .enabled(if: LoginManager.isInstalled, "dbus-daemon or python3-dbusmock is not installed"))
  struct LoginManagerTests {
    /// A thread of its own, so that the threads of other tests stay free while an observer waits.
    private let delivery = DispatchQueue(label: "delivers")

    @Test func `Sleep interrupts the session, which may finish before it`() async throws {
      let manager = try await LoginManager()
      let session = try await start(manager)
      let log = EventLog(session)
      try manager.emit("PrepareForSleep", "b", "true")
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.sleep]) }
      try await delay(at: manager, count: 0)
      try manager.emit("PrepareForSleep", "b", "false")
      try await eventually("the session may resume") { log.events.last == .interruptionEnded(shouldResume: true) }
      try await delay(at: manager)
    }

    /// An active session on the bus, once it delays sleep, with a record of its diagnostics.
    private func start(
      _ manager: LoginManager,
      diagnostics: Record<SessionDiagnostic> = Record()
    ) async throws -> AudioSession {
      let session = AudioSession(
        try DesktopSession(named: "Test", server: "unix:/nonexistent", bus: manager.address),
        onDiagnostic: { diagnostics.append($0) }
      )
      try session.activate()
      try await delay(at: manager)
      return session
    }

    private func delay(at manager: LoginManager, count: Int = 1) async throws {
      try await eventually("\(count) programs delay a sleep", every: .milliseconds(20)) {
        try manager.inhibitors() == count
      }
    }

    @Test func `A sleep waits for observers on another thread, and a late one permits no later sleep`() async throws {
      let manager = try await LoginManager()
      let session = try await start(manager)
      let (mayReturn, log) = (DispatchSemaphore(value: 0), Record<SessionEvent>())
      let token = session.observe { event in
        log.append(event)
        if case .routeChanged = event { mayReturn.wait() }
      }
      func isWaiting() -> Bool { if case .routeChanged = log.values.last { true } else { false } }
      func sleep(_ begins: Bool) async throws {
        try manager.emit("PrepareForSleep", "b", "\(begins)")
        try await eventually("sleeps: \(begins)") { (session.state == .interrupted(by: [.sleep])) == begins }
      }
      for permitsBeforeWake in [true, false] {
        delivery.async { session.report(.outputUnplugged) }
        try await eventually("the other thread delivers") { isWaiting() }
        try await sleep(true)
        for _ in 0..<5 { #expect(try manager.inhibitors() == 1) }
        if !permitsBeforeWake { try await sleep(false) }
        mayReturn.signal()
        if permitsBeforeWake {
          try await delay(at: manager, count: 0)
          try await sleep(false)
        }
        try await delay(at: manager)
        try session.activate()
      }
      withExtendedLifetime(token) {}
    }

    @Test func `A sleep waits four seconds at most for an observer on another thread`() async throws {
      let manager = try await LoginManager()
      let session = try await start(manager)
      let (mayReturn, log) = (DispatchSemaphore(value: 0), Record<SessionEvent>())
      let token = session.observe { event in
        log.append(event)
        mayReturn.wait()
      }
      delivery.async { session.report(.outputUnplugged) }
      try await eventually("the other thread delivers") { !log.values.isEmpty }
      let start = ContinuousClock.now
      try manager.emit("PrepareForSleep", "b", "true")
      try await delay(at: manager, count: 0)
      #expect(ContinuousClock.now - start > .seconds(3))
      token.cancel()
      mayReturn.signal()
    }

    @Test func `The property says that the screen is locked, not the request to lock it`() async throws {
      let manager = try await LoginManager()
      let session = try await start(manager)
      var isLocked: Bool { session.directives.suspensions[.screenLock] != nil }
      for isOn in [true, false] {
        try manager.call(LoginManager.session, "org.freedesktop.login1.Session", isOn ? "Unlock" : "Lock")
        try manager.call(LoginManager.session, "org.freedesktop.login1.Session", "SetLockedHint", "b", "\(isOn)")
        try await eventually("the screen is locked: \(isOn)") { isLocked == isOn }
      }
      // The signal of the sleep comes after the signal of the request.
      try manager.call(LoginManager.session, "org.freedesktop.login1.Session", "Lock")
      try manager.emit("PrepareForSleep", "b", "true")
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.sleep]) }
      #expect(!isLocked)
    }

    @Test func `Another user's session in front puts the game in the background, whatever its window does`()
      async throws
    {
      let manager = try await LoginManager()
      let session = try await start(manager)
      var isInBackground: Bool { session.directives.suspensions[.background] != nil }
      for isActive in [false, true] {
        try manager.setActive(isActive)
        try await eventually("the session in front is this one: \(isActive)") { isInBackground == !isActive }
        session.report(.enteredForeground)
        #expect(isInBackground == !isActive)
      }
    }

    @Test func `A bus that ends and begins is connected again`() async throws {
      let manager = try await LoginManager()
      let diagnostics = Record<SessionDiagnostic>()
      let session = try await start(manager, diagnostics: diagnostics)
      try manager.emit("PrepareForSleep", "b", "true")
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.sleep]) }
      manager.end()
      try await eventually("the session is awake") { session.directives.shouldReactivate }
      try await eventually("the end is reported") { diagnostics.values.contains { $0.code == .systemUnavailable } }
      try session.activate()
      try await manager.start()
      try await delay(at: manager)
      try manager.emit("PrepareForSleep", "b", "true")
      try await eventually("the session is interrupted again") { session.state == .interrupted(by: [.sleep]) }
    }

    @Test func `A process without a user's session gets a diagnostic, and reports of sleep`() async throws {
      let manager = try await LoginManager()
      try manager.refuseSessions()
      let diagnostics = Record<SessionDiagnostic>()
      let session = try await start(manager, diagnostics: diagnostics)
      try await eventually("it is reported") {
        diagnostics.values.contains { $0.message.contains("no session for you") }
      }
      try manager.emit("PrepareForSleep", "b", "true")
      try await eventually("the session is interrupted") { session.state == .interrupted(by: [.sleep]) }
    }
  }

#endif
