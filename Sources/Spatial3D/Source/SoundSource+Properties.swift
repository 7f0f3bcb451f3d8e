// Setting a value that is not finite leaves a property as it was and tells the context's `onDiagnostic` once.

extension SoundSource {
  /// How loud the source is before distance: a linear factor.
  ///
  /// Range: 0 (silence) to 16 (24 dB), clamped; gain and distance together never amplify beyond 1. Default: 1.
  ///
  /// The OpenAL counterpart is `AL_GAIN`.
  public var gain: Float {
    get { values.gain }
    set { set(.gain, "gain", to: newValue, in: Ranges.gain) { replace(&$0.gain, with: $1) } }
  }

  /// How fast the sound plays, and with that how high: a factor of its sample rate.
  ///
  /// 2 is an octave up, 0.5 an octave down. Range: 0.001 to 10, clamped. Default: 1. OpenAL Soft 1.25 plays at most ten
  /// frames of a sound for one of the mix, Doppler effect included: a sound at twice the mix's rate goes up to 5.
  ///
  /// The OpenAL counterpart is `AL_PITCH`.
  public var pitch: Float {
    get { values.pitch }
    set { set(.pitch, "pitch", to: newValue, in: Ranges.pitch) { replace(&$0.pitch, with: $1) } }
  }

  /// Whether the sound starts over when it ends, without a gap.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_LOOPING`.
  public var isLooping: Bool {
    get { values.isLooping }
    set { change(.looping) { replace(&$0.isLooping, with: newValue) } }
  }

  /// Where the source is, in metres; relative to the listener where ``isListenerRelative``.
  ///
  /// Default: the origin. Only mono sounds are placed. The OpenAL counterpart is `AL_POSITION`.
  public var position: SIMD3<Float> {
    get { values.position }
    set { set(.position, "position", to: newValue) { replace(&$0.position, with: $1) } }
  }

  /// How the source moves, in metres per second; for the Doppler effect alone, it does not move by it.
  ///
  /// Default: zero. The OpenAL counterpart is `AL_VELOCITY`.
  public var velocity: SIMD3<Float> {
    get { values.velocity }
    set { set(.velocity, "velocity", to: newValue) { replace(&$0.velocity, with: $1) } }
  }

  /// Whether position and velocity are the listener's own coordinates, so that the source moves and turns with the head.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_SOURCE_RELATIVE`.
  public var isListenerRelative: Bool {
    get { values.isListenerRelative }
    set { change(.listenerRelative) { replace(&$0.isListenerRelative, with: newValue) } }
  }
}

extension SoundSource {
  private var values: SourceValues {
    context.state.withLock { $0.scene.values(at: slot) }
  }

  /// Runs a closure on the values, which returns whether it changed the property, and hands the change over.
  @inline(__always)
  private func change(_ property: SourceProperties, _ body: (inout SourceValues) -> Bool) {
    context.state.withLock { state in
      guard state.scene.change(property, at: slot, on: currentThread(), body) else { return }
      context.handle.apply(state.scene.change(property, at: slot))
    }
  }

  @inline(__always)
  private func set(
    _ property: SourceProperties,
    _ name: StaticString,
    to value: Float,
    in range: ClosedRange<Float>,
    _ body: (inout SourceValues, Float) -> Bool
  ) {
    guard value.isFinite else { return complain(about: property, name, value: "\(value)") }
    change(property) { body(&$0, value.clamped(to: range)) }
  }

  @inline(__always)
  private func set(
    _ property: SourceProperties,
    _ name: StaticString,
    to value: SIMD3<Float>,
    _ body: (inout SourceValues, SIMD3<Float>) -> Bool
  ) {
    guard value.isFinite else { return complain(about: property, name, value: "\(value)") }
    change(property) { body(&$0, value) }
  }

  private func complain(about property: SourceProperties, _ name: StaticString, value: String) {
    guard context.state.withLock({ $0.scene.complain(about: property, at: slot) }) else { return }
    context.report(.unusable("\(name)", of: "a source of \(buffer.format), \(buffer.duration) long", value: value))
  }
}

/// Puts a value in another's place, and returns whether they differ.
@inline(__always)
private func replace<Value: Equatable>(_ old: inout Value, with new: Value) -> Bool {
  guard old != new else { return false }
  old = new
  return true
}
