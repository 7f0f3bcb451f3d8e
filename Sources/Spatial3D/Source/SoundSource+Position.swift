extension SoundSource {
  /// The frame of the sound, or of the whole queue, that is mixed next, counted from 0.
  ///
  /// Setting it moves a playing or paused source there; any other starts there when it is played next. A frame out of the
  /// sound is taken as its nearest end. Reads 0 for a source that neither plays nor is paused. Reading may wait for a mix to
  /// end, tens of microseconds: do not read it of hundreds of sources each frame.
  ///
  /// The OpenAL counterpart is `AL_SAMPLE_OFFSET`.
  public var playbackFrame: Int {
    get { context.kept(of: self).map { $0.frame } ?? ownPlaybackFrame }
    set {
      let last = max(frameCount - 1, 0)
      // How long a stream is, its reader may not know.
      let frame = stream == nil ? min(max(newValue, 0), last) : max(newValue, 0)
      if !context.keeps(.seek(frame), of: self) { seek(to: newValue) }
    }
  }

  /// The frame that is mixed next, whatever the source will be told.
  var ownPlaybackFrame: Int { stream.map(playbackFrame(of:)) ?? context.currentFrame(of: self) }

  func seek(to newValue: Int) {
    if let stream { return seek(stream, to: newValue) }
    context.noting { state in
      context.changing(self, &state) { state in
        let frameCount = frameCount
        guard frameCount > 0 else { return }
        let frame = min(max(newValue, 0), frameCount - 1)
        if state.schedule.isEmpty {
          context.handle.seek(id, to: frame)
        } else {
          context.changingSchedule(&state) { context.seek(self, to: frame, &$0) }
        }
        let now = context.handle.state(id)
        let isHeld =
          context.isLost ? context.markSeek(of: key, to: frame, &state) : now == .playing || now == .paused
        let waits = state.schedule.noteSeek(of: key, to: frame)
        state.scene.noteSeek(of: key, to: frame, isHeld: isHeld || waits)
      }
    }
  }

  /// How far into the sound the source is, at the sound's own pitch: ``playbackFrame`` as a time.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET`.
  public var playbackTime: Duration {
    get { format?.duration(ofFrames: playbackFrame) ?? .zero }
    set { if let format { playbackFrame = format.frameCount(in: newValue) } }
  }

  /// How far into the sound that is which comes out of the speaker now: ``playbackTime`` less what the device has in store.
  ///
  /// At the beginning of the sound, where nothing of it is out yet, 0. Offline, and where the library cannot say, the same
  /// as ``playbackTime``. A sound that loops is taken as if it did not.
  ///
  /// The OpenAL counterpart is `AL_SEC_OFFSET_LATENCY_SOFT`.
  public var audibleTime: Duration {
    guard let format else { return .zero }
    var (frame, latency) = context.currentFrameAndLatency(of: self)
    // What the library has, which a value in a batch is not yet.
    let pitch = context.state.withLock { $0.scene.read(key, \.pitch) }
    if let stream { frame = playbackFrame(of: stream) }
    return max(format.duration(ofFrames: frame) - latency * Double(pitch), .zero)
  }
}
