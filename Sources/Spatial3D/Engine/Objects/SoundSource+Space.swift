extension SoundSource {
  /// The position of the source, in metres; relative to the listener if ``isListenerRelative`` is set.
  ///
  /// Range: components of -10⁹ to 10⁹. A position beyond is moved towards the origin until its largest component is in
  /// range. Default: the origin. ``spatialization`` decides which sounds have a position. The OpenAL counterpart is
  /// `AL_POSITION`.
  public var position: SIMD3<Float> {
    get { read(.position) { $0.position } }
    set { set(.position, "position", to: newValue) { assign(&$0.position, with: $1) } }
  }

  /// The velocity of the source, in metres per second, for the Doppler effect only: it does not move the source.
  ///
  /// Range: components of -10⁹ to 10⁹. A faster velocity keeps its direction and is slowed down until its largest
  /// component is in range. Default: zero. The OpenAL counterpart is `AL_VELOCITY`.
  public var velocity: SIMD3<Float> {
    get { read(.velocity) { $0.velocity } }
    set { set(.velocity, "velocity", to: newValue) { assign(&$0.velocity, with: $1) } }
  }

  /// The strength of the source's Doppler effect, on top of the context's ``AudioContext/dopplerFactor``.
  ///
  /// Range: 0 (none) to 1, clamped. Default: 1. The OpenAL counterpart is a source's `AL_DOPPLER_FACTOR`.
  public var dopplerFactor: Float {
    get { read(.dopplerFactor) { $0.dopplerFactor } }
    set { set(.dopplerFactor, "dopplerFactor", to: newValue, in: 0...1) { assign(&$0.dopplerFactor, with: $1) } }
  }

  /// The direction that the source faces, a vector of any length; zero, the default, is no direction.
  ///
  /// A component beyond ±10⁹ shortens the vector and keeps its direction. ``cone`` uses the direction. The OpenAL
  /// counterpart is `AL_DIRECTION`.
  public var direction: SIMD3<Float> {
    get { read(.direction) { $0.direction } }
    set { set(.direction, "direction", to: newValue) { assign(&$0.direction, with: $1) } }
  }

  /// The loudness of the source on the sides that it does not face; the default has no effect.
  public var cone: Cone {
    get { read(.cone) { $0.cone } }
    set { set(.cone, "cone", to: newValue) { assign(&$0.cone, with: $1) } }
  }

  /// The fading of the source with distance; by default half the gain at twice the distance.
  public var attenuation: DistanceAttenuation {
    get { read(.attenuation) { $0.attenuation } }
    set { set(.attenuation, "attenuation", to: newValue) { assign(&$0.attenuation, with: $1) } }
  }

  /// The radius of the source, in metres: inside it the source is audible from all around.
  ///
  /// Range: 0 to 10⁹, clamped. Default: 0, a point. The OpenAL counterpart is `AL_SOURCE_RADIUS`.
  public var radius: Float {
    get { read(.radius) { $0.radius } }
    set { set(.radius, "radius", to: newValue, in: Ranges.length) { assign(&$0.radius, with: $1) } }
  }

  /// The absorption of high frequencies by the air: a factor of the natural absorption.
  ///
  /// 1 is 0.05 dB at 5 kHz for each metre beyond the reference distance. Range: 0 to 10, clamped. Default: 0. It costs
  /// about the same CPU time that two more sources do. The OpenAL counterpart is `AL_AIR_ABSORPTION_FACTOR`.
  public var airAbsorption: Float {
    get { read(.airAbsorption) { $0.airAbsorption } }
    set { set(.airAbsorption, "airAbsorption", to: newValue, in: 0...10) { assign(&$0.airAbsorption, with: $1) } }
  }

  /// Whether position, velocity and direction are in the listener's own coordinates; the source then moves with the
  /// head.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_SOURCE_RELATIVE`.
  public var isListenerRelative: Bool {
    get { read(.listenerRelative) { $0.isListenerRelative } }
    set { change(.listenerRelative) { assign(&$0.isListenerRelative, with: newValue) } }
  }

  /// The choice of sounds that have a position in space.
  ///
  /// Default: ``Spatialization/automatic``, mono sounds. The OpenAL counterpart is `AL_SOURCE_SPATIALIZE_SOFT`.
  public var spatialization: Spatialization {
    get { read(.spatialization) { $0.spatialization } }
    set { change(.spatialization) { assign(&$0.spatialization, with: newValue) } }
  }

  /// Whether a stereo or surround sound goes straight to the output channels, without virtual speakers and HRTF: for
  /// music.
  ///
  /// Default: `false`. It has no effect on a mono sound. A sound with direct channels has no position, whatever
  /// ``spatialization`` is.
  ///
  /// An output may lack a loudspeaker for a channel of the sound, such as a mono output for stereo. The sound is then
  /// around the listener on virtual loudspeakers, and the next output with all loudspeakers plays it directly again.
  /// The low-frequency channel is left out of this rule: it is silent on an output without a subwoofer. An output whose
  /// layout the library does not report counts as stereo: see ``OutputConfiguration/layout``.
  ///
  /// The OpenAL counterpart is `AL_DIRECT_CHANNELS_SOFT`.
  public var usesDirectChannels: Bool {
    get { read(.directChannels) { $0.usesDirectChannels } }
    set { change(.directChannels) { assign(&$0.usesDirectChannels, with: newValue) } }
  }

  /// The directions of a stereo sound's channels, for a sound without a position.
  ///
  /// Default: 30 degrees to either side. The OpenAL counterpart is `AL_STEREO_ANGLES`.
  public var stereoAngles: StereoAngles {
    get { read(.stereoAngles) { $0.stereoAngles } }
    set { set(.stereoAngles, "stereoAngles", to: newValue) { assign(&$0.stereoAngles, with: $1) } }
  }
}
