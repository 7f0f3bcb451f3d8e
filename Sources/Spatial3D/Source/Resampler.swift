/// A method of the library to play a sound at another rate; costlier methods produce less aliasing.
///
/// ``AudioContext/resamplers`` lists them; all contexts of a program have the same. OpenAL Soft 1.19 has point, linear,
/// cubic and two band-limited resamplers, 1.25 has ten.
///
/// The OpenAL counterpart is `AL_SOFT_source_resampler`.
public struct Resampler: Hashable, Sendable {
  /// The library's name for it, such as `Linear` (`AL_RESAMPLER_NAME_SOFT`).
  public let name: String

  /// The index in the library's list.
  let index: Int32
}

extension Resampler: CustomStringConvertible {
  /// The resampler's ``name``.
  public var description: String { name }
}
