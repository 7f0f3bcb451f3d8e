/// The dependence of a source's loudness on the side that faces the listener.
///
/// Inside a cone around its direction the source has its full gain, outside a second cone it has a lower one. Between
/// the two cones the gain changes evenly. Only a source with a ``SoundSource/direction`` has a cone.
///
/// The OpenAL counterparts are `AL_CONE_INNER_ANGLE`, `AL_CONE_OUTER_ANGLE`, `AL_CONE_OUTER_GAIN` and
/// `AL_CONE_OUTER_GAINHF`.
public struct Cone: Hashable, Sendable {
  /// The whole angle, in degrees, inside which the source has its own gain.
  ///
  /// Range: 0 to 360, clamped. Default: 360.
  public var innerAngle: Float

  /// The whole angle, in degrees, outside which the source has ``outerGain``.
  ///
  /// Range: 0 to 360, clamped. Default: 360.
  public var outerAngle: Float

  /// The gain outside the cone.
  ///
  /// Range: 0 to 1, clamped. Default: 0.
  public var outerGain: Gain

  /// The gain of high frequencies (5 kHz) outside the cone, on top of ``outerGain``.
  ///
  /// Range: 0 to 1, clamped. Default: 1.
  public var outerHighFrequencyGain: Gain

  /// A cone; the defaults have no effect.
  public init(
    innerAngle: Float = 360,
    outerAngle: Float = 360,
    outerGain: Gain = .silence,
    outerHighFrequencyGain: Gain = .unity
  ) {
    self.innerAngle = innerAngle
    self.outerAngle = outerAngle
    self.outerGain = outerGain
    self.outerHighFrequencyGain = outerHighFrequencyGain
  }
}

extension Cone: Clampable {
  package var isFinite: Bool {
    innerAngle.isFinite && outerAngle.isFinite && outerGain.isUsable && outerHighFrequencyGain.isUsable
  }

  package var clamped: Cone {
    Cone(
      innerAngle: innerAngle.clamped(to: 0...360),
      outerAngle: outerAngle.clamped(to: 0...360),
      outerGain: outerGain.clamped(to: .silence ... .unity),
      outerHighFrequencyGain: outerHighFrequencyGain.clamped(to: .silence ... .unity)
    )
  }
}
