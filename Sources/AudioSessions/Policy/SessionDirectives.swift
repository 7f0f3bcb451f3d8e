/// The effects of a session on the sound of its program.
///
/// They are a function of the current state: the same state has the same directives, whatever happened before. A game
/// layer carries them out, each time that they change.
public struct SessionDirectives: Hashable, Sendable {
  /// The suspensions that hold, by their reasons; without any, the program is audible.
  public let suspensions: [Reason: Suspension]

  /// Whether players pause where they are, and wait for the program to resume them.
  public let pausesPlayers: Bool

  /// The time by which players go back when they resume after an interruption.
  public let resumeRewind: Duration

  /// Whether the buses that the music of the user replaces are silent; they fade over ``busFade``.
  public let mutesWithOtherAudio: Bool

  /// Whether the session waits for ``AudioSession/activate()``, because an interruption or a loss of services is over.
  public let shouldReactivate: Bool

  /// Hints about the category and the mode.
  public let advice: [SessionAdvice]

  /// The duration of a fade of the buses: half a second.
  public static let busFade: Duration = .milliseconds(500)

  /// The reasons for a suspension, which are independent of each other.
  public enum Reason: Hashable, Sendable, CaseIterable {
    /// The session is not active.
    case inactive

    /// The session is interrupted.
    case interruption

    /// The program is in the background.
    case background

    /// The screen is locked.
    case screenLock

    /// The ring switch is silent.
    case ringSwitch

    /// The category has no output.
    case category
  }

  /// The kinds of suspension, from the weakest to the strongest.
  public enum Suspension: Hashable, Sendable, CaseIterable {
    /// The program is silent, and its time continues.
    case mute

    /// The time of all sounds stops.
    case freeze

    /// The time of all sounds stops, and calls that play, pause or stop take effect at the end of the suspension.
    case queue
  }
}

extension SessionDirectives {
  /// The directives with an interruption as in Wwise: the program is muted, and its time and its players continue.
  ///
  /// Other suspensions stay as they are.
  public func mutingInterruptions() -> SessionDirectives {
    var suspensions = suspensions
    if suspensions[.interruption] != nil { suspensions[.interruption] = .mute }
    return SessionDirectives(
      suspensions: suspensions,
      pausesPlayers: false,
      resumeRewind: resumeRewind,
      mutesWithOtherAudio: mutesWithOtherAudio,
      shouldReactivate: shouldReactivate,
      advice: advice
    )
  }
}

extension SessionDirectives {
  init(_ configuration: SessionConfiguration, _ behavior: BackgroundBehavior, _ conditions: SessionConditions) {
    let rules = configuration.rules
    var suspensions: [Reason: Suspension] = [:]
    if conditions.activation != .on { suspensions[.inactive] = .freeze }
    if conditions.isInterrupted { suspensions[.interruption] = .freeze }
    if conditions.isInBackground, behavior.isSuspended(with: rules) { suspensions[.background] = .queue }
    if conditions.isScreenLocked, rules.obeysSwitchAndLock { suspensions[.screenLock] = .queue }
    if conditions.isRingSwitchSilent, rules.obeysSwitchAndLock { suspensions[.ringSwitch] = .mute }
    if !rules.plays { suspensions[.category] = .mute }

    self.suspensions = suspensions
    pausesPlayers = conditions.isInterrupted
    resumeRewind = SessionRules.resumeRewinds[configuration.mode] ?? .zero
    mutesWithOtherAudio =
      conditions.activation == .on && configuration.category == .ambient && conditions.hasPrimaryAudioOfOthers
    shouldReactivate =
      conditions.activation == .toBeRestored && conditions.hasServices && conditions.interruptions.isEmpty
    advice = SessionAdvice.advice(for: configuration, playsInBackground: behavior.plays)
  }
}
