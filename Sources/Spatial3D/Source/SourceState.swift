/// What a source is doing.
///
/// The OpenAL counterpart is `AL_SOURCE_STATE`.
public enum SourceState: Hashable, Sendable, CaseIterable {
  /// Not played yet, or rewound (`AL_INITIAL`).
  case initial

  /// Heard, or waiting for the next mix to be heard (`AL_PLAYING`).
  case playing

  /// Held at a position, to go on from there (`AL_PAUSED`).
  case paused

  /// Ended or stopped; the next ``SoundSource/play()`` starts from the beginning (`AL_STOPPED`).
  case stopped
}
