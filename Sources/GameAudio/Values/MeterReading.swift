public import Spatial3D

/// The predicted level of one channel of a sound.
public struct MeterReading: Hashable, Sendable {
  /// The root mean square over 20 ms, re full scale, from -160 to 0 dB.
  public let average: Decibels

  /// The largest sample within 20 ms, re full scale, from -160 to 0 dB.
  public let peak: Decibels

  /// A reading of silence.
  static let silence = MeterReading(average: 0, peak: 0)

  /// A reading of two linear levels, in the range of the meters of `AVAudioPlayer`.
  init(average: Float, peak: Float) {
    func level(_ gain: Float) -> Decibels { min(max(Decibels(factor: gain), -160), 0) }
    (self.average, self.peak) = (level(average), level(peak))
  }
}
