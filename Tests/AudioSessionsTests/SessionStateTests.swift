import Testing

@testable import AudioSessions

@Suite struct SessionStateTests {
  private let system = SimulatedSession()

  /// An active session and the record of its events.
  private func makeActiveSession(
    _ category: SessionCategory = .soloAmbient,
    mode: SessionMode = .default,
    options: SessionOptions = []
  ) throws -> (AudioSession, EventLog) {
    let session = AudioSession(system)
    try session.setCategory(category, mode: mode, options: options)
    try session.activate()
    return (session, EventLog(session))
  }

  @Test func `A session starts inactive, as soloAmbient without options`() {
    let session = AudioSession()
    #expect(session.category == .soloAmbient)
    #expect(session.mode == .default)
    #expect(session.options == [])
    #expect(session.state == .inactive)
    #expect(session.directives.suspensions == [.inactive: .freeze])
    #expect(session.isOtherAudioPlaying == nil)
    #expect(session.otherAudioEffect == .nothing)
    #expect(session.route == SessionRoute())
  }

  @Test func `The category of a game depends on the audio of others`() {
    #expect(SessionCategory.recommended(isOtherAudioPlaying: true) == .ambient)
    #expect(SessionCategory.recommended(isOtherAudioPlaying: false) == .soloAmbient)
  }

  @Test func `Options imply others`() throws {
    let session = AudioSession()
    try session.setCategory(.playback, options: .duckOthers)
    #expect(session.options == [.duckOthers, .mixWithOthers])
    try session.setCategory(.playback, options: .interruptSpokenAudioAndMixWithOthers)
    #expect(session.options == [.interruptSpokenAudioAndMixWithOthers, .mixWithOthers])
    try session.setCategory(.playAndRecord, mode: .voiceChat)
    #expect(session.options == .allowBluetooth)
    #expect(session.mode == .voiceChat)
  }

