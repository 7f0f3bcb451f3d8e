/// The listener of a scene: a position, a velocity, an orientation and a master volume.
///
/// The OpenAL counterpart is the listener, set with `alListenerf` and `alListenerfv`.
public struct Listener: Hashable, Sendable {
  /// The position of the listener, in metres.
  ///
  /// Range: like ``SoundSource/position``, clamped when the context takes it. Default: the origin. The OpenAL
  /// counterpart is `AL_POSITION`.
  public var position: SIMD3<Float>

  /// The velocity of the listener, in metres per second, for the Doppler effect only: it does not move the listener.
  ///
  /// Range: like ``SoundSource/velocity``, clamped when the context takes it. Default: zero. The OpenAL counterpart is
  /// `AL_VELOCITY`.
  public var velocity: SIMD3<Float>

  /// The direction that the listener faces.
  ///
  /// Default: along -z with +y up. The OpenAL counterpart is `AL_ORIENTATION`.
  public var orientation: Orientation

  /// The master volume.
  ///
  /// Range: 0 (silence) to 16 (24 dB), clamped when the context takes it; a negative gain changes nothing. Default: 1.
  /// The OpenAL counterpart is `AL_GAIN`.
  public var gain: Gain

  /// A listener; by default at rest at the origin, facing -z.
  public init(
    position: SIMD3<Float> = .zero,
    velocity: SIMD3<Float> = .zero,
    orientation: Orientation = .identity,
    gain: Gain = .unity
  ) {
    self.position = position
    self.velocity = velocity
    self.orientation = orientation
    self.gain = gain
  }
}
