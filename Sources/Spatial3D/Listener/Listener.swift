/// Who hears the scene: a place, a movement, a facing and a master volume.
///
/// The OpenAL counterpart is the listener, set with `alListenerf` and `alListenerfv`.
public struct Listener: Hashable, Sendable {
  /// Where the listener is, in metres.
  ///
  /// Range: as ``SoundSource/position``, clamped when the context takes it. Default: the origin. The OpenAL counterpart is `AL_POSITION`.
  public var position: SIMD3<Float>

  /// How the listener moves, in metres per second; for the Doppler effect alone, nothing moves by it.
  ///
  /// Range: as ``SoundSource/velocity``, clamped when the context takes it. Default: zero. The OpenAL counterpart is `AL_VELOCITY`.
  public var velocity: SIMD3<Float>

  /// Which way the listener faces.
  ///
  /// Default: along -z with +y up. The OpenAL counterpart is `AL_ORIENTATION`.
  public var orientation: Orientation

  /// How loud everything is: a linear factor.
  ///
  /// Range: 0 (silence) to 16 (24 dB); values outside are clamped when the context takes them. Default: 1. The OpenAL
  /// counterpart is `AL_GAIN`.
  public var gain: Float

  /// A listener; at rest at the origin, looking along -z, unless said otherwise.
  public init(
    position: SIMD3<Float> = .zero,
    velocity: SIMD3<Float> = .zero,
    orientation: Orientation = .identity,
    gain: Float = 1
  ) {
    self.position = position
    self.velocity = velocity
    self.orientation = orientation
    self.gain = gain
  }
}
