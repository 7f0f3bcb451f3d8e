/// An event of a session, reported after the fact.
@nonexhaustive
public enum SessionEvent: Hashable, Sendable {
  /// The session is interrupted, and its sound is silent already.
  ///
  /// Show the pause, save positions, and return soon. Do not start a sound. More causes may follow during the
  /// interruption without an event: see ``AudioSession/state``.
  case interruptionBegan(Interruption)

  /// The last cause of the interruption has ended, and the session is inactive.
  ///
  /// With `shouldResume`, activate the session and resume. Otherwise wait for the user. The value is `false` if any
  /// cause ended with `false`. Reported also for an interruption that began while the session waited for an activation.
  case interruptionEnded(shouldResume: Bool)

  /// The session has another route.
  case routeChanged(RouteChange)

  /// Audio of another program began or stopped, beside which the game's own music should be silent.
  ///
  /// Reported in the foreground, to an active session of the category ``SessionCategory/ambient``.
  case secondaryAudioHint(begins: Bool)

  /// The sound service of the system is gone, and the session is inactive. It ends a call without another event.
  case servicesLost

  /// The sound service of the system is there again. Activate the session again.
  case servicesReset
}