  @Test func `A call interrupts an active session, and its end leaves it inactive`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.phoneCallBegan)
    #expect(session.state == .interrupted(by: [.phone]))
    #expect(session.directives.suspensions == [.interruption: .freeze])
    #expect(session.directives.pausesPlayers)
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.state == .inactive)
    #expect(session.directives.shouldReactivate)
    try session.activate()
    #expect(session.directives.suspensions == [:])
    #expect(!session.directives.shouldReactivate)
    #expect(log.events == [.interruptionBegan(.phone), .interruptionEnded(shouldResume: true)])
  }

  @Test func `A session stays inactive after an interruption that does not permit to resume`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.phoneCallBegan)
    system.post(.phoneCallEnded(shouldResume: false))
    #expect(session.state == .inactive)
    #expect(!session.directives.shouldReactivate)
    #expect(log.events == [.interruptionBegan(.phone), .interruptionEnded(shouldResume: false)])
  }

  @Test func `Causes that overlap are one interruption, which resumes if each cause permits it`() throws {
    for (mayResume, expected) in [(true, true), (false, false)] {
      let (session, log) = try makeActiveSession()
      system.post(.phoneCallBegan)
      system.post(.interruptionBegan(.alarm))
      system.post(.systemWillSleep)
      #expect(session.state == .interrupted(by: [.phone, .alarm, .sleep]))
      system.post(.phoneCallEnded(shouldResume: mayResume))
      system.post(.interruptionEnded(.alarm, shouldResume: true))
      #expect(session.state == .interrupted(by: [.sleep]))
      system.post(.systemDidWake)
      #expect(log.events == [.interruptionBegan(.phone), .interruptionEnded(shouldResume: expected)])
    }
  }

  @Test(arguments: Interruption.allCases)
  func `Each cause interrupts an active session, and holds back one that waits for an activation`(cause: Interruption)
    throws
  {
    let (session, log) = try makeActiveSession()
    system.post(.interruptionBegan(cause))
    system.post(.interruptionBegan(cause))
    #expect(session.state == .interrupted(by: [cause]))
    system.post(.interruptionEnded(cause, shouldResume: true))
    system.post(.interruptionEnded(cause, shouldResume: true))
    system.post(.interruptionBegan(cause))
    system.post(.interruptionEnded(cause, shouldResume: true))
    #expect(session.state == .inactive && session.directives.shouldReactivate)
    // Another session's sound hinders no activation.
    let ends = [.otherSession, .spokenPrompt].contains(cause) ? 1 : 2
    let end = SessionEvent.interruptionEnded(shouldResume: true)
    #expect(log.events == [.interruptionBegan(cause)] + Array(repeating: end, count: ends))
  }

  @Test func `The program's deactivation ends an interruption without an event`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.phoneCallBegan)
    session.deactivate()
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.state == .inactive)
    #expect(!session.directives.shouldReactivate)
    #expect(log.events == [.interruptionBegan(.phone)])
  }

  @Test func `A session takes the output back from another session`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.otherSessionActivated(mixable: false))
    #expect(session.state == .interrupted(by: [.otherSession]))
    try session.activate()
    #expect(session.state == .active)
    #expect(session.isOtherAudioPlaying == nil)
    #expect(log.events == [.interruptionBegan(.otherSession)])
  }

  @Test func `An interruption that begins before a session is to be restored holds it back`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.phoneCallBegan)
    system.post(.phoneCallEnded(shouldResume: true))
    system.post(.interruptionBegan(.alarm))
    #expect(!session.directives.shouldReactivate)
    system.post(.interruptionEnded(.alarm, shouldResume: true))
    #expect(session.directives.shouldReactivate)
    system.post(.interruptionBegan(.alarm))
    system.post(.interruptionEnded(.alarm, shouldResume: false))
    #expect(!session.directives.shouldReactivate)
    let ends = [true, true, false].map { SessionEvent.interruptionEnded(shouldResume: $0) }
    #expect(log.events == [.interruptionBegan(.phone)] + ends)
  }

  @Test func `A loss of the sound service makes the session inactive, and it may be active again after the reset`()
    throws
  {
    let (session, log) = try makeActiveSession()
    system.post(.otherAudio(isPlaying: true))
    system.post(.servicesLost)
    system.post(.servicesLost)
    #expect(session.state == .inactive)
    #expect(session.isOtherAudioPlaying == nil)
    #expect(!session.directives.shouldReactivate)
    system.post(.servicesReset)
    #expect(session.state == .inactive)
    #expect(session.directives.shouldReactivate)
    #expect(log.events == [.servicesLost, .servicesReset])
  }

  @Test func `A loss of the sound service forgets calls that the service reported, and not sleep`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.phoneCallBegan)
    system.post(.systemWillSleep)
    system.post(.servicesLost)
    system.post(.servicesReset)
    #expect(!session.directives.shouldReactivate)
    system.post(.systemDidWake)
    #expect(session.directives.shouldReactivate)
    let end = SessionEvent.interruptionEnded(shouldResume: true)
    #expect(log.events == [.interruptionBegan(.phone), .servicesLost, .servicesReset, end])
  }

  @Test func `An interruption that ends while the services are lost is reported by their reset`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.systemWillSleep)
    system.post(.servicesLost)
    system.post(.systemDidWake)
    #expect(!session.directives.shouldReactivate)
    system.post(.servicesReset)
    #expect(session.directives.shouldReactivate)
    #expect(log.events == [.interruptionBegan(.sleep), .servicesLost, .servicesReset])
  }

  @Test func `A cause that does not permit to resume does so across a loss of the services, too`() throws {
    for remaining in [Interruption.sleep, .routeDisconnected] {
      let (session, log) = try makeActiveSession()
      system.post(.phoneCallBegan)
      system.post(.interruptionBegan(remaining))
      system.post(.phoneCallEnded(shouldResume: false))
      system.post(.servicesLost)
      system.post(.servicesReset)
      system.post(.systemDidWake)
      #expect(session.state == .inactive && !session.directives.shouldReactivate)
      let ends: [SessionEvent] = remaining == .sleep ? [.interruptionEnded(shouldResume: false)] : []
      #expect(log.events == [.interruptionBegan(.phone), .servicesLost, .servicesReset] + ends)
    }
  }

  @Test func `A call that is reported between a loss and a reset holds the session back`() throws {
    let (session, log) = try makeActiveSession()
    for input in [.servicesLost, .phoneCallBegan, .servicesReset] as [SessionInput] { system.post(input) }
    #expect(!session.directives.shouldReactivate)
    let error = #expect(throws: SessionError.self) { try session.activate() }
    #expect(error?.code == .interrupted)
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.directives.shouldReactivate)
    #expect(log.events == [.servicesLost, .servicesReset, .interruptionEnded(shouldResume: true)])
  }

  @Test func `A window and a user's session come back from the background each for itself`() throws {
    let (session, _) = try makeActiveSession()
    var isInBackground: Bool { session.directives.suspensions[.background] != nil }
    for (first, second) in [
      (SessionInput.enteredForeground, SessionInput.userSession(isInFront: true)),
      (.userSession(isInFront: true), .enteredForeground),
    ] {
      system.post(.enteredBackground)
      system.post(.userSession(isInFront: false))
      #expect(isInBackground)
      system.post(first)
      #expect(isInBackground)
      system.post(second)
      #expect(!isInBackground)
    }
  }

  @Test func `A session that was not active is not to be restored after a reset`() {
    let session = AudioSession(system)
    system.post(.servicesLost)
    system.post(.servicesReset)
    #expect(!session.directives.shouldReactivate)
  }

  @Test func `A reset without a loss makes an active session inactive`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.servicesReset)
    #expect(session.state == .inactive)
    #expect(session.directives.shouldReactivate)
    #expect(log.events == [.servicesReset])
  }

  @Test func `An interruption forgets how the one before it ended, and not how its own causes ended`() throws {
    let (session, log) = try makeActiveSession()
    system.post(.phoneCallBegan)
    system.post(.phoneCallEnded(shouldResume: false))
    try session.activate()
    system.post(.phoneCallBegan)
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.directives.shouldReactivate)
    #expect(log.events.suffix(1) == [.interruptionEnded(shouldResume: true)])
    try session.activate()
    // A call ends without a permission while the computer sleeps, and another call begins and ends.
    system.post(.systemWillSleep)
    for mayResume in [false, true] {
      system.post(.phoneCallBegan)
      system.post(.phoneCallEnded(shouldResume: mayResume))
    }
    system.post(.systemDidWake)
    #expect(!session.directives.shouldReactivate)
    #expect(log.events.suffix(1) == [.interruptionEnded(shouldResume: false)])
  }

  @Test func `A session that mixes no longer ends the one that does not mix`() throws {
    let (session, _) = try makeActiveSession(.ambient)
    system.post(.otherSessionActivated(mixable: false))
    #expect(session.isOtherAudioPlaying == true)
    try session.setCategory(.playback, options: .mixWithOthers)
    #expect(session.isOtherAudioPlaying == true)
    try session.setCategory(.playback)
    #expect(session.state == .active && session.isOtherAudioPlaying == nil)
  }

  @Test(arguments: [false, true])
  func `A loss of the sound service forgets the audio of others`(mixable: Bool) throws {
    let (session, _) = try makeActiveSession(.ambient)
    system.post(.otherSessionActivated(mixable: mixable))
    system.post(.otherAudio(isPlaying: true))
    #expect(session.isOtherAudioPlaying == true)
    system.post(.servicesLost)
    system.post(.servicesReset)
    #expect(session.isOtherAudioPlaying == nil)
  }
}
