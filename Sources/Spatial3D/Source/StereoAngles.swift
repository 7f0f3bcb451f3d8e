/// The directions of a stereo sound's channels in degrees from straight ahead, for a sound without a position.
///
/// Positive angles are to the right.
///
/// The OpenAL counterpart is `AL_STEREO_ANGLES`, which is in radians and positive to the left.
public struct StereoAngles: Hashable, Sendable {
  /// The azimuth of the left channel, in degrees.
  ///
  /// Range: -180 to 180, clamped. Default: -30.
  public var left: Float

  /// The azimuth of the right channel, in degrees.
  ///
  /// Range: -180 to 180, clamped. Default: 30.
  public var right: Float

  /// Two azimuths in degrees; the defaults are the angles of loudspeakers.
  public init(left: Float = -30, right: Float = 30) {
    self.left = left
    self.right = right
  }
}

extension StereoAngles: Clampable {
  var isFinite: Bool { left.isFinite && right.isFinite }

  var clamped: StereoAngles {
    StereoAngles(left: left.clamped(to: -180...180), right: right.clamped(to: -180...180))
  }
}
