/// The effects of a session on the sound of other programs, for its backend.
///
/// All but ``notifiesOthers`` hold only while the session is active, and not during an interruption.
public struct SessionRequests: Hashable, Sendable {
  /// Whether the session may make sound.
  public let isActive: Bool

  /// Whether sessions of others that do not mix are interrupted.
  ///
  /// Only a session that interrupts others owns the sample rate and the buffer size of the hardware.
  public let interruptsOthers: Bool

  /// Whether others are lowered.
  public let lowersOthers: Bool

  /// Whether the speech of others is paused.
  public let pausesSpokenAudio: Bool

  /// Whether all output of the system is silent.
  public let silencesOutput: Bool

  /// Whether others may resume, since the session was deactivated with `notifyingOthers`.
  public let notifiesOthers: Bool

  /// The requests of a session that is not active.
  public static let inactive = SessionRequests(nil, notifiesOthers: false)

  init(_ active: SessionConfiguration?, notifiesOthers: Bool) {
    isActive = active != nil
    interruptsOthers = active.map { !$0.isMixable } ?? false
    lowersOthers = active?.options.contains(.duckOthers) ?? false
    pausesSpokenAudio = active?.options.contains(.interruptSpokenAudioAndMixWithOthers) ?? false
    silencesOutput = active?.category == .record
    self.notifiesOthers = notifiesOthers
  }
}
