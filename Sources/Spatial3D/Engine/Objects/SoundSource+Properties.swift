internal import AudioSupport
internal import Synchronization

extension SoundSource {
  /// The loudness of the source before distance attenuation.
  ///
  /// Range: 0 (silence) to 16 (24 dB), clamped; a negative gain changes nothing. Default: 1.
  ///
  /// A gain above 1 only makes up for distance: ``gainLimits`` limit the product of gain and attenuation, and end at 1
  /// by default. The source is audible from farther away, but not louder up close. To make it louder there with a gain
  /// of 4, set ``gainLimits`` to `0...4` first. If the limit is 1, ``AudioContext/onDiagnostic`` reports it, once for
  /// each context.
  ///
  /// The OpenAL counterpart is `AL_GAIN`.
  public var gain: Gain {
    get { Gain(read(.gain) { $0.gain }) }
    set {
      guard newValue.isUsable else { return complain(about: .gain, "gain", value: newValue.inWords) }
      let factor = newValue.rawValue
      change(.gain) { assign(&$0.gain, with: factor.clamped(to: Ranges.gain)) }
      if factor > 1 { reportLimit(above: factor) }
    }
  }

  /// The limits of gain, distance and cone together.
  ///
  /// Range: 0 to 16; a higher limit is clamped, and a negative one changes nothing. Default: 0 to 1, which is OpenAL's:
  /// nothing is amplified.
  ///
  /// The OpenAL counterparts are `AL_MIN_GAIN` and `AL_MAX_GAIN`.
  public var gainLimits: ClosedRange<Gain> {
    get {
      let limits = read(.gainLimits) { $0.gainLimits }
      return Gain(limits.lowerBound)...Gain(limits.upperBound)
    }
    set {
      // An infinite upper limit is the highest. A range of gains may have NaN as a bound, a range of numbers may not.
      guard newValue.lowerBound.isUsable, !newValue.upperBound.rawValue.isNaN else {
        let unusable = newValue.lowerBound.isUsable ? newValue.upperBound : newValue.lowerBound
        return complain(about: .gainLimits, "gainLimits", value: unusable.inWords)
      }
      let limits = newValue.lowerBound.rawValue...newValue.upperBound.rawValue
      set(.gainLimits, "gainLimits", to: limits) { assign(&$0.gainLimits, with: $1) }
    }
  }

  /// The speed of the sound, and with it the pitch: a factor of its sample rate.
  ///
  /// 2 is an octave up, 0.5 an octave down. Range: 0.001 to 10, clamped. Default: 1. OpenAL Soft 1.25 plays at most ten
  /// frames of a sound for one of the mix, Doppler effect included: a sound at twice the mix's rate goes up to 5.
  ///
  /// The OpenAL counterpart is `AL_PITCH`.
  public var pitch: Float {
    get { read(.pitch) { $0.pitch } }
    set { set(.pitch, "pitch", to: newValue, in: Ranges.pitch) { assign(&$0.pitch, with: $1) } }
  }

  /// The resampler for a sound at another rate; `nil`, the default, is ``AudioContext/defaultResampler``.
  ///
  /// The value is one of ``AudioContext/resamplers``: a cheap one suits a hundred footsteps, a costly one suits a
  /// violin.
  ///
  /// The OpenAL counterpart is `AL_SOURCE_RESAMPLER_SOFT`.
  public var resampler: Resampler? {
    get { read(.resampler) { $0.resampler }.flatMap { context.handle.resampler(at: $0) } }
    set { change(.resampler) { assign(&$0.resampler, with: newValue?.index) } }
  }

  /// Whether the sound starts over when it ends, without a gap.
  ///
  /// Default: `false`. The OpenAL counterpart is `AL_LOOPING`.
  public var isLooping: Bool {
    get { stream.map { $0.state.withLock { $0.isLooping } } ?? read(.looping) { $0.isLooping } }
    set {
      guard let stream else { return change(.looping) { assign(&$0.isLooping, with: newValue) } }
      change(stream) { $0.setLoop(isOn: newValue, range: $0.loopRange) }
    }
  }

