public import Spatial3D

/// The difference between the left and the right ear, by which a listener locates a sound to the left or the right.
///
/// Its level and its time are positive for a sound on the right.
public struct InterauralDifference: Hashable, Sendable {
  /// The level of the right ear relative to the left; 0 if both are silent.
  public let level: Decibels

  /// The delay of the left ear against the right; up to a millisecond in either direction.
  ///
  /// It is the delay at which the two ear signals are most alike, with a resolution finer than a frame. A tone has many
  /// such delays, and the result is the nearest to 0: use noise or an impulse. Zero if an ear is silent, or if it has
  /// the other's signal only inverted.
  public let time: Duration

  /// The likeness of the two ear signals without their delay: 1 for one source without reverb, less for a more diffuse
  /// sound.
  ///
  /// It is the interaural cross-correlation coefficient of ISO 3382-1:2009, annex B. The coefficient is a magnitude: a
  /// signal that is inverted in one ear is as coherent. 0 if an ear is silent.
  public let coherence: Double
}

extension InterauralDifference: CustomStringConvertible {
  /// The differences as a phrase, such as `"right 6.0 dB louder, 354 µs earlier, coherence 0.98"`.
  public var description: String {
    let microseconds = (time / .microseconds(1)).rounded()
    let loudness =
      level == 0
      ? "as loud" : "\(level > 0 ? "right" : "left") \(rounded(level.rawValue.magnitude, places: 1)) dB louder"
    let arrival =
      microseconds == 0
      ? "at once" : "\(microseconds > 0 ? "right" : "left") \(Int(microseconds.magnitude)) µs earlier"
    return "\(loudness), \(arrival), coherence \(rounded(coherence, places: 2))"
  }
}
