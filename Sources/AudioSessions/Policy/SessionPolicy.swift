/// The state machine of a session.
///
/// Pure: no call and no lock. A call returns the effects that the session carries out in order.
struct SessionPolicy: Hashable, Sendable {
  private(set) var configuration = SessionConfiguration.initial
  private(set) var conditions = SessionConditions()
  let behavior: BackgroundBehavior

  private var ports = PortHistory()
  /// Whether each cause of this interruption that has ended permits to resume.
  private var mayResume = true
  private var notifiesOthers = false
  /// The hint that was reported last.
  private var reportedHint = false

  init(behavior: BackgroundBehavior = BackgroundBehavior()) { self.behavior = behavior }

  var state: SessionState { conditions.state }

  var route: SessionRoute { configuration.visiblePart(of: ports.route) }

  var directives: SessionDirectives { SessionDirectives(configuration, behavior, conditions) }

  var requests: SessionRequests {
    SessionRequests(state == .active ? configuration : nil, notifiesOthers: notifiesOthers)
  }
}

/// The work that a change of the policy leads to.
enum SessionEffect: Hashable, Sendable {
  case directives(SessionDirectives)
  case requests(SessionRequests)
  case event(SessionEvent)
}

// MARK: - The program's calls

extension SessionPolicy {
  mutating func setCategory(_ next: SessionConfiguration) -> [SessionEffect] {
    effects { policy in
      let previous = policy.route
      policy.configuration = next
      policy.interruptOthers()
      guard policy.state == .active, policy.route != previous else { return [] }
      return [.routeChanged(RouteChange(reason: .categoryChange, previous: previous, current: policy.route))]
    }
  }

  mutating func activate() throws(SessionError) -> [SessionEffect] {
    guard conditions.hasServices else { throw .servicesLost }
    let holding = conditions.interruptions.subtracting(SessionRules.endedByActivation)
    guard holding.isEmpty else { throw .interrupted(by: holding) }
    return effects { policy in
      policy.conditions.interruptions = []
      policy.conditions.activation = .on
      policy.notifiesOthers = false
      policy.interruptOthers()
      return []
    }
  }

  mutating func deactivate(notifyingOthers: Bool) -> [SessionEffect] {
    effects { policy in
      if policy.state == .active { policy.notifiesOthers = notifyingOthers }
      policy.conditions.activation = .off
      policy.conditions.interruptions.subtract(SessionRules.endedByActivation)
      return []
    }
  }

  /// Ends the other session that does not mix, if this session is active and does not mix either.
  private mutating func interruptOthers() {
    if state == .active, !configuration.isMixable, conditions.otherSession == .nonMixable {
      conditions.otherSession = .none
    }
  }
}

// MARK: - Reports of the system

extension SessionPolicy {
  mutating func handle(_ input: SessionInput) -> [SessionEffect] { effects { $0.take(input) } }

  private mutating func take(_ input: SessionInput) -> [SessionEvent] {
    switch input {
    case .phoneCallBegan: return begin(.phone)
    case .phoneCallEnded(let shouldResume): return end(.phone, shouldResume: shouldResume)
    case .systemWillSleep: return begin(.sleep)
    case .systemDidWake: return end(.sleep, shouldResume: true)
    case .interruptionBegan(let cause): return begin(cause)
    case .interruptionEnded(let cause, let shouldResume): return end(cause, shouldResume: shouldResume)
    case .otherSessionActivated(let mixable): return takeOtherSession(mixable ? .mixable : .nonMixable)
    case .otherSessionDeactivated(let notifyingOthers):
      conditions.otherSession = .none
      return end(.otherSession, shouldResume: notifyingOthers)
    case .spokenPromptBegan: return configuration.mode == .spokenAudio ? begin(.spokenPrompt) : []
    case .spokenPromptEnded(let shouldResume): return end(.spokenPrompt, shouldResume: shouldResume)
    case .otherAudio(let isPlaying): conditions.detectedOtherAudio = isPlaying
    case .screenLocked: conditions.isScreenLocked = true
    case .screenUnlocked: conditions.isScreenLocked = false
    case .ringSwitch(let silent): conditions.isRingSwitchSilent = silent
    case .enteredBackground: conditions.isWindowInBackground = true
    case .enteredForeground: conditions.isWindowInBackground = false
    case .userSession(let isInFront): conditions.isUserSessionInFront = isInFront
    case .outputPlugged(let output): return changeRoute(.newDeviceAvailable) { $0.plug(output) }
    // A game layer pauses players then (`SessionLink.loseOutput` of GameAudio). A device without a session has a rule
    // of its own: `DevicePolicy.pauseOnOutputLoss` of Spatial3D, in `AudioDevice.placeholder`.
    case .outputUnplugged: return changeRoute(.oldDeviceUnavailable) { $0.unplug() }
    case .routeChanged(let route, let reason): return changeRoute(reason) { $0.replace(with: route) }
    case .servicesLost:
      guard conditions.hasServices else { return [] }
      loseServices()
      return [.servicesLost]
    case .servicesReset:
      // Causes that were reported since a loss are of the new service.
      if conditions.hasServices { loseServices() }
      conditions.hasServices = true
      return [.servicesReset]
    }
    return []
  }

