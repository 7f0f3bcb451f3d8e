internal import AudioSupport

extension SoundSource {
  /// A source that plays a reader, such as an `AudioFile`, and holds only a part of it in memory.
  ///
  /// A thread of its own reads ahead of the audible frame, at any pitch, in memory that does not depend on the reader's
  /// length. Offline, the thread that renders or calls does. The queue holds seven to eight eighths of `ahead`, of
  /// which the first eighth is read before this returns. Releasing the source ends the reader's thread, after a read in
  /// progress.
  ///
  /// While the source is ``isLooping``, the frames of the loop range repeat without a gap, after those before it as an
  /// introduction. ``loopRange`` changes the range later. A change of either is audible up to `ahead` later: if less
  /// than that is left when looping is turned off, one more lap plays to its end.
  ///
  /// ``playbackFrame`` is a frame of the reader; a new value is audible once the reader is there. If the reader is too
  /// slow, the source stays ``SourceState/playing``, is silent, and continues with the next frame once there is one:
  /// see ``SourceNotification/Kind/underrun``.
  ///
  /// If the reader fails, the source stops after the data that was read, with the cause
  /// ``SourceNotification/Cause/reader`` and a ``Diagnostic`` with the code `streamFailed`; ``play()`` then tries again
  /// from the beginning. A reader fails if it throws, for example an `AudioFile` after its file became shorter. It also
  /// fails if it delivers a sample that is not finite or beyond ±1,000,000. Full scale is ±1.
  ///
  /// - Parameters:
  ///   - reader: The reader, which the source owns.
  ///   - loopRange: The frames that repeat; by default the loop of the reader, which an `AudioFile` may state, or all
  ///     frames.
  ///   - context: The context of the source.
  ///   - ahead: The time between a read and the mix, from 60 ms to a second, clamped. A reader that makes its sound
  ///     while it plays, such as a synthesizer, answers sooner with a shorter time. A slow read is then an underrun
  ///     sooner.
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a format that no sound can have, `invalidLoopRange`
  ///   for a range outside the reader, `readFailed` if the reader throws at once, `sourceLimitReached` if the context
  ///   has no source left (256 by default).
  public convenience init<Reader: PCMReader & Sendable & ~Copyable>(
    streaming reader: consuming Reader,
    loopRange: Range<Int>? = nil,
    in context: AudioContext,
    ahead: Duration = .milliseconds(400)
  ) throws(AudioError) {
    let stream = try Stream(reader, loopRange: loopRange, ahead: LookAhead(ahead))
    try self.init(stream: stream, context)
    try stream.begin(feeding: self)
  }

  /// The number of underruns of a stream so far.
  package var underrunCount: Int { stream?.state.withLock { $0.underrunCount } ?? 0 }

  /// Fills the queue of an offline stream, which has no thread.
  func feedOffline() {
    if context.device.mixesOnRequest { stream?.fill() }
  }

  /// Reads the state of a stream, with the frame of its queue that is mixed next.
  func read<Value: Sendable>(_ stream: Stream, _ body: (StreamState, _ heard: Int) -> Value) -> Value {
    context.withState { state in
      if state.records.isObserved(key) { state.pollSource(key) }
      let (isStarted, queued) = stream.state.withLock { ($0.isStarted, $0.queue.frameCount) }
      var frame = isStarted ? context.handle.frame(id) : 0
      // Checked after the read: a lost device reports 0. A stream has played at most its queued frames.
      if isStarted, state.handle.isLost {
        let lost =
          state.records[key].library
          .lostPosition(at: state.handle.clock, in: state.scene, by: state.handle)?.frame ?? 0
        frame = min(Int(saturating: lost), max(queued - 1, 0))
      }
      return stream.state.withLock { body($0, frame) }
    }
  }

  /// The position of a stream: a frame of its reader.
  func playbackFrame(of stream: Stream) -> Int {
    read(stream) { stream, frame in
      guard stream.state == .playing || stream.state == .paused else { return 0 }
      return stream.position(at: frame)
    }
  }

  func seek(_ stream: Stream, to frame: Int) {
    let last = stream.frameCount.map { max($0 - 1, 0) } ?? Ranges.lastStreamFrame
    change(stream) { $0.seek(to: min(max(frame, 0), last)) }
  }

  /// Changes the state of a stream, and performs the order on the library's source.
  func change(_ stream: Stream, _ body: (inout StreamState) -> StreamState.Order) {
    context.withState { state in
      guard state.records.isObserved(key) else { return }
      state.pollSource(key)
      let order = stream.state.withLock { body(&$0) }
      if order.flushes { state.flush(stream, key, of: self) }
      stream.refill()
    }
    feedOffline()
  }
}

extension Diagnostic {
  static func streamFailed(_ failure: AudioError) -> Diagnostic {
    Diagnostic(code: .streamFailed, message: "\(failure) The source stops after what was read.")
  }
}
