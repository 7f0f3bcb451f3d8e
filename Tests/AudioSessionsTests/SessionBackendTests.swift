import Testing

@testable import AudioSessions

@Suite struct SessionBackendTests {
  /// A backend that keeps the calls of its sessions.
  private final class Backend: SessionBackend {
    let sessions = Record<ObjectIdentifier>()
    let requests = Record<SessionRequests>()

    var otherAudioEffect: AudioSession.OtherAudioEffect { .ducked }

    func connect(to session: AudioSession) { sessions.append(ObjectIdentifier(session)) }

    func update(_ requests: SessionRequests) { self.requests.append(requests) }
  }

  @Test func `A backend is connected once, and receives each change of the requests`() throws {
    let backend = Backend()
    let session = AudioSession(backend)
    #expect(backend.sessions.values == [ObjectIdentifier(session)])
    #expect(session.otherAudioEffect == .ducked)
    try session.setCategory(.playback, options: .duckOthers)
    #expect(backend.requests.values == [])
    try session.activate()
    try session.activate()
    session.deactivate(notifyingOthers: true)
    #expect(backend.requests.values.map(\.isActive) == [true, false])
    #expect(backend.requests.values.map(\.lowersOthers) == [true, false])
    #expect(backend.requests.values.map(\.notifiesOthers) == [false, true])
    #expect(backend.sessions.values.count == 1)
  }

  @Test func `A diagnostic of a backend reaches the handler, and prints its message`() throws {
    let diagnostics = Record<SessionDiagnostic>()
    let session = AudioSession()
    session.onDiagnostic = { diagnostics.append($0) }
    session.report(SessionDiagnostic.backendInUse)
    let found = try #require(diagnostics.values.first)
    #expect(found.code == .backendInUse && found.description == found.message)
    #expect(found.message.hasPrefix("This DesktopSession serves another session already, or has served one."))
  }

  @Test func `A manual session has no effect on others, and the program reports to it`() throws {
    for session in [AudioSession(ManualSession()), AudioSession(.manual), AudioSession()] {
      try session.setCategory(.playback, options: .duckOthers)
      try session.activate()
      #expect(session.otherAudioEffect == .nothing)
      #expect(session.isOtherAudioPlaying == nil && session.route == SessionRoute())
      session.report(.phoneCallBegan)
      #expect(session.state == .interrupted(by: [.phone]))
    }
  }
}
