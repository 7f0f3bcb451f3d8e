import Testing

@testable import AudioSessions

/// The conclusions from the events of a sound server and a login manager.
@Suite struct DesktopStateTests {
  typealias Stream = DesktopEvent.Stream
  typealias Output = DesktopEvent.Output

  @Test func `A call is a stream of another program, in a role that pauses others`() {
    var state = DesktopState.ready("module-role-cork")
    #expect(
      state.handle(.stream(7, Stream(role: "phone", client: 2))) == [.phoneCallBegan, .otherAudio(isPlaying: true)]
    )
    #expect(state.handle(.stream(8, Stream(role: "phone", client: 2))) == [])
    #expect(state.handle(.streamGone(7)) == [])
    #expect(
      state.handle(.streamGone(8)) == [.phoneCallEnded(shouldResume: true), .otherAudio(isPlaying: false)]
    )
  }

  @Test func `A call on hold is none, and begins when it goes on`() {
    var state = DesktopState.ready("module-role-cork")
    let (held, continued) = (
      Stream(role: "phone", client: 2, isPaused: true), Stream(role: "phone", client: 2)
    )
    #expect(state.handle(.stream(7, held)) == [])
    #expect(state.handle(.stream(7, continued)).first == .phoneCallBegan)
    #expect(state.handle(.stream(7, held)).first == .phoneCallEnded(shouldResume: true))
  }

  @Test(
    arguments: [
      ("", "phone", true), ("", "alarm", false), ("trigger_roles=phone,alarm cork_roles=music", "alarm", true),
      ("trigger_roles=event/phone cork_roles=music/video", "phone", true), ("trigger_roles=alarm", "phone", false),
    ]
  )
  func `The arguments of the server's module name the roles of a call`(
    arguments: String,
    role: String,
    isCall: Bool
  ) {
    var state = DesktopState.ready()
    _ = state.handle(.module(4, name: "module-role-cork", arguments: arguments))
    #expect(state.handle(.stream(7, Stream(role: role, client: 2))).contains(.phoneCallBegan) == isCall)
    #expect(state.handle(.moduleGone(4)).contains(.phoneCallEnded(shouldResume: true)) == isCall)
  }

  @Test func `The program's own stream of the role phone is no call`() {
    var state = DesktopState.ready("module-role-cork")
    #expect(state.handle(.stream(3, Stream(role: "phone", client: 1))) == [])
    #expect(
      state.handle(.stream(4, Stream(role: "phone", client: 2))) == [.phoneCallBegan, .otherAudio(isPlaying: true)]
    )
    #expect(
      state.handle(.streamGone(4)) == [.phoneCallEnded(shouldResume: true), .otherAudio(isPlaying: false)]
    )
  }

  @Test func `A stream counts when its connection is known, and no longer than that`() {
    var state = DesktopState.ready("module-role-cork")
    #expect(state.handle(.stream(3, Stream(role: "phone", client: 9))) == [])
    let began: [SessionInput] = [.phoneCallBegan, .otherAudio(isPlaying: true)]
    #expect(state.handle(.client(9, DesktopEvent.Program(process: 77), isOwn: false)) == began)
    #expect(state.handle(.clientGone(9)).first == .phoneCallEnded(shouldResume: true))
  }

  @Test(
    arguments: [
      (DesktopEvent.Program(process: 1, binary: "game", host: "desk", machine: "m"), false),
      (DesktopEvent.Program(process: 1, binary: "game"), false), (DesktopEvent.Program(process: 1), false),
      (DesktopEvent.Program(process: 2, binary: "game", host: "desk", machine: "m"), true),
      // A container has the numbers of its own processes.
      (DesktopEvent.Program(process: 1, binary: "player", host: "desk", machine: "m"), true),
      (DesktopEvent.Program(process: 1, binary: "game", host: "container", machine: "m"), true),
      (DesktopEvent.Program(process: 1, binary: "game", host: "desk", machine: "other"), true),
      (DesktopEvent.Program(), true),
    ]
  )
  func `A program is this one if its process is the same, and nothing contradicts`(
    program: DesktopEvent.Program,
    isForeign: Bool
  ) {
    var state = DesktopState.ready()
    _ = state.handle(
      .client(0, DesktopEvent.Program(process: 1, binary: "game", host: "desk", machine: "m"), isOwn: true)
    )
    _ = state.handle(.client(5, program, isOwn: false))
    let expected: [SessionInput] = isForeign ? [.otherAudio(isPlaying: true)] : []
    #expect(state.handle(.stream(1, Stream(role: "music", client: 5))) == expected)
  }

  @Test func `PipeWire has no such module, and a stream of a call is one`() {
    var state = DesktopState(process: 1)
    _ = state.handle(.defaultOutput("", server: "PulseAudio (on PipeWire 0.3.65)"))
    _ = state.handle(.client(2, DesktopEvent.Program(process: 9), isOwn: false))
    #expect(state.handle(.serverReady) == [.otherAudio(isPlaying: false)])
    #expect(state.handle(.stream(1, Stream(role: "phone", client: 2))).first == .phoneCallBegan)
    #expect(state.handle(.stream(2, Stream(role: "Communication", client: 2))) == [])
    #expect(state.handle(.streamGone(1)) == [])
    #expect(state.handle(.stream(2, Stream(role: "Communication", client: 2, isPaused: true))).count == 2)
  }

  @Test func `Only audible streams of other programs are other audio`() {
    let silent = [
      Stream(role: "music", client: 1), Stream(role: "event", client: 2), Stream(role: "Notification", client: 2),
      Stream(client: 2, isPaused: true), Stream(client: 2, isMuted: true), Stream(role: "music"),
    ]
    var state = DesktopState.ready()
    for stream in silent { #expect(state.handle(.stream(1, stream)) == []) }
    #expect(state.handle(.stream(1, Stream(client: 2))) == [.otherAudio(isPlaying: true)])
  }

  @Test func `A new output, a lost one and a chosen one have different reasons`() {
    func change(_ name: String, _ reason: RouteChange.Reason) -> [SessionInput] {
      [.routeChanged(SessionRoute(outputs: [name]), reason: reason)]
    }
    var state = DesktopState.ready()
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

  @Test func `Sleep, lock and the session in front are reported once each`() {
    var state = DesktopState(process: 1)
    #expect(state.handle(.front(true)) == [] && state.handle(.screen(isLocked: false)) == [])
    #expect(state.handle(.sleep(1)) == [.systemWillSleep] && state.handle(.sleep(1)) == [])
    #expect(state.handle(.wake) == [.systemDidWake] && state.handle(.wake) == [])
    #expect(state.handle(.screen(isLocked: true)) == [.screenLocked])
    #expect(state.handle(.screen(isLocked: false)) == [.screenUnlocked])
    #expect(state.handle(.front(false)) == [.userSession(isInFront: false)])
    #expect(state.handle(.front(true)) == [.userSession(isInFront: true)])
    // A program that runs is awake, though nothing reports it.
    #expect(state.handle(.sleep(2)) == [.systemWillSleep])
    #expect(state.handle(.loginMissing("")) == [.systemDidWake] && state.handle(.wake) == [])
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
}
