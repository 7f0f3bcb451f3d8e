extension SoundSource {
  /// Where the source is, in metres; relative to the listener where ``isListenerRelative``.
  ///
  /// Range: components of -10⁹ to 10⁹. A position beyond is moved towards the origin until its largest component is in
  /// range. Default: the origin. Which sounds are placed is ``spatialization``'s. The OpenAL counterpart is `AL_POSITION`.
  public var position: SIMD3<Float> {
    get { read(.position) { $0.position } }
    set { set(.position, "position", to: newValue) { replace(&$0.position, with: $1) } }
  }

  /// How the source moves, in metres per second; for the Doppler effect alone, it does not move by it.
  ///
  /// Range: components of -10⁹ to 10⁹. A faster velocity keeps its direction and is slowed down until its largest component
  /// is in range. Default: zero. The OpenAL counterpart is `AL_VELOCITY`.
  public var velocity: SIMD3<Float> {
    get { read(.velocity) { $0.velocity } }
    set { set(.velocity, "velocity", to: newValue) { replace(&$0.velocity, with: $1) } }
  }

  /// How much of the Doppler effect the source shows, on top of the context's ``AudioContext/dopplerFactor``.
  ///
  /// Range: 0 (none) to 1, clamped. Default: 1. The OpenAL counterpart is a source's `AL_DOPPLER_FACTOR`.
  public var dopplerFactor: Float {
    get { read(.dopplerFactor) { $0.dopplerFactor } }
    set { set(.dopplerFactor, "dopplerFactor", to: newValue, in: 0...1) { replace(&$0.dopplerFactor, with: $1) } }
  }

  /// Where the source faces, as a vector of any length; zero, the default, is a source without a direction.
  ///
  /// A component beyond ±10⁹ shortens the vector and keeps its direction. What it means is ``cone``'s. The OpenAL counterpart is `AL_DIRECTION`.
  public var direction: SIMD3<Float> {
    get { read(.direction) { $0.direction } }
    set { set(.direction, "direction", to: newValue) { replace(&$0.direction, with: $1) } }
  }

  /// How loud the source is on the sides that it does not face; of no effect by default.
  public var cone: Cone {
    get { read(.cone) { $0.cone } }
    set { set(.cone, "cone", to: newValue) { replace(&$0.cone, with: $1) } }
  }

  /// How the source fades with distance; by default half as loud at twice the distance.
  public var attenuation: DistanceAttenuation {
    get { read(.attenuation) { $0.attenuation } }
    set { set(.attenuation, "attenuation", to: newValue) { replace(&$0.attenuation, with: $1) } }
  }

  /// How large the source is, in metres: nearer than this it comes from all around.
  ///
  /// Range: 0 to 10⁹, clamped. Default: 0, a point. The OpenAL counterpart is `AL_SOURCE_RADIUS`.
  public var radius: Float {
    get { read(.radius) { $0.radius } }
    set { set(.radius, "radius", to: newValue, in: Ranges.length) { replace(&$0.radius, with: $1) } }
  }

  /// How much the air takes of high frequencies: a factor of what it takes in nature.
  ///
  /// 1 is 0.05 dB at 5 kHz for each metre beyond the reference distance. Range: 0 to 10, clamped. Default: 0. Costs about as much as two more sources. The
  /// OpenAL counterpart is `AL_AIR_ABSORPTION_FACTOR`.
  public var airAbsorption: Float {
    get { read(.airAbsorption) { $0.airAbsorption } }
    set { set(.airAbsorption, "airAbsorption", to: newValue, in: 0...10) { replace(&$0.airAbsorption, with: $1) } }
  }

  /// Whether position, velocity and direction are the listener's own coordinates, so that the source goes with the head.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_SOURCE_RELATIVE`.
  public var isListenerRelative: Bool {
    get { read(.listenerRelative) { $0.isListenerRelative } }
    set { change(.listenerRelative) { replace(&$0.isListenerRelative, with: newValue) } }
  }

  /// Which sounds are placed in space.
  ///
  /// Default: ``Spatialization/automatic``, mono sounds. The OpenAL counterpart is `AL_SOURCE_SPATIALIZE_SOFT`.
  public var spatialization: Spatialization {
    get { read(.spatialization) { $0.spatialization } }
    set { change(.spatialization) { replace(&$0.spatialization, with: newValue) } }
  }

  /// Whether a stereo or surround sound goes to the output's own channels, past virtual speakers and HRTF: for music.
  ///
  /// Default: `false`. Of no effect on a mono sound. The OpenAL counterpart is `AL_DIRECT_CHANNELS_SOFT`.
  public var usesDirectChannels: Bool {
    get { read(.directChannels) { $0.usesDirectChannels } }
    set { change(.directChannels) { replace(&$0.usesDirectChannels, with: newValue) } }
  }

  /// Where the channels of a stereo sound stand that is not placed.
  ///
  /// Default: 30 degrees to either side. The OpenAL counterpart is `AL_STEREO_ANGLES`.
  public var stereoAngles: StereoAngles {
    get { read(.stereoAngles) { $0.stereoAngles } }
    set { set(.stereoAngles, "stereoAngles", to: newValue) { replace(&$0.stereoAngles, with: $1) } }
  }
}
