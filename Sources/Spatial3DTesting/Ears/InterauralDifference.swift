public import Spatial3D

/// What differs between the two ears, by which a listener tells the side that a sound comes from.
///
/// Both differences are positive for a sound on the right.
public struct InterauralDifference: Hashable, Sendable {
  /// How much louder the right ear is than the left; 0 where both are silent.
  public let level: Decibels

  /// How much later the left ear hears the sound than the right; up to a millisecond either way.
  ///
  /// Where the ears' signals are most alike, between frames too. A tone has many such places, and the one nearest to 0
  /// is taken: use noise or an impulse. Zero where an ear is silent, or has the other's signal nowhere but upside down.
  public let time: Duration

  /// How alike the ears' signals are once the delay is taken out: 1 for one source without reverb, less the more
  /// diffuse the sound is.
  ///
  /// The interaural cross-correlation coefficient of ISO 3382-1:2009, annex B, which is a magnitude: a signal that is
  /// upside down in one ear is as coherent. 0 where an ear is silent.
  public let coherence: Double
}

extension InterauralDifference: CustomStringConvertible {
  /// The differences in words, such as `"right 6.0 dB louder, 354 µs earlier, coherence 0.98"`.
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
