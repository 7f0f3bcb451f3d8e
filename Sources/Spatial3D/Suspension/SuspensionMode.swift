/// The effect of a suspension on a context, from the weakest to the strongest.
public enum SuspensionMode: String, Hashable, Sendable, CaseIterable, Codable {
  /// The context is silent, but time continues: sources end, streams are read, and notifications arrive.
  ///
  /// The sound fades out within a mix, effects included, and fades in on resume; ``Listener/gain`` keeps its value.
  /// Wwise does this during an interruption.
  case mute

  /// Time stops: the context is silent, and every source and the ``AudioContext/clock`` keep their positions.
  ///
  /// Calls take effect at once: a source that is stopped meanwhile is stopped, and its observers are notified.
  ///
  /// The OpenAL counterpart is `alcDevicePauseSOFT`.
  case freeze

  /// Time stops, and the calls that play, pause, stop, rewind or move a source are kept until the context resumes.
  ///
  /// The deferred calls run on resume, before time continues, and observers are notified of the changes then.
  /// ``SoundSource/state`` and ``SoundSource/playbackFrame`` meanwhile return the values after the calls. Only the
  /// combined effect of a source's calls is kept, and a game may continue to call for hours. All other changes take
  /// effect at once, and are audible afterwards. Wwise does this in the background.
  case queue
}

extension SuspensionMode: Comparable {
  /// Whether a mode is weaker than another.
  public static func < (left: SuspensionMode, right: SuspensionMode) -> Bool {
    left.strength < right.strength
  }

  private var strength: Int {
    switch self {
    case .mute: 0
    case .freeze: 1
    case .queue: 2
    }
  }
}
