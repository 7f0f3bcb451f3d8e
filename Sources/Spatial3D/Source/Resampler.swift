/// A way to play a sound at another rate than its own, as the library has it: dearer ones let fewer false tones through.
///
/// ``AudioContext/resamplers`` lists them; all contexts of a program have the same. OpenAL Soft 1.19 has point, linear and
/// cubic resampling and two band-limited ones, 1.25 has ten.
///
/// The OpenAL counterpart is `AL_SOFT_source_resampler`.
public struct Resampler: Hashable, Sendable {
  /// What the library calls it, such as `Linear` (`AL_RESAMPLER_NAME_SOFT`).
  public let name: String

  /// Its place in the library's list.
  let index: Int32
}

extension Resampler: CustomStringConvertible {
  /// The resampler's ``name``.
  public var description: String { name }
}

extension AudioContext {
  /// The resamplers that the library has, in its own order, roughly from the cheapest to the best.
  ///
  /// None without ``Capabilities/sourceResampler``. The OpenAL counterpart is `AL_NUM_RESAMPLERS_SOFT`.
  public var resamplers: [Resampler] { handle.resamplers }

  /// The resampler of sources that were given none; `nil` where the library has no choice.
  ///
  /// The OpenAL counterpart is `AL_DEFAULT_RESAMPLER_SOFT`.
  public var defaultResampler: Resampler? { handle.resampler(at: handle.defaultResampler) }
}
