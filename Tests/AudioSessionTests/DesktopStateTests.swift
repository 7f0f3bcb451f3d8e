import TestSupport
import Testing

@testable import AudioSession

/// The conclusions from the events of a sound server and a login manager.
@Suite struct DesktopStateTests {
  typealias Stream = DesktopEvent.Stream
  typealias Output = DesktopEvent.Output

  /// A ready server with one output.
  private func state(_ modules: String...) -> DesktopState {
    var state = DesktopState(process: 1)
    for (index, name) in modules.enumerated() {
      _ = state.handle(.module(UInt32(index), name: name, arguments: ""))
    }
    _ = state.handle(.output(0, Output(name: "card", text: "Card", port: "Speakers", emptyPorts: ["Headphones"])))
    _ = state.handle(.defaultOutput("card", server: "pulseaudio"))
    let inputs = state.handle(.serverReady)
    #expect(
      inputs == [
        .otherAudio(isPlaying: false), .routeChanged(SessionRoute(outputs: ["Card, Speakers"]), reason: .unknown),
      ]
    )
    return state
  }

  @Test func `A request to pause is a call if another program's stream is the reason`() {
    var state = state("module-role-cork")
    #expect(state.handle(.stream(7, Stream(role: "phone", process: 2))) == [.otherAudio(isPlaying: true)])
    #expect(state.handle(.pauseAsked) == [.phoneCallBegan])
    #expect(state.handle(.pauseAsked) == [])
    #expect(state.handle(.resumeAsked) == [.phoneCallEnded(shouldResume: true)])
    #expect(state.handle(.streamGone(7)) == [.otherAudio(isPlaying: false)])
  }

  @Test func `The program's own stream of the role phone is no call`() {
    var state = state("module-role-cork")
    #expect(state.handle(.stream(3, Stream(role: "phone", process: 1))) == [])
    #expect(state.handle(.pauseAsked) == [])
    // A call during it causes no second request.
    #expect(
      state.handle(.stream(4, Stream(role: "phone", process: 2))) == [.phoneCallBegan, .otherAudio(isPlaying: true)]
    )
    #expect(
      state.handle(.streamGone(4)) == [.phoneCallEnded(shouldResume: true), .otherAudio(isPlaying: false)]
    )
  }

  @Test func `PipeWire sends no request, and a stream of a call is one`() {
    var state = DesktopState(process: 1)
    _ = state.handle(.defaultOutput("", server: "PulseAudio (on PipeWire 0.3.65)"))
    #expect(state.handle(.serverReady) == [.otherAudio(isPlaying: false)])
    #expect(state.handle(.stream(1, Stream(role: "phone", process: 9))).first == .phoneCallBegan)
    #expect(state.handle(.stream(2, Stream(role: "Communication", process: 8))) == [])
    #expect(state.handle(.streamGone(1)) == [])
    #expect(state.handle(.stream(2, Stream(role: "Communication", process: 8, isPaused: true))).count == 2)
  }

  @Test func `Only audible streams of other programs are other audio`() {
    let silent = [
      Stream(role: "music", process: 1), Stream(role: "event", process: 2), Stream(process: 2, isPaused: true),
      Stream(process: 2, isMuted: true), Stream(role: "music", process: 0),
    ]
    var state = state()
    for stream in silent { #expect(state.handle(.stream(1, stream)) == []) }
    #expect(state.handle(.stream(1, Stream(process: 2))) == [.otherAudio(isPlaying: true)])
  }

  @Test func `A new output, a lost one and a chosen one have different reasons`() {
    func change(_ name: String, _ reason: RouteChange.Reason) -> [SessionInput] {
      [.routeChanged(SessionRoute(outputs: [name]), reason: reason)]
    }
    var state = state()
    _ = state.handle(.output(1, Output(name: "headset", text: "Headset")))
    #expect(state.handle(.defaultOutput("headset", server: "")) == change("Headset", .newDeviceAvailable))
    #expect(state.handle(.outputGone(1)) == [])
    #expect(state.handle(.defaultOutput("card", server: "")) == change("Card, Speakers", .oldDeviceUnavailable))
    _ = state.handle(.output(2, Output(name: "hdmi", text: "Screen")))
    #expect(state.handle(.defaultOutput("hdmi", server: "")) == change("Screen", .newDeviceAvailable))
    #expect(state.handle(.defaultOutput("card", server: "")) == change("Card, Speakers", .override))
    // The user plugs headphones into the card, and pulls them out.
    let plugged = Output(name: "card", text: "Card", port: "Headphones")
    #expect(state.handle(.output(0, plugged)) == change("Card, Headphones", .newDeviceAvailable))
    let unplugged = Output(name: "card", text: "Card", port: "Speakers", emptyPorts: ["Headphones"])
    #expect(state.handle(.output(0, unplugged)) == change("Card, Speakers", .oldDeviceUnavailable))
    // A new output that is not used changes nothing.
    #expect(state.handle(.output(5, Output(name: "other"))) == [])
  }

  @Test func `The end of a server ends a call, and its return resets the services`() {
    var state = state("module-role-cork")
    _ = state.handle(.stream(7, Stream(role: "phone", process: 2)))
    _ = state.handle(.pauseAsked)
    #expect(
      state.handle(.serverLost) == [.phoneCallEnded(shouldResume: false), .otherAudio(isPlaying: false), .servicesLost]
    )
    #expect(state.handle(.serverLost) == [])
    #expect(state.handle(.serverReady) == [.servicesReset, .otherAudio(isPlaying: false)])
  }

  @Test func `A server that never was there is not lost`() {
    var state = DesktopState(process: 1)
    #expect(state.handle(.serverLost) == [])
    #expect(state.handle(.serverReady) == [.otherAudio(isPlaying: false)])
  }

  @Test func `Sleep, lock and the session in front are reported once each`() {
    var state = DesktopState(process: 1)
    #expect(state.handle(.front(true)) == [] && state.handle(.screen(isLocked: false)) == [])
    #expect(state.handle(.sleep) == [.systemWillSleep] && state.handle(.sleep) == [])
    #expect(state.handle(.wake) == [.systemDidWake] && state.handle(.wake) == [])
    #expect(state.handle(.screen(isLocked: true)) == [.screenLocked])
    #expect(state.handle(.screen(isLocked: false)) == [.screenUnlocked])
    #expect(state.handle(.front(false)) == [.enteredBackground])
    #expect(state.handle(.front(true)) == [.enteredForeground])
  }

  @Test(
    arguments: [
      ([], .nothing), (["module-role-cork "], .paused), (["module-role-ducking "], .ducked),
      (["module-role-cork ", "module-role-ducking "], .paused),
      (["module-role-cork trigger_roles=alarm cork_roles=music"], .nothing),
      (["module-role-ducking trigger_roles=\"phone,alarm\" volume=-20dB"], .ducked), (["module-null-sink "], .nothing),
    ] as [([String], AudioSession.OtherAudioEffect)]
  )
  func `The modules of the server decide what a stream of the role phone does`(
    modules: [String],
    effect: AudioSession.OtherAudioEffect
  ) {
    var policies = DesktopPolicies()
    for (index, module) in modules.enumerated() {
      let parts = module.split(separator: " ", maxSplits: 1).map(String.init)
      policies.add(UInt32(index), name: parts[0], arguments: parts.count > 1 ? parts[1] : "")
    }
    #expect(policies.effectOfPhone == effect)
    for index in modules.indices { policies.remove(UInt32(index)) }
    #expect(policies.effectOfPhone == .nothing)
  }

  @Test func `Reports about calls, services and sleep alternate, whatever events come`() {
    var random = SplitMix64(seed: 77)
    for _ in 0..<2_000 {
      var state = DesktopState(process: 1)
      var (isInCall, isLost, isAsleep, other) = (false, false, false, false)
      for _ in 0..<40 {
        let index = UInt32.random(in: 0...2, using: &random)
        let stream = Stream(
          role: ["phone", "music", "event"].randomElement(using: &random) ?? "",
          process: .random(in: 0...2, using: &random),
          isPaused: .random(using: &random),
          isMuted: .random(using: &random)
        )
        let events: [DesktopEvent] = [
          .serverReady, .serverLost, .pauseAsked, .resumeAsked, .stream(index, stream), .streamGone(index), .sleep,
          .wake,
          .module(index, name: "module-role-cork", arguments: ""), .moduleGone(index),
          .defaultOutput("card", server: Bool.random(using: &random) ? "PipeWire" : "pulseaudio"),
        ]
        for input in state.handle(events.randomElement(using: &random) ?? .wake) {
          switch input {
          case .phoneCallBegan: #expect(!isInCall); isInCall = true
          case .phoneCallEnded: #expect(isInCall); isInCall = false
          case .servicesLost: #expect(!isLost && !isInCall); isLost = true
          case .servicesReset: #expect(isLost); isLost = false
          case .systemWillSleep: #expect(!isAsleep); isAsleep = true
          case .systemDidWake: #expect(isAsleep); isAsleep = false
          case .otherAudio(let isPlaying): other = isPlaying
          default: break
          }
        }
        if isLost { #expect(!isInCall && !other) }
      }
    }
  }
}
