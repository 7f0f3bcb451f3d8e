internal import AudioSupport

// The effects of streams on the library's sources. All of it under the context's lock, unless a comment states
// otherwise.

extension AudioContext {
  /// Performs a verb of the program on a stream, and posts the change.
  func perform(_ verb: ContextHandle.Verb, on stream: Stream, of source: SoundSource, _ state: inout State) {
    guard let slot = state.observation.slot(of: source.key) else { return }
    forgetStart(of: source, before: verb, &state)
    let order = prepare(verb, of: stream, source, &state)
    performing(&state) { state in
      if !state.schedule.isEmpty { adjustSchedule(verb, source, &state) }
      if let order, order != .play || !resumesWaiting(source, &state) { handle.perform(order, source.id) }
    }
    if order != nil { recordPosition(source, after: verb, &state) }
    noteState(of: stream, slot, at: nil, by: .call, &state)
  }

  /// Performs a verb on a stream, and returns the verb that is still to be performed on the library's source.
  func prepare(
    _ verb: ContextHandle.Verb,
    of stream: Stream,
    _ source: SoundSource,
    _ state: inout State
  ) -> ContextHandle.Verb? {
    if let slot = state.observation.slot(of: source.key) { catchUp(slot, &state) }
    if verb == .play {
      handOverBatch(of: source, &state)
      // The request comes first, because the mixer may end the source at once.
      if !state.observation.isPlaying { handle.wantHints(true) }
    }
    let isWaiting = state.schedule.state(of: source.key) == .playing
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
    if order.flushes { flush(stream, source.key, source.id, &state) }
    if order.verb == .play { stream.state.withLock { $0.isStarted = true } }
    stream.refill()
    return order.verb
  }

  /// Plays the queue of a stream, now or at its scheduled start.
  func start(_ stream: Stream, _ source: SoundSource, _ state: inout State) {
    let waiting = state.schedule.state(of: source.key)
    guard waiting == nil || waiting == .stopped else { return }
    guard let time = state.observation.starts[source.key], let clock = handle.clock, time > .nanoseconds(clock) else {
      return handle.perform(.play, source.id)
    }
    changingSchedule(&state) { start([source.id], of: [source], at: time, &$0) }
  }

  /// Clears the queue of a stream, and rewinds the library's source.
  func flush(_ stream: Stream, _ key: SourceKey, _ id: UInt32, _ state: inout State) {
    performing(&state) { state in
      handle.clearQueue(id)
      _ = state.schedule.takePadding(of: key)
    }
    stream.buffers.withLock { $0 = [] }
    stream.state.withLock { stream in
      stream.queue.removeAll()
      stream.isStarted = false
    }
  }

  /// Posts the stream's state if it changed.
  func noteState(
    of stream: Stream,
    _ slot: Int,
    at frame: Int?,
    by cause: SourceNotification.Cause,
    _ state: inout State
  ) {
    let now = stream.state.withLock { $0.state }
    let changes = state.observation[slot].tracker.found(.init(state: now, processed: nil))
    post(changes, of: slot, at: frame, by: cause, &state)
    settle(slot, &state)
  }

  /// Notes the work of the mixer on a stream with a known state of its source.
  func noteStream(_ stream: Stream, _ slot: Int, _ found: SourceState, _ state: inout State) {
    let notices = whatHappened(to: stream, slot, found, arrival: { _ in nil }, &state)
    let now = notices.isEmpty ? 0 : mixedFrames(state)
    for (_, notice) in notices {
      var notice = notice
      if notice.frame < 0 { notice.frame = now }
      state.observation[slot].post(notice, over: deliveries)
    }
    settle(slot, &state)
  }

  /// Returns the events of a stream since the last poll; `arrival` turns frames of the queue into frames of the mix.
  func whatHappened(
    to stream: Stream,
    _ slot: Int,
    _ found: SourceState,
    arrival: (Int) -> Int?,
    _ state: inout State
  ) -> [(slot: Int, notice: ObservedSource.Notice)] {
    let id = state.observation[slot].id
    let (isStarted, frameCount) = stream.state.withLock { ($0.isStarted, $0.queue.frameCount) }
    // A lost device stops its sources; they resume on the next one.
    guard isStarted, found != .stopped || !isLost else { return [] }
    var notices: [(slot: Int, notice: ObservedSource.Notice)] = []
    func note(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int, _ cause: SourceNotification.Cause) {
      notices.append((slot, .init(kind: kind, state: now, frame: arrival(frame) ?? -1, cause: cause)))
    }
    let reached = found == .stopped ? frameCount : Int(saturating: handle.position(id).frame.rounded(.up))
    let (laps, now) = stream.state.withLock { ($0.queue.laps(before: reached), $0.state) }
    if let last = laps.last { note(.looped(laps.count), now, at: last, .mix) }
    guard found == .stopped else {
      if handle.processedBuffers(id) > 0 { stream.refill() }
      return notices
    }

    let isOver = endedWithDevice(&state)
    let next = stream.state.withLock { isOver ? $0.lostDevice() : $0.playedOut() }
    flush(stream, state.observation[slot].key, id, &state)
    switch next {
    case .waits: break
    case .underruns: note(.underrun, now, at: frameCount, .mix)
    case .ends(let cause):
      if state.observation[slot].tracker.found(.init(state: .stopped, processed: nil)).after != nil {
        note(.stateChanged(.stopped), .stopped, at: frameCount, cause)
      }
    }
    stream.refill()
    return notices
  }
}

// MARK: - Feeding

