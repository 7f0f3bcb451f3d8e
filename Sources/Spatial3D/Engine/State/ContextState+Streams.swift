internal import AudioSupport

// The effects of streams on the library's sources.

extension ContextState {
  /// Performs a verb of the program on a stream, and posts the change.
  mutating func perform(_ verb: ContextHandle.Verb, on stream: Stream, of source: SoundSource) {
    let key = source.key
    guard records.isObserved(key) else { return }
    records[key].library.forgetStart(before: verb, of: source, by: handle)
    let order = prepare(verb, of: stream, source)
    performing(hidesSteps: handle.cutsSounds) { state in
      if let order, state.wouldCut(key) { state.fadeOut([source], before: order) }
      state.adjustStart(verb, source)
      guard let order, order != .play || !state.resumesWaiting(source) else { return }
      if order == .play { state.shortFades.endings.prepareToResume(source.id, by: state.handle) }
      state.handle.perform(order, source.id)
    }
    if order != nil { recordPosition(source, after: verb) }
    observation.postState(of: stream, key, at: nil, by: .call, in: &records)
  }

  /// Performs a verb on a stream, and returns the verb that is still to be performed on the library's source.
  mutating func prepare(
    _ verb: ContextHandle.Verb,
    of stream: Stream,
    _ source: SoundSource
  ) -> ContextHandle.Verb? {
    if records.isObserved(source.key) { pollSource(source.key) }
    if verb == .play {
      device.beginWatchingClock()
      handOverBatch(of: source)
      // The request comes first, because the mixer may end the source at once.
      if !observation.isPlaying { handle.wantHints(true) }
    }
    let isWaiting = records[source.key].start.state == .playing
    let order = stream.state.withLock { stream in
      switch verb {
      // A waiting source has not begun.
      case .play where isWaiting: StreamState.Order(verb: .play)
      case .play: stream.play()
      case .pause: stream.pause()
      case .stop: stream.stop()
      case .rewind: stream.rewind()
      }
    }
    if order.flushes { flush(stream, source.key, of: source) }
    if order.verb == .play { stream.state.withLock { $0.isStarted = true } }
    stream.refill()
    return order.verb
  }

  /// Plays the queue of a stream, now or at its scheduled start.
  mutating func start(_ stream: Stream, _ source: SoundSource) {
    let waiting = records[source.key].start.state
    guard waiting == nil || waiting == .stopped else { return }
    guard let time = records[source.key].start.time, time > .nanoseconds(handle.clock) else {
      return handle.perform(.play, source.id)
    }
    changingSchedule { $0.start([source], at: time) }
  }
}

// MARK: - Feeding

extension ContextState {
  /// Appends a buffer to the queue of a stream, and plays the stream if it waited for the buffer.
  mutating func append(
    _ buffer: SoundBuffer,
    _ chunk: StreamQueue.Chunk,
    to stream: Stream,
    of source: SoundSource,
    _ key: SourceKey
  ) throws(AudioError) {
    let begin = handle.clock
    try handle.queue([buffer.id], on: source.id)
    stream.buffers.withLock { $0.append(buffer) }
    let (wasStarted, generation) = stream.state.withLock { ($0.isStarted, $0.generation) }
    if wasStarted, handle.state(source.id) == .stopped, !handle.isLost {
      // The source stopped while the buffer was queued. It stopped before, unless all of the buffer can have played
      // since.
      let mixed = Double(handle.clock - begin) / 1e9 * Double(handle.sampleRate)
      if mixed * records.step(of: key, in: scene, by: handle) < Double(buffer.frameCount) {
        updateStream(stream, key, .stopped)
        // If the device is gone, `updateStream` has ended the stream, and the buffer has no use.
        guard stream.state.withLock({ $0.generation == generation }) else { return }
        // `updateStream` cleared the queue, this buffer included: queue it again.
        try handle.queue([buffer.id], on: source.id)
        stream.buffers.withLock { $0.append(buffer) }
      }
    }
    let starts = stream.state.withLock { stream in
      stream.queue.append(chunk)
      guard !stream.isStarted, stream.state == .playing else { return false }
      stream.isStarted = true
      return true
    }
    if starts {
      start(stream, source)
      recordPosition(source, after: .play)
    }
  }

  /// The number of the reader's frames that fill a stream's queue: the look-ahead, both of the reader and audible.
  func lookAhead(of stream: Stream, _ key: SourceKey) -> Int {
    let sampleRate = stream.format.sampleRate
    let speed = records.step(of: key, in: scene, by: handle) * Double(handle.sampleRate) / Double(max(sampleRate, 1))
    let length = Double(LookAhead.chunkCount * stream.chunkLength)
    return Int(saturating: length * speed.clamped(to: 1...Double(Ranges.pitch.upperBound)))
  }
}
