/// A report of the system to a session.
///
/// A backend reports what the system reports. The game reports the rest with ``AudioSession/report(_:)``, such as the
/// focus of its window. A report of a condition that already holds has no effect. There are two exceptions: a report of
/// a route and ``servicesReset`` always cause an event.
public enum SessionInput: Hashable, Sendable {
  /// A phone call began.
  case phoneCallBegan

  /// The phone call ended.
  case phoneCallEnded(shouldResume: Bool)

  /// The screen was locked.
  case screenLocked

  /// The screen was unlocked.
  case screenUnlocked

  /// The user turned the ring switch.
  case ringSwitch(silent: Bool)

  /// The game's window went to the background.
  case enteredBackground

  /// The game's window came to the foreground; the game stays in the background behind another user's session.
  case enteredForeground

  /// The session of the computer's user came to the front of the screen, or another user's or a text console did.
  ///
  /// The game is in the background while its own is not in front, whatever its window reports. It starts in front.
  case userSession(isInFront: Bool)

  /// Another program activated its session. Its audio plays from now on.
  case otherSessionActivated(mixable: Bool)

  /// The other program deactivated its session; `notifyingOthers` permits this session to resume.
  case otherSessionDeactivated(notifyingOthers: Bool)

  /// Another program speaks a prompt, with the option ``SessionOptions/interruptSpokenAudioAndMixWithOthers``.
  case spokenPromptBegan

  /// The prompt ended.
  case spokenPromptEnded(shouldResume: Bool)

  /// Another program started or stopped audio such as music, as far as the backend detects.
  case otherAudio(isPlaying: Bool)

  /// An interruption began that has no case of its own, such as an alarm.
  case interruptionBegan(Interruption)

  /// An interruption ended that has no case of its own.
  case interruptionEnded(Interruption, shouldResume: Bool)

  /// The system is about to sleep.
  case systemWillSleep

  /// The system woke from sleep.
  case systemDidWake

  /// A device was connected, and is the output from now on.
  case outputPlugged(String)

  /// The output was disconnected. The output that was connected before it is used from now on.
  case outputUnplugged

  /// The system uses another route.
  case routeChanged(SessionRoute, reason: RouteChange.Reason)

  /// The sound service of the system is gone, and with it a call and all else that it has reported.
  case servicesLost

  /// The sound service of the system is there again.
  ///
  /// Without a loss before, the service was lost and is back at once: an active session becomes inactive.
  case servicesReset
}
