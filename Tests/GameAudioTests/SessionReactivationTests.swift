import GameAudio
import Testing

/// A link that cannot activate its session after an interruption.
@Suite struct SessionReactivationTests {
  @Test func `A session that the next call holds already stays inactive, and a diagnostic names the call`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    let system = SimulatedSession()
    let session = AudioSession(system)
    try session.activate()
    // It observes before the link does: the next call begins between the end of the first one and the activation.
    let caller = session.observeDirectives { if $0.shouldReactivate { system.post(.phoneCallBegan) } }
    let following = world.follow(session)
    system.post(.phoneCallBegan)
    #expect(reports.all.isEmpty)
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.state == .inactive)
    #expect(reports.all.map(\.code) == [.sessionNotResumed])
    #expect(
      reports.all.first?.message
        == "The world stays silent. An interruption holds the output: phone. Activate the session after its end."
    )
    withExtendedLifetime((caller, following)) {}
  }
}
