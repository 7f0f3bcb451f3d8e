import TestSupport
import Testing

@testable import AudioSessions

/// The conclusions when a sound server ends, and another server begins.
@Suite struct DesktopRestartTests {
  typealias Stream = DesktopEvent.Stream
  typealias Output = DesktopEvent.Output

  private let call = DesktopEvent.stream(7, Stream(role: "phone", client: 2))

  /// The events of a session while the desktop reports; a session that asks for activation gets it at once.
  private func events(_ state: inout DesktopState, of desktop: [DesktopEvent], to policy: inout SessionPolicy)
    throws -> [SessionEvent]
  {
    var events: [SessionEvent] = []
    for input in desktop.flatMap({ state.handle($0) }) {
      for case .event(let event) in policy.handle(input) { events.append(event) }
      if policy.directives.shouldReactivate { _ = try policy.activate() }
    }
    return events
  }

  @Test func `The end of a server ends a call, and the session resumes after the reset`() throws {
    var state = DesktopState.ready("module-role-cork")
    var policy = SessionPolicy()
    _ = try policy.activate()
    let lost = try events(&state, of: [call, .serverLost, .serverLost], to: &policy)
    #expect(lost == [.interruptionBegan(.phone), .servicesLost] && policy.state == .inactive)
    let reset = try events(&state, of: [.serverReady], to: &policy)
    #expect(reset == [.servicesReset] && policy.state == .active)
  }

  @Test func `A call that the next server has as well holds the session back until its end`() throws {
    var state = DesktopState.ready("module-role-cork")
    var policy = SessionPolicy()
    _ = try policy.activate()
    let client = DesktopEvent.client(2, DesktopEvent.Program(process: 20), isOwn: false)
    let module = DesktopEvent.module(0, name: "module-role-cork", arguments: "")
    let restart = try events(&state, of: [call, .serverLost, module, client, call, .serverReady], to: &policy)
    #expect(restart == [.interruptionBegan(.phone), .servicesLost, .servicesReset] && policy.state == .inactive)
    #expect(throws: SessionError.self) { try policy.activate() }
    let end = try events(&state, of: [.streamGone(7)], to: &policy)
    #expect(end == [.interruptionEnded(shouldResume: true)] && policy.state == .active)
  }

  @Test func `Nothing of a server that was lost half-read is left`() {
    var state = DesktopState(process: 1)
    let half: [DesktopEvent] = [
      .module(0, name: "module-role-cork", arguments: ""), .output(0, Output(name: "card")),
      .defaultOutput("card", server: "PulseAudio (on PipeWire 1.0)"),
      .client(2, DesktopEvent.Program(process: 20), isOwn: false), call,
    ]
    for event in half + [.serverLost] { #expect(state.handle(event) == []) }
    #expect(state.policies == DesktopPolicies())
    #expect(state.handle(.serverReady) == [.otherAudio(isPlaying: false)])
    // Nor after a server that was whole.
    for event in [.serverLost] + half { _ = state.handle(event) }
    #expect(state.handle(.serverLost) == [])
    #expect(state.handle(.serverReady) == [.servicesReset, .otherAudio(isPlaying: false)])
  }

  @Test func `A server that never was there is not lost`() {
    var state = DesktopState(process: 1)
    #expect(state.handle(.serverLost) == [])
    #expect(state.handle(.serverReady) == [.otherAudio(isPlaying: false)])
  }

  @Test(
    arguments: [
      (["card", "hdmi"], "card", nil), (["card", "hdmi"], "hdmi", .override),
      (["card", "hdmi", "headset"], "headset", .newDeviceAvailable), (["hdmi"], "hdmi", .oldDeviceUnavailable),
    ] as [([String], String, RouteChange.Reason?)]
  )
  func `A route of the next server is compared with that of the server before`(
    names: [String],
    used: String,
    reason: RouteChange.Reason?
  ) {
    var state = DesktopState.ready()
    _ = state.handle(.output(5, Output(name: "hdmi")))
    _ = state.handle(.serverLost)
    // The next server is lost before it has listed its outputs.
    _ = state.handle(.output(0, Output(name: "headset")))
    _ = state.handle(.serverLost)
    let speakers = Output(name: "card", text: "Card", port: "Speakers", emptyPorts: ["Headphones"])
    for (index, name) in names.enumerated() {
      _ = state.handle(.output(UInt32(index), name == "card" ? speakers : Output(name: name)))
    }
    _ = state.handle(.defaultOutput(used, server: ""))
    let changes = reason.map { [SessionInput.routeChanged(SessionRoute(outputs: [used]), reason: $0)] } ?? []
    #expect(state.handle(.serverReady) == [.servicesReset, .otherAudio(isPlaying: false)] + changes)
  }

  @Test func `Reports about calls, services and sleep alternate, whatever events come`() {
    var random = SplitMix64(seed: 77)
    for _ in 0..<2_000 {
      var state = DesktopState(process: 1)
      var policy = SessionPolicy()
      var (isInCall, isLost, isAsleep, other) = (false, false, false, false)
      for _ in 0..<40 {
        let index = UInt32.random(in: 0...2, using: &random)
        let stream = Stream(
          role: ["phone", "music", "event"].randomElement(using: &random) ?? "",
          client: UInt32.random(in: 0...2, using: &random),
          isPaused: .random(using: &random),
          isMuted: .random(using: &random)
        )
        let events: [DesktopEvent] = [
          .serverReady, .serverLost, .client(index, DesktopEvent.Program(process: index), isOwn: index == 1),
          .clientGone(index), .stream(index, stream), .streamGone(index), .sleep(0), .wake,
          .module(index, name: "module-role-cork", arguments: ""), .moduleGone(index),
          .defaultOutput("card", server: Bool.random(using: &random) ? "PipeWire" : "pulseaudio"),
        ]
        for input in state.handle(events.randomElement(using: &random) ?? .wake) {
          _ = policy.handle(input)
          switch input {
          case .phoneCallBegan: #expect(!isInCall); isInCall = true
          case .phoneCallEnded: #expect(isInCall); isInCall = false
          case .servicesLost: #expect(!isLost); (isLost, isInCall, other) = (true, false, false)
          case .servicesReset: #expect(isLost); isLost = false
          case .systemWillSleep: #expect(!isAsleep); isAsleep = true
          case .systemDidWake: #expect(isAsleep); isAsleep = false
          case .otherAudio(let isPlaying): other = isPlaying
          default: break
          }
        }
        if isLost { #expect(!isInCall && !other) }
        #expect(policy.conditions.interruptions.contains(.phone) == isInCall)
        #expect(policy.conditions.interruptions.contains(.sleep) == isAsleep)
      }
    }
  }
}
