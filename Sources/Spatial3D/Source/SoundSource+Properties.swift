// Setting a value that is not finite leaves a property as it was and tells the context's `onDiagnostic` once.

extension SoundSource {
  /// How loud the source is before distance: a linear factor.
  ///
  /// Range: 0 (silence) to 16 (24 dB), clamped; gain and distance together never amplify beyond 1. Default: 1.
  ///
  /// The OpenAL counterpart is `AL_GAIN`.
  public var gain: Float {
    get { values.gain }
    set { set(\.gain, .gain, "gain", to: newValue, in: SourceValues.gainRange) }
  }

  /// How fast the sound plays, and with that how high: a factor of its sample rate.
  ///
  /// 2 is an octave up, 0.5 an octave down. Range: 0.001 to 10, clamped. Default: 1.
  ///
  /// The OpenAL counterpart is `AL_PITCH`.
  public var pitch: Float {
    get { values.pitch }
    set { set(\.pitch, .pitch, "pitch", to: newValue, in: SourceValues.pitchRange) }
  }

  /// Whether the sound starts over when it ends, without a gap.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_LOOPING`.
  public var isLooping: Bool {
    get { values.isLooping }
    set { set(\.isLooping, .looping, to: newValue) }
  }

  /// Where the source is, in metres; relative to the listener where ``isListenerRelative``.
  ///
  /// Default: the origin. Only mono sounds are placed. The OpenAL counterpart is `AL_POSITION`.
  public var position: SIMD3<Float> {
    get { values.position }
    set { set(\.position, .position, "position", to: newValue) }
  }

  /// How the source moves, in metres per second; for the Doppler effect alone, it does not move by it.
  ///
  /// Default: zero. The OpenAL counterpart is `AL_VELOCITY`.
  public var velocity: SIMD3<Float> {
    get { values.velocity }
    set { set(\.velocity, .velocity, "velocity", to: newValue) }
  }

  /// Whether position and velocity are the listener's own coordinates, so that the source moves and turns with the head.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_SOURCE_RELATIVE`.
  public var isListenerRelative: Bool {
    get { values.isListenerRelative }
    set { set(\.isListenerRelative, .listenerRelative, to: newValue) }
  }
}

extension SoundSource {
  private var values: SourceValues {
    context.state.withLock { $0.scene.values(at: slot) }
  }

  private func set<Value: Equatable & Sendable>(
    _ field: WritableKeyPath<SourceValues, Value>,
    _ property: SourceProperties,
    to value: Value
  ) {
    context.state.withLock { state in
      guard state.scene.set(field, property, to: value, at: slot), !state.scene.isDeferring else { return }
      state.outbox.flush(&state.scene, sourceAt: slot, to: context.handle)
    }
  }

  private func set(
    _ field: WritableKeyPath<SourceValues, Float>,
    _ property: SourceProperties,
    _ name: String,
    to value: Float,
    in range: ClosedRange<Float>
  ) {
    guard value.isFinite else { return complain(about: property, name, value: "\(value)") }
    set(field, property, to: value.clamped(to: range))
  }

  private func set(
    _ field: WritableKeyPath<SourceValues, SIMD3<Float>>,
    _ property: SourceProperties,
    _ name: String,
    to value: SIMD3<Float>
  ) {
    guard value.isFinite else { return complain(about: property, name, value: "\(value)") }
    set(field, property, to: value)
  }

  private func complain(about property: SourceProperties, _ name: String, value: String) {
    guard context.state.withLock({ $0.scene.complain(about: property, at: slot) }) else { return }
    context.report(.unusable(name, of: "a source of \(buffer.format), \(buffer.duration) long", value: value))
  }
}
