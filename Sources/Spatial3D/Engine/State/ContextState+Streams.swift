internal import AudioSupport

// The effects of streams on the library's sources.

extension ContextState {
  /// Performs a verb of the program on a stream, and posts the change.
  mutating func perform(_ verb: ContextHandle.Verb, on stream: Stream, of source: SoundSource) {
    let key = source.key
    guard records.isObserved(key) else { return }
    forgetStart(of: source, before: verb)
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

  /// Clears the queue of a stream, and rewinds the library's source.
  ///
  /// The source is `nil` where it has stopped, and has no sound to fade out.
  mutating func flush(_ stream: Stream, _ key: SourceKey, of source: SoundSource?) {
    performing { state in
      if let source { state.fadeOut([source], before: .rewind) }
      state.handle.clearQueue(state.records[key].id)
      _ = state.schedule.takePadding(of: key, from: &state.records[key].start)
    }
    stream.buffers.withLock { $0 = [] }
    stream.state.withLock { stream in
      stream.queue.removeAll()
      stream.isStarted = false
    }
  }

  /// Takes over the work of the mixer on a stream, by the known state of its source.
  mutating func updateStream(_ stream: Stream, _ key: SourceKey, _ found: SourceState) {
    let notices = takeNotices(of: stream, key, found, arrival: { _ in nil })
    let now = notices.isEmpty ? 0 : observation.framePosition
    for (_, notice) in notices {
      var notice = notice
      if notice.frame < 0 { notice.frame = now }
      records[observed: key].post(notice, over: observation.deliveries)
    }
    observation.updatePolling(key, in: &records)
  }

  /// Returns the events of a stream since the last poll; `arrival` turns frames of the queue into frames of the mix.
  mutating func takeNotices(
    of stream: Stream,
    _ key: SourceKey,
    _ found: SourceState,
    arrival: (Int) -> Int?
  ) -> [(key: SourceKey, notice: ObservedSource.Notice)] {
    let id = records[key].id
    let (isStarted, frameCount) = stream.state.withLock { ($0.isStarted, $0.queue.frameCount) }
    // A lost device stops its sources; they resume on the next one.
    guard isStarted, found != .stopped || !handle.isLost else { return [] }
    var notices: [(key: SourceKey, notice: ObservedSource.Notice)] = []
    func append(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int, _ cause: SourceNotification.Cause) {
      notices.append((key, .init(kind: kind, state: now, frame: arrival(frame) ?? -1, cause: cause)))
    }
    let reached = found == .stopped ? frameCount : Int(saturating: handle.position(id).frame.rounded(.up))
    let (laps, now) = stream.state.withLock { ($0.queue.laps(before: reached), $0.state) }
    if let last = laps.last { append(.looped(laps.count), now, at: last, .mix) }
    guard found == .stopped else {
      if handle.processedBuffers(id) > 0 { stream.refill() }
      return notices
    }

    let isOver = observation.endedWithDevice()
    let next = stream.state.withLock { isOver ? $0.lostDevice() : $0.playedOut() }
    flush(stream, key, of: nil)
    switch next {
    case .waits: break
    case .underruns: append(.underrun, now, at: frameCount, .mix)
    case .ends(let end):
      if records[observed: key].tracker.update(to: .init(state: .stopped, processed: nil)).after != nil {
        append(.stateChanged(.stopped), .stopped, at: frameCount, end.cause)
      }
    }
    stream.refill()
    return notices
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