  /// The frames that repeat while the source is ``isLooping``.
  ///
  /// `nil` for a stream that loops as a whole, and for a queue, which repeats all its buffers. The range of a stream
  /// may change while it plays: see ``init(streaming:loopRange:in:ahead:)``. A range without a frame or outside of the
  /// reader leaves the property unchanged, as does any range for a source that plays buffers: a ``SoundBuffer`` keeps
  /// its own. A stream reads up to 400 ms ahead: where it has read the end of the new range already, it plays on to its
  /// own end.
  ///
  /// The OpenAL counterpart is `AL_LOOP_POINTS_SOFT`.
  public var loopRange: Range<Int>? {
    get { stream.map { $0.state.withLock { $0.loopRange } } ?? (hasQueue ? nil : buffers.first?.loopRange) }
    set {
      guard let stream, newValue.map({ StreamState.isUsable($0, in: stream.frameCount) }) ?? true else {
        return complain(about: .loopRange, "loopRange", value: newValue.map { "\($0)" } ?? "nil")
      }
      change(stream) { $0.setLoop(isOn: $0.isLooping, range: newValue) }
    }
  }
}

extension SoundSource {
  /// Runs a closure on the source's values to read a property.
  @inline(__always)
  func read<Value: Sendable>(_ property: SourceProperties, _ body: (SourceValues) -> Value) -> Value {
    // The batch belongs to this thread and is open.
    if let batch = unsafe Batch.ofThread(for: context),
      let value = unsafe batch.pointee.read(property, of: key, body)
    {
      return value
    }
    return context.state.withLock { body($0.records[key].library.sceneSource.values) }
  }

  /// Runs a closure that changes the property and returns whether it did, and hands the change over.
  @inline(__always)
  func change(_ property: SourceProperties, _ body: (inout SourceValues) -> Bool) {
    if let batch = unsafe Batch.ofThread(for: context) {
      // The batch belongs to this thread and is open.
      unsafe batch.pointee.stage(property, of: key, body)
      return
    }
    let unplaced: MultichannelWarning? = context.state.withLock { state in
      state.prepareChange(property, of: key, body)
      guard body(&state.records[key].library.sceneSource.values) else { return nil }
      state.apply(property, of: key)
      return state.records[key].scene.takeUnplacedSound()
    }
    if let unplaced { context.report(unplaced: unplaced) }
  }

  /// Sets a number that has a range.
  @inline(__always)
  func set(
    _ property: SourceProperties,
    _ name: StaticString,
    to value: Float,
    in range: ClosedRange<Float>,
    _ body: (inout SourceValues, Float) -> Bool
  ) {
    guard value.isFinite else { return complain(about: property, "\(name)", value: "\(value)") }
    change(property) { body(&$0, value.clamped(to: range)) }
  }

  /// Sets a value of several numbers.
  @inline(__always)
  func set<Value: Clampable>(
    _ property: SourceProperties,
    _ name: StaticString,
    to value: Value,
    _ body: (inout SourceValues, Value) -> Bool
  ) {
    guard value.isFinite else {
      let part = UnusablePart(of: value, named: "\(name)")
      return complain(about: property, part.name, value: part.value)
    }
    change(property) { body(&$0, value.clamped) }
  }

  func complain(about property: SourceProperties, _ name: String, value: String) {
    guard context.state.withLock({ $0.records[key].scene.complain(about: property) }) else { return }
    context.report(.unusable(name, of: inWords, value: value))
  }

  /// Reports a gain above OpenAL's own limit, once for each context, because the limit is easy to miss.
  private func reportLimit(above gain: Float) {
    guard !context.hasReportedLimit.load(ordering: .relaxed), gainLimits.upperBound == .unity else { return }
    guard !context.hasReportedLimit.exchange(true, ordering: .relaxed) else { return }
    context.report(.gainLimited(gain.clamped(to: Ranges.gain), of: inWords))
  }
}

/// Replaces a value, and returns whether the two differ.
@inline(__always)
func assign<Value: Equatable>(_ old: inout Value, with new: Value) -> Bool {
  guard old != new else { return false }
  old = new
  return true
}
