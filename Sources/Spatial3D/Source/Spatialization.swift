/// Whether a source's sound has a position in space.
///
/// The OpenAL counterpart is `AL_SOFT_source_spatialize`.
public enum Spatialization: String, Hashable, Sendable, CaseIterable, Codable {
  /// Mono sounds have a position; all others play unchanged.
  case automatic

  /// Every sound has a position: all channels of a stereo or surround sound come from the source, at their mean level.
  ///
  /// A low-frequency channel is left out, and a B-Format sound stays all around.
  case always

  /// No sound has a position.
  case never
}
