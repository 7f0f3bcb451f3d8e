/// How a source's loudness depends on the side it shows: full inside a cone around its direction, less outside another.
///
/// Between the two the gain goes over evenly. Only a source with a ``SoundSource/direction`` has a cone.
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

  /// The linear factor of the gain outside the cone.
  ///
  /// Range: 0 to 1, clamped. Default: 0.
  public var outerGain: Float

  /// The linear factor of high frequencies (5 kHz) outside the cone, on top of ``outerGain``.
  ///
  /// Range: 0 to 1, clamped. Default: 1.
  public var outerHighFrequencyGain: Float

  /// A cone; of no effect unless said otherwise.
  public init(
    innerAngle: Float = 360,
    outerAngle: Float = 360,
    outerGain: Float = 0,
    outerHighFrequencyGain: Float = 1
  ) {
    self.innerAngle = innerAngle
    self.outerAngle = outerAngle
    self.outerGain = outerGain
    self.outerHighFrequencyGain = outerHighFrequencyGain
  }
}

extension Cone: Clampable {
  var isFinite: Bool {
    innerAngle.isFinite && outerAngle.isFinite && outerGain.isFinite && outerHighFrequencyGain.isFinite
  }

  var clamped: Cone {
    Cone(
      innerAngle: innerAngle.clamped(to: 0...360),
      outerAngle: outerAngle.clamped(to: 0...360),
      outerGain: outerGain.clamped(to: 0...1),
      outerHighFrequencyGain: outerHighFrequencyGain.clamped(to: 0...1)
    )
  }
}
