@testable import AudioSessions

/// Seven facts that hold or do not, and the expected answers of the policy to them.
struct Situation: Hashable {
  let isActivated, isInterrupted, isInBackground, isLocked, isSilent, othersPlay, isWithoutServices: Bool

  /// The 128 situations.
  static let all = (0..<128).map { bits in
    Situation(
      isActivated: bits & 1 != 0,
      isInterrupted: bits & 2 != 0,
      isInBackground: bits & 4 != 0,
      isLocked: bits & 8 != 0,
      isSilent: bits & 16 != 0,
      othersPlay: bits & 32 != 0,
      isWithoutServices: bits & 64 != 0
    )
  }

  /// A policy of the default category in this situation.
  func makePolicy(_ behavior: BackgroundBehavior) throws -> SessionPolicy {
    var policy = SessionPolicy(behavior: behavior)
    if isActivated { _ = try policy.activate() }
    if isWithoutServices { _ = policy.handle(.servicesLost) }
    if isInterrupted { _ = policy.handle(.phoneCallBegan) }
    if isInBackground { _ = policy.handle(.enteredBackground) }
    if isLocked { _ = policy.handle(.screenLocked) }
    if isSilent { _ = policy.handle(.ringSwitch(silent: true)) }
    if othersPlay { _ = policy.handle(.otherAudio(isPlaying: true)) }
    return policy
  }

  var isOn: Bool { isActivated && !isWithoutServices }

  func suspensions(
    of combination: Combination,
    _ behavior: BackgroundBehavior
  ) -> [SessionDirectives.Reason: SessionDirectives.Suspension] {
    let stopsInBackground =
      combination.has("silent") || behavior.suspends || (combination.has("declared") && !behavior.plays)
    let all: [(SessionDirectives.Reason, SessionDirectives.Suspension, Bool)] = [
      (.inactive, .freeze, !isOn),
      (.interruption, .freeze, isOn && isInterrupted),
      (.background, .queue, isInBackground && stopsInBackground),
      (.screenLock, .queue, isLocked && combination.has("obeys")),
      (.ringSwitch, .mute, isSilent && combination.has("obeys")),
      (.category, .mute, !combination.has("sound")),
    ]
    return Dictionary(uniqueKeysWithValues: all.filter(\.2).map { ($0.0, $0.1) })
  }

  func advice(for combination: Combination, _ behavior: BackgroundBehavior) -> [SessionAdvice] {
    let hasRouteOption = combination.options.rawValue >= SessionOptions.allowBluetooth.rawValue
    let all: [(SessionAdvice, Bool)] = [
      (.onlyWithMicrophone, combination.has("mic")),
      (.onlyForBackground, combination.category == .playback && !behavior.plays),
      (.turnLimiterOff, combination.mode == .measurement),
      (.turnHRTFOff, combination.mode == .measurement),
      (.processVoice, combination.mode == .voiceChat),
      (.routeIsNotChosen, hasRouteOption || combination.mode == .voiceChat),
    ]
    return all.filter(\.1).map(\.0)
  }

  /// Whether the directives are as expected.
  func agrees(
    with directives: SessionDirectives,
    for combination: Combination,
    _ behavior: BackgroundBehavior
  ) -> Bool {
    directives.suspensions == suspensions(of: combination, behavior)
      && directives.pausesPlayers == (isOn && isInterrupted)
      && directives.resumeRewind == (combination.mode == .spokenAudio ? .seconds(2) : .zero)
      && directives.mutesWithOtherAudio == (isOn && othersPlay && combination.category == .ambient)
      && !directives.shouldReactivate
      && directives.advice == advice(for: combination, behavior)
  }

  /// Whether the requests to the system are as expected.
  func agrees(with requests: SessionRequests, for combination: Combination) -> Bool {
    let isActive = isOn && !isInterrupted
    return requests.isActive == isActive
      && requests.interruptsOthers == (isActive && !combination.isMixable)
      && requests.lowersOthers == (isActive && combination.options.contains(.duckOthers))
      && requests.pausesSpokenAudio
        == (isActive && combination.options.contains(.interruptSpokenAudioAndMixWithOthers))
      && requests.silencesOutput == (isActive && combination.category == .record)
      && !requests.notifiesOthers
  }
}
