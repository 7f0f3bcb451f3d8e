/// The conclusions from the events of a desktop: the reports to a session.
///
/// Pure: no call and no lock. A report is made once, when its condition changes.
struct DesktopState: Sendable {
  /// The number of this program, whose streams are not of others.
  let process: UInt32

  private(set) var policies = DesktopPolicies()
  private var streams: [UInt32: DesktopEvent.Stream] = [:]
  private var outputs: [UInt32: DesktopEvent.Output] = [:]
  /// The outputs that have come since the last route.
  private var newOutputs: Set<String> = []
  private var defaultOutput = ""
  private var isReady = false
  private var isAskedToPause = false
  private var reported = Reported()

  /// What the session was told last.
  private struct Reported {
    var hasLostServices = false
    var isOtherAudioPlaying: Bool?
    var isInCall = false
    var output: DesktopEvent.Output?
    var isLocked = false
    var isInFront = true
    var isAsleep = false
  }

  init(process: UInt32) { self.process = process }

  /// Takes an event; returns the reports that it causes.
  mutating func handle(_ event: DesktopEvent) -> [SessionInput] {
    switch event {
    case .serverReady: return begin()
    case .serverLost: return end()
    case .pauseAsked: isAskedToPause = true
    case .resumeAsked: isAskedToPause = false
    case .stream(let index, let stream): streams[index] = stream
    case .streamGone(let index): streams[index] = nil
    case .output(let index, let output):
      if outputs[index] == nil { newOutputs.insert(output.name) }
      outputs[index] = output
    case .outputGone(let index): outputs[index] = nil
    case .defaultOutput(let name, let server):
      defaultOutput = name
      policies.isPipeWire = server.contains("PipeWire")
    case .module(let index, let name, let arguments): policies.add(index, name: name, arguments: arguments)
    case .moduleGone(let index): policies.remove(index)
    case .loginReady: return []
    // Nobody else reports the end of a sleep, and a program that runs is awake.
    case .loginMissing: return changed(\.isAsleep, to: false) { _ in .systemDidWake }
    case .sleep, .wake: return changed(\.isAsleep, to: event == .sleep) { $0 ? .systemWillSleep : .systemDidWake }
    case .screen(let isLocked): return changed(\.isLocked, to: isLocked) { $0 ? .screenLocked : .screenUnlocked }
    case .front(let isInFront):
      return changed(\.isInFront, to: isInFront) { $0 ? .enteredForeground : .enteredBackground }
    }
    return isReady ? conclusions() : []
  }

  private mutating func changed(
    _ condition: WritableKeyPath<Reported, Bool>,
    to value: Bool,
    _ input: (Bool) -> SessionInput
  ) -> [SessionInput] {
    guard reported[keyPath: condition] != value else { return [] }
    reported[keyPath: condition] = value
    return [input(value)]
  }

  private mutating func begin() -> [SessionInput] {
    isReady = true
    newOutputs = []
    return changed(\.hasLostServices, to: false) { _ in .servicesReset } + conclusions()
  }

  private mutating func end() -> [SessionInput] {
    // Without a server from the start there is nothing to lose.
    guard isReady else { return [] }
    let call = changed(\.isInCall, to: false) { _ in .phoneCallEnded(shouldResume: false) }
    let other: [SessionInput] = reported.isOtherAudioPlaying == true ? [.otherAudio(isPlaying: false)] : []
    (streams, outputs, policies, isReady, isAskedToPause) = ([:], [:], DesktopPolicies(), false, false)
    reported.isOtherAudioPlaying = nil
    return call + other + changed(\.hasLostServices, to: true) { _ in .servicesLost }
  }

  private mutating func conclusions() -> [SessionInput] {
    call() + otherAudio() + route()
  }

  private func isForeign(_ stream: DesktopEvent.Stream) -> Bool { stream.process != process && stream.process != 0 }

  /// A call: the server has asked for a pause, and the stream of another program is the reason.
  ///
  /// The session's own stream of the role `phone` causes the same request, and is no call.
  private mutating func call() -> [SessionInput] {
    let roles = policies.interruptingRoles
    let isCalled = streams.values.contains { isForeign($0) && !$0.isPaused && roles.contains($0.role) }
    return changed(\.isInCall, to: isCalled && (isAskedToPause || policies.isPipeWire)) {
      $0 ? .phoneCallBegan : .phoneCallEnded(shouldResume: true)
    }
  }

  private mutating func otherAudio() -> [SessionInput] {
    let isPlaying = streams.values.contains { isForeign($0) && !$0.isPaused && !$0.isMuted && $0.role != "event" }
    guard reported.isOtherAudioPlaying != isPlaying else { return [] }
    reported.isOtherAudioPlaying = isPlaying
    return [.otherAudio(isPlaying: isPlaying)]
  }

  /// The route, once the default output is known.
  private mutating func route() -> [SessionInput] {
    guard let output = outputs.values.first(where: { $0.name == defaultOutput }), output != reported.output else {
      return []
    }
    let before = reported.output
    reported.output = output
    defer { newOutputs = [] }
    guard before.map({ $0.name != output.name || $0.port != output.port }) ?? true else { return [] }
    let name = [output.text.isEmpty ? output.name : output.text, output.port].filter { !$0.isEmpty }
    return [
      .routeChanged(SessionRoute(outputs: [name.joined(separator: ", ")]), reason: reason(from: before, to: output))
    ]
  }

  private func reason(from before: DesktopEvent.Output?, to output: DesktopEvent.Output) -> RouteChange.Reason {
    guard let before else { return .unknown }
    if before.name == output.name {
      if output.emptyPorts.contains(before.port) { return .oldDeviceUnavailable }
      return before.emptyPorts.contains(output.port) ? .newDeviceAvailable : .override
    }
    if !outputs.values.contains(where: { $0.name == before.name }) { return .oldDeviceUnavailable }
    return newOutputs.contains(output.name) ? .newDeviceAvailable : .override
  }
}
