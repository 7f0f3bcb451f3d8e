internal import Glibc
internal import Spatial3D

/// The directions and the gain by which a player's sound goes to one side with constant power.
///
/// On two loudspeakers OpenAL Soft widens the front: 60 degrees are one side alone for a mono sound, and 30 for a
/// channel of a stereo sound. Its gains in between follow a decoder of the first order, 0.60 on each side in the
/// middle. Their ratio gives the direction for a position, and their power the gain. Other outputs have a direction of
/// 90 degrees for each side. Pure: no call and no lock.
struct PanLaw: Hashable, Sendable {
  /// The azimuth of a mono sound, in degrees.
  let azimuth: Float
  /// The directions of a stereo sound.
  let angles: StereoAngles
  /// The factor that restores the power.
  let gain: Float

  /// The law for a position from -1, the left side, to 1.
  init(pan: Float, channelCount: Int, onTwoLoudspeakers isPair: Bool) {
    let pan = min(max(pan, -1), 1)
    switch (channelCount, isPair) {
    case (1, true):
      let angle = Self.angle(at: pan)
      azimuth = angle * 60
      angles = StereoAngles()
      gain = Self.restoring(Self.power(at: angle))
    case (1, false):
      azimuth = pan * 90
      angles = StereoAngles()
      gain = 1
    case (2, true):
      // The channel of the far side goes over to the near one.
      let (left, right) = (pan > 0 ? Self.angle(at: 2 * pan - 1) : -1, pan < 0 ? Self.angle(at: 2 * pan + 1) : 1)
      azimuth = 0
      angles = StereoAngles(left: left * 30, right: right * 30)
      gain = Self.restoring((Self.power(at: left) + Self.power(at: right)) / 2)
    case (2, false):
      azimuth = 0
      angles = StereoAngles(
        left: pan > 0 ? -30 + 120 * pan : -30 + 60 * pan,
        right: pan < 0 ? 30 + 120 * pan : 30 + 60 * pan
      )
      gain = 1
    default: (azimuth, angles, gain) = (0, StereoAngles(), 1)
    }
  }

  /// The gain of a mono sound in the middle of two loudspeakers; on other outputs it is 1.
  static let middleGain = PanLaw(pan: 0, channelCount: 1, onTwoLoudspeakers: true).gain

  /// The direction of a mono sound, on a circle around the listener.
  var direction: SIMD3<Float> { [sin(azimuth * .pi / 180), 0, -cos(azimuth * .pi / 180)] }

  /// The gains of the two loudspeakers for an angle, from -1 to 1, of which each end is one side alone.
  ///
  /// OpenAL Soft 1.19.1 and 1.25.2 render the gain 0.5957 in the middle. The sum here, 0.5958, differs by 0.002 dB.
  private static func gains(at angle: Float) -> (left: Float, right: Float) {
    let (sine, cosine) = (sin(angle * .pi / 2), cos(angle * .pi / 2))
    return (0.5 - 0.5 * sine + 0.0958 * cosine, 0.5 + 0.5 * sine + 0.0958 * cosine)
  }

  private static func power(at angle: Float) -> Float {
    let (left, right) = gains(at: angle)
    return left * left + right * right
  }

  private static func restoring(_ power: Float) -> Float { 1 / power.squareRoot() }

  /// The angle whose gains have the ratio of the law with a sine and a cosine.
  private static func angle(at pan: Float) -> Float {
    if abs(pan) >= 1 { return pan }
    let ratio = tan((pan + 1) * .pi / 4)
    var (low, high): (Float, Float) = (-1, 1)
    for _ in 0..<24 {
      let middle = (low + high) / 2
      let (left, right) = gains(at: middle)
      if right > ratio * left { high = middle } else { low = middle }
    }
    return (low + high) / 2
  }
}
