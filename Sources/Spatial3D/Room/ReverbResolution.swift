/// What the loaded library made of a ``Reverb``.
public struct ReverbResolution: Hashable, Sendable {
  /// The level that the reverb has; below the one asked for where the library's gains end.
  public let level: Decibels

  /// How well the equaliser is met.
  public let equalizer: EqualizerAccuracy

  /// The acoustics that the library has, to compare with those of ``Reverb/room``.
  ///
  /// A value differs where the library cannot compute with the one that was set, and is the nearest with which it can:
  ///
  /// - OpenAL Soft 1.19 ends the process where high or low frequencies decay in less than about 0.12 seconds and middle
  ///   ones in more than 0.5. They decay more slowly, by a higher ratio or a higher
  ///   ``RoomAcoustics/airAbsorptionGain``.
  /// - With every version, a band with a decay ratio of 2 never decays. A ratio above 1.9 is 1.9.
  /// - With every version, the filter for a ``RoomAcoustics/lowFrequencyReference`` that is less than about a
  ///   thousandth of the mix's rate may be unstable, in a room that decays slowly at low frequencies. The reference is
  ///   higher.
  public let room: RoomAcoustics
}

/// How well the band of a ``ParametricEqualizer`` is met.
///
/// The largest error is that of any frequency from 20 to 20,000 Hz and below 0.45 of the mix's rate, by calculation. A narrow
/// band that the library's filters do not reach is hardly made at all, rather than a wider one: then the error is about its gain.
public enum EqualizerAccuracy: Hashable, Sendable {
  /// As asked: also where none was asked for.
  ///
  /// OpenAL Soft 1.21 and later, 200 to 8,000 Hz and below 0.45 of the mix's rate, up to an octave wide.
  case exact

  /// By several filters that come close.
  case approximate(largestError: Decibels)

  /// By what comes nearest at frequencies that the library's filters do not reach.
  case clamped(largestError: Decibels)
}