  private mutating func takeOtherSession(_ other: SessionConditions.OtherSession) -> [SessionEvent] {
    conditions.otherSession = other
    return other == .nonMixable && !configuration.isMixable ? begin(.otherSession) : []
  }

  private mutating func begin(_ cause: Interruption) -> [SessionEvent] {
    // Another session interrupts an active one, and hinders no later activation.
    guard conditions.activation == .on || !SessionRules.endedByActivation.contains(cause) else { return [] }
    let wasActive = state == .active
    if conditions.interruptions.isEmpty { mayResume = true }
    conditions.interruptions.insert(cause)
    return wasActive ? [.interruptionBegan(cause)] : []
  }

  private mutating func end(_ cause: Interruption, shouldResume: Bool) -> [SessionEvent] {
    guard conditions.interruptions.remove(cause) != nil, conditions.activation != .off else { return [] }
    mayResume = mayResume && shouldResume
    guard conditions.interruptions.isEmpty else { return [] }
    conditions.activation = mayResume ? .toBeRestored : .off
    // Without services the session waits for their reset, which has an event of its own.
    return conditions.hasServices ? [.interruptionEnded(shouldResume: mayResume)] : []
  }

  private mutating func loseServices() {
    let wasInterrupted = !conditions.interruptions.isEmpty
    conditions.hasServices = false
    if conditions.activation == .on { conditions.activation = .toBeRestored }
    conditions.interruptions.subtract(SessionRules.reportedByServices)
    // The loss is the end of the interruption, and a cause that ended before it did not permit to resume.
    if wasInterrupted, conditions.interruptions.isEmpty, !mayResume { conditions.activation = .off }
    conditions.otherSession = .none
    conditions.detectedOtherAudio = nil
  }

  private mutating func changeRoute(_ reason: RouteChange.Reason, _ body: (inout PortHistory) -> Void) -> [SessionEvent]
  {
    let previous = route
    body(&ports)
    return [.routeChanged(RouteChange(reason: reason, previous: previous, current: route))]
  }
}

// MARK: - Effects

extension SessionPolicy {
  /// Makes a change; returns its effects in the order that the session carries them out: the program is silent, or
  /// audible, before it is notified.
  private mutating func effects(_ change: (inout SessionPolicy) -> [SessionEvent]) -> [SessionEffect] {
    let before = (directives, requests)
    var events = change(&self)
    if let hint = takeHint() { events.append(hint) }
    var effects: [SessionEffect] = []
    if directives != before.0 { effects.append(.directives(directives)) }
    if requests != before.1 { effects.append(.requests(requests)) }
    return effects + events.map { .event($0) }
  }

  /// The change of the hint since the last report; reported only to an active session in the foreground.
  private mutating func takeHint() -> SessionEvent? {
    let hint = directives.mutesWithOtherAudio
    guard state == .active, !conditions.isInBackground, hint != reportedHint else { return nil }
    reportedHint = hint
    return .secondaryAudioHint(begins: hint)
  }
}

extension SessionError {
  fileprivate static let servicesLost = SessionError(
    .servicesLost,
    "The sound service of the system is gone. Activate the session after the event servicesReset."
  )

  fileprivate static func interrupted(by causes: Set<Interruption>) -> SessionError {
    let names = Interruption.allCases.filter { causes.contains($0) }.map { "\($0)" }.joined(separator: ", ")
    return SessionError(
      .interrupted,
      "An interruption holds the output: \(names). Activate the session after its end."
    )
  }
}
