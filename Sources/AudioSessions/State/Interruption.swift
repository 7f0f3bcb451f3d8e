/// The cause of an interruption.
public enum Interruption: Hashable, Sendable, CaseIterable {
  /// Another program activated a session that does not mix.
  case otherSession

  /// Another program speaks a prompt, and this session is spoken audio.
  case spokenPrompt

  /// A phone call.
  case phone

  /// An alarm clock.
  case alarm

  /// The system sleeps.
  case sleep

  /// The system stopped the program.
  case appSuspended

  /// The device that played the session was disconnected, and no other may replace it.
  case routeDisconnected
}

/// Whether a session may make sound.
public enum SessionState: Hashable, Sendable {
  /// The session is not active: the program has not activated it, has deactivated it, or an interruption has ended.
  case inactive

  /// The session is active.
  case active

  /// The session was active when an interruption began. All causes in the set hold.
  case interrupted(by: Set<Interruption>)
}
