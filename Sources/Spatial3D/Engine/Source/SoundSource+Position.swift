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
    get { context.deferredPlayback(of: self).map { $0.frame } ?? ownPlaybackFrame }
    set {
      let last = max(frameCount - 1, 0)
      // The reader of a stream may not know its length.
      let frame = stream == nil ? min(max(newValue, 0), last) : max(newValue, 0)
      if !context.defers(.seek(frame), of: self) { seek(to: newValue) }
    }
  }

  /// The frame that is mixed next, without the calls that a suspended context still holds back.
  var ownPlaybackFrame: Int { stream.map(playbackFrame(of:)) ?? soundFrame }

  func seek(to newValue: Int) {
    if let stream { return seek(stream, to: newValue) }
    context.withState { state in
      state.changing(self) { state in
        let frameCount = frameCount
        guard frameCount > 0 else { return }
        let frame = min(max(newValue, 0), frameCount - 1)
        state.performing(hidesSteps: state.wouldCut(key)) { state in
          let isReplaced = state.fadeOut([self], before: .pause)
          state.seek(self, to: frame)
          guard isReplaced else { return }
          state.prepareToResume(self)
          state.handle.perform(.play, id)
        }
        let now = state.handle.state(id)
        let isHeld =
          state.handle.isLost ? state.recordSeek(of: key, to: frame) : now == .playing || now == .paused
        state.records[key].start.seek(to: frame, isHeld: isHeld)
      }
    }
  }

  /// The position in the sound, at the sound's own pitch: ``playbackFrame`` in seconds.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET`.
  public var playbackTime: Duration {
    get { format?.duration(ofFrames: playbackFrame) ?? .zero }
    set { if let format { playbackFrame = format.frameCount(in: newValue) } }
  }

  /// The position in the sound that the speaker plays now: ``playbackTime`` minus the output latency.
  ///
  /// The value is 0 until the beginning of the sound is audible. It equals ``playbackTime`` offline, and if the library
  /// does not report a latency. A loop is ignored. It is as exact as ``AudioContext/latency``: on PipeWire it was off by
  /// -48 to +71 ms.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET_LATENCY_SOFT`.
  public var audibleTime: Duration {
    guard let format else { return .zero }
    var (frame, latency) = soundFrameAndLatency
    // The pitch that the library has; a batch does not hand over its value yet.
    let pitch = context.state.withLock { $0.records[key].scene.values.pitch }
    if let stream { frame = playbackFrame(of: stream) }
    return max(format.duration(ofFrames: frame) - latency * Double(pitch), .zero)
  }
}
