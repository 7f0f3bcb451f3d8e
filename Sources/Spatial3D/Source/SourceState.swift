/// The playback state of a source.
///
/// The OpenAL counterpart is `AL_SOURCE_STATE`.
public enum SourceState: String, Hashable, Sendable, CaseIterable, Codable {
  /// Never played, or rewound (`AL_INITIAL`).
  case initial

  /// Audible, or waiting for the next mix (`AL_PLAYING`).
  case playing

  /// Paused at a position (`AL_PAUSED`).
  case paused

  /// Ended or stopped; the next ``SoundSource/play()`` starts from the beginning (`AL_STOPPED`).
  case stopped
}
