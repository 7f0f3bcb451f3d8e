/// The compressed sound of a page, in memory.
///
/// A ``PageSoundWriter`` makes it from the pieces of a mix.
public struct PageSound: Sendable {
  /// The duration of the sound, in seconds.
  public let seconds: Double

  /// The level of the sound over the level of the mix, which brings the sound to -16 LUFS.
  ///
  /// At most 30 dB, and 0 dB for a mix that is silent or shorter than 0.4 seconds. Peaks above full scale are turned
  /// down, by at most 8 dB: a sound with higher peaks stays quieter.
  public let levelChange: Decibels

  /// The integrated loudness of the sound before its compression, in LUFS, without the small loss at its peaks.
  let loudness: Decibels

  /// The bytes of the compressed file.
  let bytes: [UInt8]
}

extension PageSound {
  /// The loudness that players of music and films on the web have, in LUFS.
  private static let loudness: Decibels = -16

  /// The largest sample of the sound, in decibels: between two samples, and by the compression, it becomes louder.
  static let ceiling: Decibels = -1.5

  /// The largest reduction of a peak, in decibels.
  private static let mostReduction: Decibels = 8

  /// The largest rise, in decibels; a mix that needs more is nearly silent.
  private static let mostRise: Decibels = 30

  /// The change of level of a mix with a loudness and a peak; 0 dB for silence.
  static func levelChange(ofLoudness loudness: Decibels, peak: Decibels) -> Decibels {
    guard loudness.rawValue.isFinite, peak.rawValue.isFinite else { return 0 }
    return min(Self.loudness - loudness, ceiling - peak + mostReduction, mostRise)
  }
}
