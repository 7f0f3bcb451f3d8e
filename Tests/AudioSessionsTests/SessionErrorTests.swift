import AudioSessions
import Testing

@Suite struct SessionErrorTests {
  private func error(
    _ category: SessionCategory,
    mode: SessionMode = .default,
    options: SessionOptions = []
  ) -> SessionError? {
    let session = AudioSession()
    do throws(SessionError) {
      try session.setCategory(category, mode: mode, options: options)
      return nil
    } catch {
      #expect(session.category == .soloAmbient)
      return error
    }
  }

  @Test func `An option that the category does not allow is an error with the rule`() {
    let refused = error(.ambient, options: [.mixWithOthers, .duckOthers])
    #expect(refused?.code == .optionNotAllowed)
    #expect(
      refused?.message == "The category ambient does not allow the options mixWithOthers, duckOthers."
        + " Allowed with: playback, playAndRecord. Leave the options out, or choose another category."
    )
  }

  @Test func `An option for the route belongs to the category with a microphone and sound`() {
    #expect(
      error(.playback, options: [.defaultToSpeaker, .mixWithOthers])?.message
        == "The category playback does not allow the option defaultToSpeaker. Allowed with: playAndRecord."
        + " Leave the option out, or choose another category."
    )
  }

  @Test func `An unknown option is an error`() {
    #expect(
      error(.playAndRecord, options: SessionOptions(rawValue: 1 << 9))?.message
        == "The category playAndRecord does not allow the option 0x200. No category allows it."
        + " Leave the option out, or choose another category."
    )
  }

  @Test func `A mode that the category does not allow is an error with the rule`() {
    let refused = error(.soloAmbient, mode: .measurement)
    #expect(refused?.code == .modeNotAllowed)
    #expect(
      refused?.message == "The category soloAmbient does not allow the mode measurement."
        + " Allowed with: playback, record, playAndRecord. Choose the mode default, or another category."
    )
  }

  @Test func `A mode needs a session that does not mix`() {
    let refused = error(.playback, mode: .spokenAudio, options: [.duckOthers])
    #expect(refused?.code == .modeNeedsNonMixable)
    #expect(
      refused?.message == "The mode spokenAudio needs a session that does not mix with others,"
        + " and duckOthers makes it mixable. Choose the mode default, or leave out every option that mixes."
    )
  }

  @Test func `A session is not activated during a call`() throws {
    let session = AudioSession()
    session.report(.systemWillSleep)
    session.report(.phoneCallBegan)
    let error = #expect(throws: SessionError.self) { try session.activate() }
    #expect(error?.code == .interrupted)
    #expect(
      error?.description
        == "An interruption holds the output: phone, sleep. Activate the session after its end."
    )
    session.report(.phoneCallEnded(shouldResume: false))
    session.report(.systemDidWake)
    try session.activate()
    #expect(session.state == .active)
  }

  @Test func `A session is not activated without a sound service`() throws {
    let session = AudioSession()
    session.report(.servicesLost)
    let error = #expect(throws: SessionError.self) { try session.activate() }
    #expect(error?.code == .servicesLost)
    session.report(.servicesReset)
    try session.activate()
    #expect(session.state == .active)
  }

  @Test func `A code prints its name`() {
    let codes: [SessionError.Code] = [.optionNotAllowed, .interrupted, .traitNeeded, .systemUnavailable]
    #expect(codes.map(\.description) == ["optionNotAllowed", "interrupted", "traitNeeded", "systemUnavailable"])
    let reports: [SessionDiagnostic.Code] = [.slowHandler, .backendInUse, .systemUnavailable]
    #expect(reports.map(\.description) == ["slowHandler", "backendInUse", "systemUnavailable"])
  }

  @Test func `Options print their names, and the bits without a name`() {
    #expect(SessionOptions([.duckOthers, .mixWithOthers]).description == "[mixWithOthers, duckOthers]")
    #expect(SessionOptions(rawValue: 1 << 9 | 1).description == "[mixWithOthers, 0x200]")
    #expect(SessionOptions().description == "[]")
  }
}