extension SoundSource {
  /// The next request to the reader; `nil` if there is none now.
  func nextRequest(for stream: Stream) -> StreamState.Request? {
    context.noting { state in
      guard let slot = state.observation.slot(of: key), !context.isLost else { return nil }
      // The library's count comes before the count of laps: the mixer continues, and buffers that it plays meanwhile
      // stay in the queue until their laps are counted.
      let played = context.handle.processedBuffers(id)
      context.noteStream(stream, slot, context.handle.state(id), &state)
      let count = stream.state.withLock { $0.isStarted ? min(played, $0.queue.countedChunks) : 0 }
      if count > 0 {
        context.performing(&state) { state in
          context.handle.unqueue(count, from: id)
          // The padding was the first buffer.
          _ = state.schedule.takePadding(of: key)
        }
        stream.buffers.withLock { $0.removeFirst(min(count, $0.count)) }
        stream.state.withLock { $0.queue.removeFirst(count) }
        context.recordPosition(key, id, &state)
      }
      let length = context.queueLength(of: stream, slot, state)
      return stream.state.withLock { $0.nextRequest(queueLength: length) }
    }
  }

  /// Appends a delivery of the reader to the queue; returns the error that ended the stream, if any.
  ///
  /// Called without a lock.
  func take(
    _ delivery: StreamDelivery,
    askedFor generation: Int,
    by stream: Stream
  ) -> AudioError? {
    var failure = delivery.failure
    var buffer: SoundBuffer?
    if delivery.samples.frameCount > 0 {
      do throws(AudioError) {
        buffer = try SoundBuffer(delivery.samples, in: context)
      } catch {
        failure = failure ?? error
      }
    }
    let isWanted = context.noting { state in
      guard let slot = state.observation.slot(of: key) else { return false }
      context.noteStream(stream, slot, context.handle.state(id), &state)
      guard let order = stream.state.withLock({ $0.accept(generation) }) else { return false }
      if order.flushes { context.flush(stream, key, id, &state) }
      if let buffer {
        do throws(AudioError) {
          try append(buffer, delivery.chunk, to: stream, slot, &state)
        } catch {
          failure = failure ?? error
        }
      }
      // If the source ended meanwhile, the reader already has a new target.
      let isStillWanted = stream.state.withLock { $0.generation == generation }
      if isStillWanted, delivery.isEnd || failure != nil {
        stream.state.withLock { $0.readerEnded(failed: failure != nil, inEmptyLap: delivery.isEmptyLap) }
        context.endIfNothingIsLeft(of: stream, slot, &state)
      }
      return true
    }
    return isWanted ? failure : nil
  }

  private func append(
    _ buffer: SoundBuffer,
    _ chunk: StreamQueue.Chunk,
    to stream: Stream,
    _ slot: Int,
    _ state: inout AudioContext.State
  ) throws(AudioError) {
    let begin = context.handle.clock
    try context.handle.queue([buffer.id], on: id)
    stream.buffers.withLock { $0.append(buffer) }
    let (wasStarted, generation) = stream.state.withLock { ($0.isStarted, $0.generation) }
    if wasStarted, context.handle.state(id) == .stopped, !context.isLost {
      // The source stopped while the buffer was queued. It stopped before, unless all of the buffer can have played
      // since.
      let mixed =
        Double(context.handle.clock.flatMap { end in begin.map { end - $0 } } ?? 0) / 1e9 * Double(context.sampleRate)
      if mixed * context.step(of: slot, state) < Double(buffer.frameCount) {
        context.noteStream(stream, slot, .stopped, &state)
        // If the device is gone, `noteStream` has ended the stream, and the buffer has no use.
        guard stream.state.withLock({ $0.generation == generation }) else { return }
        // `noteStream` cleared the queue, this buffer included: queue it again.
        try context.handle.queue([buffer.id], on: id)
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
      context.start(stream, self, &state)
      context.recordPosition(self, after: .play, &state)
    }
  }
}

extension AudioContext {
  /// Ends a stream with an empty queue and a reader at its end.
  func endIfNothingIsLeft(of stream: Stream, _ slot: Int, _ state: inout State) {
    let cause: SourceNotification.Cause? = stream.state.withLock { stream in
      guard stream.state == .playing, !stream.isStarted, stream.queue.chunkCount == 0 else { return nil }
      guard case .ends(let cause) = stream.playedOut() else { return nil }
      return cause
    }
    if let cause { noteState(of: stream, slot, at: nil, by: cause, &state) }
  }

  /// Fills the queues of an offline context; called without the lock, because readers run here.
  func feedStreams() {
    let streams = state.withLock { state in state.observation.streams }
    // A chunk that another thread is reading has to be in the queue before the mix.
    for stream in streams { stream.fill(afterOthers: true) }
  }

  /// The number of the reader's frames that fill a stream's queue: at least 400 ms, both of the reader and audible.
  func queueLength(of stream: Stream, _ slot: Int, _ state: State) -> Int {
    let sampleRate = stream.format.sampleRate
    let speed = step(of: slot, state) * Double(self.sampleRate) / Double(max(sampleRate, 1))
    let length = Double(StreamState.chunkCount * StreamState.chunkLength(at: sampleRate))
    return Int(saturating: length * speed.clamped(to: 1...Double(Ranges.pitch.upperBound)))
  }

  /// The number of frames that can be mixed before a stream with more data has an underrun.
  func framesInStreams(_ state: State) -> Int {
    var frames = Int.max
    for slot in state.observation.playing {
      guard let stream = state.observation[slot].stream else { continue }
      let (frameCount, mayRunDry) = stream.state.withLock { ($0.queue.frameCount, $0.isStarted && !$0.isEnded) }
      let step = step(of: slot, state)
      guard mayRunDry, step > 0 else { continue }
      let left = Double(frameCount) - handle.position(state.observation[slot].id).frame
      frames = min(frames, max(Int(saturating: left / step) - 1, 1))
    }
    return frames
  }
}
