/// Whether a source's sound is placed in space.
///
/// The OpenAL counterpart is `AL_SOFT_source_spatialize`.
public enum Spatialization: Hashable, Sendable, CaseIterable {
  /// Mono sounds are placed, all others are heard as they are.
  case automatic

  /// Every sound is placed: the channels of a stereo sound all come from where the source is, at their mean level.
  case always

  /// No sound is placed.
  case never
}
