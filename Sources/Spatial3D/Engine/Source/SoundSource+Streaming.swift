internal import AudioSupport

extension SoundSource {
  /// A source that plays a reader, such as an `AudioFile`, and holds only a part of it in memory.
  ///
  /// A thread of its own reads 350 to 400 ms ahead of the audible frame, at any pitch, in memory that does not depend
  /// on the reader's length. Offline, the thread that renders or calls does. The first 50 ms are read before this
  /// returns. Releasing the source ends the reader's thread, after a read that is under way.
  ///
  /// ``isLooping`` lets the reader start over at its end, without a gap. A change is audible up to 400 ms later: if
  /// less than that is left when it is turned off, one more lap plays to its end.
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
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a format that no sound can have, `readFailed` if
  ///   the reader throws at once, `sourceLimitReached` if the context has no source left (256 by default).
  public convenience init<Reader: PCMReader & Sendable & ~Copyable>(
    streaming reader: consuming Reader,
    in context: AudioContext
  ) throws(AudioError) {
    let stream = try Stream(reader)
    try self.init(stream: stream, context)
    try stream.begin(feeding: self)
  }

  /// Fills the queue of an offline stream, which has no thread.
  func feedOffline() {
    if context.device.isOffline { stream?.fill() }
  }

  /// Reads the state of a stream, with the frame of its queue that is mixed next.
  func read<Value: Sendable>(_ stream: Stream, _ body: (StreamState, _ heard: Int) -> Value) -> Value {
    context.withState { state in
      if state.records.isObserved(key) { state.pollSource(key) }
      let frame = stream.state.withLock({ $0.isStarted }) ? context.handle.frame(id) : 0
      return stream.state.withLock { body($0, frame) }
    }
  }

  /// The position of a stream: a frame of its reader.
  func playbackFrame(of stream: Stream) -> Int {
    let frameCount = stream.frameCount
    return read(stream) { stream, frame in
      guard stream.state == .playing || stream.state == .paused else { return 0 }
      let position = stream.position(at: frame)
      // The first frame follows the last one of a lap.
      guard stream.isLooping, let frameCount, frameCount > 0 else { return position }
      return position % frameCount
    }
  }

  func seek(_ stream: Stream, to frame: Int) {
    let last = stream.frameCount.map { max($0 - 1, 0) } ?? Ranges.lastStreamFrame
    context.withState { state in
      guard state.records.isObserved(key) else { return }
      state.pollSource(key)
      let order = stream.state.withLock { $0.seek(to: min(max(frame, 0), last)) }
      if order.flushes { state.flush(stream, key) }
      stream.refill()
    }
    feedOffline()
  }
}

extension StreamState {
  /// The reader's frame that is mixed next, at a frame of the queue.
  func position(at frame: Int) -> Int {
    if isReplacing || queue.chunkCount == 0 { return nextFrame }
    return queue.position(at: frame)
  }
}

extension Diagnostic {
  static func streamFailed(_ failure: AudioError) -> Diagnostic {
    Diagnostic(code: .streamFailed, message: "\(failure) The source stops after what was read.")
  }
}
