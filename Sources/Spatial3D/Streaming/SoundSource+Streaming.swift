extension SoundSource {
  /// A source that plays what a reader delivers, such as an `AudioFile`, without ever holding all of it.
  ///
  /// The reader is read on a thread of its own, 350 to 400 ms ahead of what is heard, at any pitch, in memory that does not
  /// depend on its length; offline, on the thread that renders or calls. The first 50 ms are read before this returns, and it is as long as the
  /// source is: dropping the source ends it, after a read that is under way.
  ///
  /// ``isLooping`` lets the reader start over when it comes to its end, without a gap, which is heard up to 400 ms later: turned
  /// off when less than that is left, one more lap is heard to its end.
  /// ``playbackFrame`` is a frame of the reader; setting it is heard once the reader is there. Where the reader is too slow the
  /// source stays ``SourceState/playing``, is silent, and goes on with the next frame as soon as there is one: see
  /// ``SourceNotification/Kind/starved``.
  ///
  /// The source stops after what was read where the reader fails, with the cause ``SourceNotification/Cause/reader`` and a
  /// ``Diagnostic`` with the code `streamFailed`; ``play()`` then tries again from the beginning. A reader fails if it throws, as an
  /// `AudioFile` does whose file became shorter, or if it delivers a sample that is not finite or beyond ±1,000,000. Full scale
  /// is ±1.
  ///
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a format that no sound can have, `readFailed` where the
  ///   reader throws at once, `sourceLimitReached` where the context has no source left (256 by default).
  public convenience init<Reader: PCMReader & Sendable & ~Copyable>(
    streaming reader: consuming Reader,
    in context: AudioContext
  ) throws(AudioError) {
    let stream = try Stream(reader)
    try self.init(stream: stream, context)
    try stream.begin(feeding: self)
  }

  /// Does something to the source, and offline feeds it.
  func perform(_ verb: ContextHandle.Verb, on stream: Stream) {
    context.noting { state in context.perform(verb, on: stream, of: self, &state) }
    feedOffline()
  }

  /// Fills the queue of a stream that has no thread to do it.
  func feedOffline() {
    if context.device.isOffline { stream?.fill() }
  }

  /// Where a stream is, and what it is doing.
  func read<Value: Sendable>(_ stream: Stream, _ body: (StreamState, _ heard: Int) -> Value) -> Value {
    context.noting { state in
      if let place = state.watch.place(of: key) { context.catchUp(place, &state) }
      let frame = stream.state.withLock({ $0.isStarted }) ? context.handle.frame(id) : 0
      return stream.state.withLock { body($0, frame) }
    }
  }

  /// Where a stream is: a frame of its reader.
  func playbackFrame(of stream: Stream) -> Int {
    let frameCount = stream.frameCount
    return read(stream) { stream, frame in
      guard stream.state == .playing || stream.state == .paused else { return 0 }
      let position = stream.position(at: frame)
      // After the last frame of a lap comes the first.
      guard stream.isLooping, let frameCount, frameCount > 0 else { return position }
      return position % frameCount
    }
  }

  func seek(_ stream: Stream, to frame: Int) {
    let last = stream.frameCount.map { max($0 - 1, 0) } ?? Ranges.lastStreamFrame
    context.noting { state in
      guard let place = state.watch.place(of: key) else { return }
      context.catchUp(place, &state)
      let order = stream.state.withLock { $0.seek(to: min(max(frame, 0), last)) }
      if order.flushes { context.flush(stream, key, id, &state) }
      stream.bell.ring()
    }
    feedOffline()
  }
}

extension StreamState {
  /// The reader's frame that is mixed next, at a frame of the queue.
  func position(at frame: Int) -> Int {
    if isReplacing || line.chunkCount == 0 { return goal }
    return line.position(at: frame)
  }
}

extension Diagnostic {
  static func streamFailed(_ failure: AudioError) -> Diagnostic {
    Diagnostic(code: .streamFailed, message: "\(failure) The source stops after what was read.")
  }
}
