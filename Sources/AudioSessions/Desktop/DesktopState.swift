/// The conclusions from the events of a desktop: the reports to a session.
///
/// Pure: no call and no lock. A report is made once, when its condition changes.
struct DesktopState: Sendable {
  /// This program, whose streams are not of others; more is known of it when its connection is listed.
  private var own: DesktopEvent.Program

  private(set) var policies = DesktopPolicies()
  private var clients: [UInt32: DesktopEvent.Program] = [:]
  private var streams: [UInt32: DesktopEvent.Stream] = [:]
  private var outputs: [UInt32: DesktopEvent.Output] = [:]
  /// The outputs that have come since the last route.
  private var newOutputs: Set<String> = []
  /// The outputs of the server before the present one; `nil` before the first.
  private var outputsBeforeLoss: Set<String>?
  private var defaultOutput = ""
  private var isReady = false
  private var reported = Reported()

  /// The last report to the session.
  private struct Reported {
    var hasLostServices = false
    var isOtherAudioPlaying: Bool?
    var isInCall = false
    var output: DesktopEvent.Output?
    var isLocked = false
    var isSessionInFront = true
    var isAsleep = false
  }

  init(process: UInt32) { own = DesktopEvent.Program(process: process) }

  /// Takes an event; returns the reports that it causes.
  mutating func handle(_ event: DesktopEvent) -> [SessionInput] {
    switch event {
    case .serverReady: return begin()
    case .serverLost: return end()
    case .client(let index, let program, let isOwn):
      clients[index] = program
      if isOwn, program.process == own.process { own = program }
    case .clientGone(let index): clients[index] = nil
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
    case .loginReady, .userSessionMissing: return []
    // Nobody else reports the end of a sleep, and a program that runs is awake.
    case .loginMissing: return changed(\.isAsleep, to: false) { _ in .systemDidWake }
    case .sleep: return changed(\.isAsleep, to: true) { _ in .systemWillSleep }
    case .wake: return changed(\.isAsleep, to: false) { _ in .systemDidWake }
    case .screen(let isLocked): return changed(\.isLocked, to: isLocked) { $0 ? .screenLocked : .screenUnlocked }
    case .front(let isInFront):
      return changed(\.isSessionInFront, to: isInFront) { .userSession(isInFront: $0) }
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
    let known = outputsBeforeLoss ?? newOutputs
    newOutputs.subtract(known)
    // A call that the server has at its return holds the session back before it may be active again.
    return call() + changed(\.hasLostServices, to: false) { _ in .servicesReset } + audioOfOthers() + route()
  }

  private mutating func end() -> [SessionInput] {
    let wasReady = isReady
    if wasReady { outputsBeforeLoss = Set(outputs.values.map(\.name)) }
    // Also the entries of a server that was lost before it had listed them all.
    (clients, streams, outputs, newOutputs) = ([:], [:], [:], [])
    (policies, defaultOutput, isReady) = (DesktopPolicies(), "", false)
    // The loss ends a call, and makes the audio of others unknown.
    (reported.isInCall, reported.isOtherAudioPlaying) = (false, nil)
    // Without a server from the start there is nothing to lose.
    return wasReady ? changed(\.hasLostServices, to: true) { _ in .servicesLost } : []
  }

  private mutating func conclusions() -> [SessionInput] { call() + audioOfOthers() + route() }

  /// Whether another program plays a stream; streams of the server itself, and of connections not yet known, do not
  /// count.
  private func isForeign(_ stream: DesktopEvent.Stream) -> Bool {
    guard let client = stream.client, let program = clients[client] else { return false }
    return !program.matches(own)
  }

  /// A call: another program plays a stream of an interrupting role.
  ///
  /// It does not need the server's requests to pause: the server sends no request for a stream that starts paused and
  /// plays later.
  private mutating func call() -> [SessionInput] {
    let roles = policies.interruptingRoles
    let isCalled = streams.values.contains { isForeign($0) && !$0.isPaused && roles.contains($0.role) }
    return changed(\.isInCall, to: isCalled) { $0 ? .phoneCallBegan : .phoneCallEnded(shouldResume: true) }
  }

  private mutating func audioOfOthers() -> [SessionInput] {
    // PipeWire names the short sounds of the desktop "Notification".
    let short: Set<String> = ["event", "Notification"]
    let othersPlay = streams.values.contains {
      isForeign($0) && !$0.isPaused && !$0.isMuted && !short.contains($0.role)
    }
    guard reported.isOtherAudioPlaying != othersPlay else { return [] }
    reported.isOtherAudioPlaying = othersPlay
    return [.otherAudio(isPlaying: othersPlay)]
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
