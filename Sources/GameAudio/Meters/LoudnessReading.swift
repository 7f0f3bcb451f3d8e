public import Spatial3D

/// The loudness of a bus, by ITU-R BS.1770-4, EBU Tech 3341 and 3342.
///
/// A loudness is in LUFS: decibels re full scale, weighted as the ear does. `nil`: not enough sound yet.
public struct LoudnessReading: Hashable, Sendable, Codable {
  /// The loudness of the last 400 ms.
  public let momentary: Decibels?

  /// The loudness of the last 3 s.
  public let shortTerm: Decibels?

  /// The loudness since the beginning or the last ``BusMeter/reset()``, without silent and soft parts.
  ///
  /// Broadcasts have -23 LUFS (EBU R 128), streaming services about -14, games on consoles -24 (ASWG-R001).
  public let integrated: Decibels?

  /// The range of the loudness in LU, from the soft parts to the loud parts.
  public let range: Decibels?

  /// The largest sample since the beginning or the last reset, re full scale.
  public let samplePeak: Decibels

  /// The largest value between samples since the beginning or the last reset, re full scale.
  ///
  /// Annex 2 of BS.1770-4 allows an error of 0.69 dB at 0.45 of the rate, and less below.
  public let truePeak: Decibels
}
