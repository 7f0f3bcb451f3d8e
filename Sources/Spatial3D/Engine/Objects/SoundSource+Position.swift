internal import AudioSupport

extension SoundSource {
  /// The frame of the sound, or of the whole queue, that is mixed next, counted from 0.
  ///
  /// The setter moves a playing or paused source there; any other source starts there at the next ``play()``. A frame
  /// outside the sound becomes its nearest end. The value is 0 for a source that neither plays nor is paused. The
  /// getter may wait for a mix to end, tens of microseconds: avoid reading it for hundreds of sources each frame.
  ///
  /// The OpenAL counterpart is `AL_SAMPLE_OFFSET`.
  public var playbackFrame: Int {
    get {
      if let deferred = context.deferredPlayback(of: self) { return Int(saturating: deferred.frame) }
      return stream.map(playbackFrame(of:)) ?? soundFrame
    }
    set { move(to: Double(newValue)) }
  }

  /// The position that is mixed next, in frames with a fraction, without the calls that a suspended context holds back.
  var ownPosition: Double { stream.map { Double(playbackFrame(of: $0)) } ?? soundPosition }

  /// Moves the source to a frame, or defers that.
  private func move(to position: Double) {
    let frame = usable(position)
    if !context.defers(.seek(frame), of: self) { seek(to: frame) }
  }

  /// The nearest position inside the sound.
  private func usable(_ position: Double) -> Double {
    // The reader of a stream may not know its length.
    min(max(position, 0), stream == nil ? Double(max(frameCount - 1, 0)) : .infinity)
  }

  func seek(to newValue: Double) {
    if let stream { return seek(stream, to: Int(saturating: newValue.rounded())) }
    context.withState { state in
      state.changing(self) { state in
        let frameCount = frameCount
        guard frameCount > 0 else { return }
        let frame = min(max(newValue, 0), Double(frameCount - 1))
        let isCut = state.wouldCut(key)
        state.performing(hidesSteps: isCut) { state in
          let isReplaced = isCut && state.fadeOut([self], before: .pause)
          state.records[key].library.seek(self, to: frame, &state.schedule, by: state.handle)
          guard isReplaced else { return }
          state.shortFades.endings.prepareToResume(id, by: state.handle)
          state.handle.perform(.play, id)
        }
        let now = state.handle.state(id)
        state.records[key].library.recordSeek(to: frame, after: now, by: state.handle)
      }
    }
  }

  /// The position in the sound, at the sound's own pitch: ``playbackFrame`` in seconds, with the fraction of a frame.
  ///
  /// The mixer keeps the fraction, to 1/65,536 of a frame, and before OpenAL Soft 1.23 to 1/4,096. A stream has whole
  /// frames. The setter behaves as for ``playbackFrame``. OpenAL Soft 1.19 to 1.23 take the position in single
  /// precision: the setter is exact to 1/64 of a frame in the first five seconds at 48,000 Hz, to 1/16 in the first 20,
  /// and from 350 on to whole frames.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET`.
  public var playbackTime: Duration {
    get {
      guard let format else { return .zero }
      return format.duration(ofPosition: context.deferredPlayback(of: self)?.frame ?? ownPosition)
    }
    set { if let format { move(to: format.position(at: newValue)) } }
  }

  /// Plays from a position in the sound, in whichever state the source is.
  ///
  /// A playing source goes on there, a paused source resumes there, and any other source starts there. The position has
  /// the precision of ``playbackTime``: a sound that was stopped returns to the position that
  /// ``AudioContext/mixStep(pitch:sampleRate:)`` gives.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET`, followed by `alSourcePlay`.
  public func play(from position: Duration) {
    guard let format else { return play() }
    let frame = usable(format.position(at: position))
    if context.defers(.playFrom(frame), of: self) { return }
    // A source that fades out ends here, instead of after the call.
    context.withState { $0.endingFades(of: [self]) { _ in } }
    // A source that waits would start over when it is played. Its time may pass meanwhile: it is stopped in any case.
    if isWaiting { perform(.stop) }
    seek(to: frame)
    if ownState != .playing { perform(.play) }
  }

  /// Plays from a position in the sound, at a time of the context's ``AudioContext/clock``.
  ///
  /// A source that plays is paused until then. Offline, on ``AudioDevice/silent`` and on
  /// ``AudioDevice/processed``, and with ``Capabilities/startDelay``, the start is exact to the frame; on another
  /// output it is the nearest mix.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET`, followed by `alSourcePlayAtTimeSOFT`.
  public func play(from position: Duration, at time: Duration) {
    pause()
    playbackTime = position
    play(at: time)
  }

  /// Whether the source waits for its start time.
  private var isWaiting: Bool {
    context.state.withLock { $0.records[key].library.isScheduled(by: $0.handle) }
  }

  /// The position in the sound that the speaker plays now: ``playbackTime`` minus the output latency.
  ///
  /// The value is 0 until the beginning of the sound is audible. It equals ``playbackTime`` offline, and if the library
  /// does not report a latency. A loop is ignored. It is as exact as ``AudioContext/latency``: on PipeWire it was off
  /// by -48 to +71 ms.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET_LATENCY_SOFT`.
  public var audibleTime: Duration {
    guard let format else { return .zero }
    var (frame, latency) = soundFrameAndLatency
    // The device that is rendered has no latency of its own.
    if let mixer = context.device.outputMixer { latency = mixer.latency ?? .zero }
    // The pitch that the library has; a batch does not hand over its value yet.
    let pitch = context.state.withLock { $0.records[key].scene.values.pitch }
    if let stream { frame = playbackFrame(of: stream) }
    return max(format.duration(ofFrames: frame) - latency * Double(pitch), .zero)
  }
}

extension PCMFormat {
  /// The time of a position in frames with a fraction.
  fileprivate func duration(ofPosition position: Double) -> Duration {
    let whole = position.rounded(.down)
    return duration(ofFrames: Int(saturating: whole)) + .seconds((position - whole) / Double(max(sampleRate, 1)))
  }

  /// The position at a time, in frames with a fraction.
  ///
  /// A time within a hundred-thousandth of a frame of a whole frame is that frame: durations have a rounding.
  fileprivate func position(at time: Duration) -> Double {
    let whole = frameCount(in: time)
    let fraction = (time - duration(ofFrames: whole)) / .seconds(1) * Double(sampleRate)
    return abs(fraction) < 1e-5 ? Double(whole) : Double(whole) + fraction
  }
}
