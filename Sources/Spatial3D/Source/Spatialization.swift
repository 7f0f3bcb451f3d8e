/// Whether a source's sound is placed in space.
///
/// The OpenAL counterpart is `AL_SOFT_source_spatialize`.
public enum Spatialization: Hashable, Sendable, CaseIterable {
  /// Mono sounds are placed, all others are heard as they are.
  case automatic

  /// Every sound is placed: the channels of a stereo or surround sound all come from where the source is, at their mean level.
  ///
  /// A low-frequency channel has no part in it, and a B-Format stays all around.
  case always

  /// No sound is placed.
  case never
}
