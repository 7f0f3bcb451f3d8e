/// The actual result of the loaded library for a ``Reverb``.
public struct ReverbResolution: Hashable, Sendable {
  /// The actual level; below the level that was set if the library's gains end earlier.
  public let level: Decibels

  /// The accuracy of the equaliser.
  public let equalizer: EqualizerAccuracy

  /// The acoustics in the library, for a comparison with ``Reverb/room``.
  ///
  /// A value differs if the library cannot compute with the set value. It is then the nearest possible value:
  ///
  /// - OpenAL Soft 1.19 ends the process if high or low frequencies decay in less than about 0.12 seconds and middle
  ///   frequencies in more than 0.5. The high or low frequencies decay more slowly, by a higher ratio or a higher
  ///   ``RoomAcoustics/airAbsorptionGain``.
  /// - With every version, a band with a decay ratio of 2 never decays. A ratio above 1.9 is 1.9.
  /// - With every version, the filter for a ``RoomAcoustics/lowFrequencyReference`` that is less than about a
  ///   thousandth of the mix's rate may be unstable, in a room that decays slowly at low frequencies. The reference is
  ///   higher.
  public let room: RoomAcoustics
}

/// The accuracy of the band of a ``ParametricEqualizer``.
///
/// The largest error is the calculated one over 20 to 20,000 Hz and below 0.45 of the mix's rate. A narrow band out of
/// the reach of the library's filters is mostly left out, not widened: the error is then close to its gain.
public enum EqualizerAccuracy: Hashable, Sendable {
  /// Exact; also without an equaliser.
  ///
  /// OpenAL Soft 1.21 and later, 200 to 8,000 Hz and below 0.45 of the mix's rate, up to an octave wide.
  case exact

  /// Several filters that approximate the band.
  case approximate(largestError: Decibels)

  /// The nearest result for frequencies out of the reach of the library's filters.
  case clamped(largestError: Decibels)
}
