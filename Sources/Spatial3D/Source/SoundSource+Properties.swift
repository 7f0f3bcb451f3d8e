internal import Synchronization

extension SoundSource {
  /// How loud the source is before distance: a linear factor.
  ///
  /// Range: 0 (silence) to 16 (24 dB), clamped. Default: 1.
  ///
  /// A gain above 1 makes up for distance and no more, because gain and distance together are kept in ``gainLimits``, which
  /// end at 1: the source carries farther, and is as loud as before up close. Set ``gainLimits`` to `0...4` first if a gain of 4
  /// is to be louder there, too. Where they were left at 1, ``AudioContext/onDiagnostic`` is told so, once for each context.
  ///
  /// The OpenAL counterpart is `AL_GAIN`.
  public var gain: Float {
    get { read(.gain) { $0.gain } }
    set {
      set(.gain, "gain", to: newValue, in: Ranges.gain) { replace(&$0.gain, with: $1) }
      if newValue > 1, newValue.isFinite { tellOfLimit(above: newValue) }
    }
  }

  /// What gain, distance and cone together are kept in: linear factors.
  ///
  /// Range: 0 to 16, clamped. Default: 0 to 1, which is OpenAL's: nothing is amplified.
  ///
  /// The OpenAL counterparts are `AL_MIN_GAIN` and `AL_MAX_GAIN`.
  public var gainLimits: ClosedRange<Float> {
    get { read(.gainLimits) { $0.gainLimits } }
    set { set(.gainLimits, "gainLimits", to: newValue) { replace(&$0.gainLimits, with: $1) } }
  }

  /// How fast the sound plays, and with that how high: a factor of its sample rate.
  ///
  /// 2 is an octave up, 0.5 an octave down. Range: 0.001 to 10, clamped. Default: 1. OpenAL Soft 1.25 plays at most ten
  /// frames of a sound for one of the mix, Doppler effect included: a sound at twice the mix's rate goes up to 5.
  ///
  /// The OpenAL counterpart is `AL_PITCH`.
  public var pitch: Float {
    get { read(.pitch) { $0.pitch } }
    set { set(.pitch, "pitch", to: newValue, in: Ranges.pitch) { replace(&$0.pitch, with: $1) } }
  }

  /// How the sound is played at another rate than its own; `nil`, the default, is ``AudioContext/defaultResampler``.
  ///
  /// One of ``AudioContext/resamplers``: a cheap one for a hundred footsteps, a dear one for a violin.
  ///
  /// The OpenAL counterpart is `AL_SOURCE_RESAMPLER_SOFT`.
  public var resampler: Resampler? {
    get { read(.resampler) { $0.resampler }.flatMap { context.handle.resampler(at: $0) } }
    set { change(.resampler) { replace(&$0.resampler, with: newValue?.index) } }
  }

  /// Whether the sound starts over when it ends, without a gap.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_LOOPING`.
  public var isLooping: Bool {
    get { stream.map { $0.state.withLock { $0.isLooping } } ?? read(.looping) { $0.isLooping } }
    set {
      guard let stream else { return change(.looping) { replace(&$0.isLooping, with: newValue) } }
      stream.state.withLock { $0.isLooping = newValue }
      stream.bell.ring()
    }
  }
}

extension SoundSource {
  /// Runs a closure on the source's values, to read a property.
  @inline(__always)
  func read<Value: Sendable>(_ property: SourceProperties, _ body: (SourceValues) -> Value) -> Value {
    // The batch is this thread's own, and open.
    if let batch = unsafe Batch.ofThread(for: context), let value = unsafe batch.pointee.read(property, of: key, body) {
      return value
    }
    return context.state.withLock { $0.scene.read(key, body) }
  }

  /// Runs a closure on the values, which returns whether it changed the property, and hands the change over.
  @inline(__always)
  func change(_ property: SourceProperties, _ body: (inout SourceValues) -> Bool) {
    if let batch = unsafe Batch.ofThread(for: context) {
      // The batch is this thread's own, and open.
      unsafe batch.pointee.stage(property, of: key, body)
      return
    }
    let unplaced: FlatSound? = context.state.withLock { state in
      context.willChange(property, of: key, &state, body)
      guard state.scene.change(key, body) else { return nil }
      context.handle.apply(property, of: key, in: &state.scene)
      return state.scene.takeUnplacedSound(of: key)
    }
    if let unplaced { context.report(unplaced: unplaced) }
  }

  /// The same for a number with a range.
  @inline(__always)
  func set(
    _ property: SourceProperties,
    _ name: StaticString,
    to value: Float,
    in range: ClosedRange<Float>,
    _ body: (inout SourceValues, Float) -> Bool
  ) {
    guard value.isFinite else { return complain(about: property, name, value: "\(value)") }
    change(property) { body(&$0, value.clamped(to: range)) }
  }

  /// The same for several numbers.
  @inline(__always)
  func set<Value: Clampable>(
    _ property: SourceProperties,
    _ name: StaticString,
    to value: Value,
    _ body: (inout SourceValues, Value) -> Bool
  ) {
    guard value.isFinite else { return complain(about: property, name, value: "\(value)") }
    change(property) { body(&$0, value.clamped) }
  }

  func complain(about property: SourceProperties, _ name: StaticString, value: String) {
    guard context.state.withLock({ $0.scene.complain(about: property, of: key) }) else { return }
    context.report(.unusable("\(name)", of: inWords, value: value))
  }

  /// A gain above OpenAL's own limit is not heard as such: told once a context, as everybody expects otherwise.
  private func tellOfLimit(above gain: Float) {
    guard !context.hasToldOfLimit.load(ordering: .relaxed), gainLimits.upperBound == 1 else { return }
    guard !context.hasToldOfLimit.exchange(true, ordering: .relaxed) else { return }
    context.report(.gainLimited(gain.clamped(to: Ranges.gain), of: inWords))
  }

  /// The source in a diagnostic.
  private var inWords: String {
    format.map { "a source of \($0), \($0.duration(ofFrames: frameCount)) long" } ?? "a source without a sound"
  }
}

/// Puts a value in another's place, and returns whether they differ.
@inline(__always)
func replace<Value: Equatable>(_ old: inout Value, with new: Value) -> Bool {
  guard old != new else { return false }
  old = new
  return true
}
