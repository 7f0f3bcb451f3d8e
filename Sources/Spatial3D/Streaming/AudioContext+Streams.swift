internal import AudioSupport

// The effects of streams on the library's sources. All of it under the context's lock, unless a comment states
// otherwise.

extension AudioContext {
  /// Performs a verb of the program on a stream, and posts the change.
  func perform(_ verb: ContextHandle.Verb, on stream: Stream, of source: SoundSource, _ state: inout State) {
    guard let place = state.watch.place(of: source.key) else { return }
    forgetStart(of: source, before: verb, &state)
    let order = prepare(verb, of: stream, source, &state)
    performing(&state) { state in
      if !state.schedule.isEmpty { adjustSchedule(verb, source, &state) }
      if let order, order != .play || !resumesWaiting(source, &state) { handle.perform(order, source.id) }
    }
    if order != nil { mark(source, after: verb, &state) }
    noteState(of: stream, place, at: nil, by: .call, &state)
  }

  /// Performs a verb on a stream, and returns the verb that is still to be performed on the library's source.
  func prepare(
    _ verb: ContextHandle.Verb,
    of stream: Stream,
    _ source: SoundSource,
    _ state: inout State
  ) -> ContextHandle.Verb? {
    if let place = state.watch.place(of: source.key) { catchUp(place, &state) }
    if verb == .play {
      handOverBatch(of: source, &state)
      // The request comes first, because the mixer may end the source at once.
      if !state.watch.isPlaying { handle.wantHints(true) }
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
    guard let time = state.watch.starts[source.key], let clock = handle.clock, time > .nanoseconds(clock) else {
      return handle.perform(.play, source.id)
    }
    changingSchedule(&state) { start([source.id], of: [source], at: time, &$0) }
  }

  /// Clears the queue of a stream, and rewinds the library's source.
  func flush(_ stream: Stream, _ key: SourceKey, _ id: UInt32, _ state: inout State) {
    performing(&state) { state in
      handle.clearQueue(id)
      _ = state.schedule.takeLeadIn(of: key)
    }
    stream.buffers.withLock { $0 = [] }
    stream.state.withLock { stream in
      stream.line.removeAll()
      stream.isStarted = false
    }
  }

  /// Posts the stream's state if it changed.
  func noteState(
    of stream: Stream,
    _ place: Int,
    at frame: Int?,
    by cause: SourceNotification.Cause,
    _ state: inout State
  ) {
    let now = stream.state.withLock { $0.state }
    let changes = state.watch[place].tracker.found(.init(state: now, processed: nil))
    post(changes, of: place, at: frame, by: cause, &state)
    settle(place, &state)
  }

  /// Notes the work of the mixer on a stream with a known state of its source.
  func noteStream(_ stream: Stream, _ place: Int, _ found: SourceState, _ state: inout State) {
    let notices = whatHappened(to: stream, place, found, arrival: { _ in nil }, &state)
    let now = notices.isEmpty ? 0 : mixedFrames(state)
    for (_, notice) in notices {
      var notice = notice
      if notice.frame < 0 { notice.frame = now }
      state.watch[place].post(notice, over: deliveries)
    }
    settle(place, &state)
  }

  /// Returns the events of a stream since the last poll; `arrival` turns frames of the queue into frames of the mix.
  func whatHappened(
    to stream: Stream,
    _ place: Int,
    _ found: SourceState,
    arrival: (Int) -> Int?,
    _ state: inout State
  ) -> [(place: Int, notice: WatchedSource.Notice)] {
    let id = state.watch[place].id
    let (isStarted, frameCount) = stream.state.withLock { ($0.isStarted, $0.line.frameCount) }
    // A lost device stops its sources; they resume on the next one.
    guard isStarted, found != .stopped || !isLost else { return [] }
    var notices: [(place: Int, notice: WatchedSource.Notice)] = []
    func note(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int, _ cause: SourceNotification.Cause) {
      notices.append((place, .init(kind: kind, state: now, frame: arrival(frame) ?? -1, cause: cause)))
    }
    let reached = found == .stopped ? frameCount : Int(saturating: handle.place(id).frame.rounded(.up))
    let (laps, now) = stream.state.withLock { ($0.line.laps(before: reached), $0.state) }
    if let last = laps.last { note(.looped(laps.count), now, at: last, .mix) }
    guard found == .stopped else {
      if handle.processedBuffers(id) > 0 { stream.refill() }
      return notices
    }

    let isOver = endedWithDevice(&state)
    let next = stream.state.withLock { isOver ? $0.lostDevice() : $0.playedOut() }
    flush(stream, state.watch[place].key, id, &state)
    switch next {
    case .waits: break
    case .starves: note(.starved, now, at: frameCount, .mix)
    case .ends(let cause):
      if state.watch[place].tracker.found(.init(state: .stopped, processed: nil)).after != nil {
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
      guard let place = state.watch.place(of: key), !context.isLost else { return nil }
      // The library's count comes before the count of laps: the mixer continues, and buffers that it plays meanwhile
      // stay in the queue until their laps are counted.
      let played = context.handle.processedBuffers(id)
      context.noteStream(stream, place, context.handle.state(id), &state)
      let count = stream.state.withLock { $0.isStarted ? min(played, $0.line.countedChunks) : 0 }
      if count > 0 {
        context.performing(&state) { state in
          context.handle.unqueue(count, from: id)
          // The lead-in was the first buffer.
          _ = state.schedule.takeLeadIn(of: key)
        }
        stream.buffers.withLock { $0.removeFirst(min(count, $0.count)) }
        stream.state.withLock { $0.line.removeFirst(count) }
        context.mark(key, id, &state)
      }
      let length = context.queueLength(of: stream, place, state)
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
      guard let place = state.watch.place(of: key) else { return false }
      context.noteStream(stream, place, context.handle.state(id), &state)
      guard let order = stream.state.withLock({ $0.accept(generation) }) else { return false }
      if order.flushes { context.flush(stream, key, id, &state) }
      if let buffer {
        do throws(AudioError) {
          try append(buffer, delivery.chunk, to: stream, place, &state)
        } catch {
          failure = failure ?? error
        }
      }
      // If the source ended meanwhile, the reader already has a new target.
      let isStillWanted = stream.state.withLock { $0.generation == generation }
      if isStillWanted, delivery.isEnd || failure != nil {
        stream.state.withLock { $0.readerEnded(failed: failure != nil) }
        context.endIfNothingIsLeft(of: stream, place, &state)
      }
      return true
    }
    return isWanted ? failure : nil
  }

  private func append(
    _ buffer: SoundBuffer,
    _ chunk: StreamLine.Chunk,
    to stream: Stream,
    _ place: Int,
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
      if mixed * context.step(of: place, state) < Double(buffer.frameCount) {
        context.noteStream(stream, place, .stopped, &state)
        // If the device is gone, `noteStream` has ended the stream, and the buffer has no use.
        guard stream.state.withLock({ $0.generation == generation }) else { return }
        // `noteStream` cleared the queue, this buffer included: queue it again.
        try context.handle.queue([buffer.id], on: id)
        stream.buffers.withLock { $0.append(buffer) }
      }
    }
    let starts = stream.state.withLock { stream in
      stream.line.append(chunk)
      guard !stream.isStarted, stream.state == .playing else { return false }
      stream.isStarted = true
      return true
    }
    if starts {
      context.start(stream, self, &state)
      context.mark(self, after: .play, &state)
    }
  }
}

extension AudioContext {
  /// Ends a stream with an empty queue and a reader at its end.
  func endIfNothingIsLeft(of stream: Stream, _ place: Int, _ state: inout State) {
    let cause: SourceNotification.Cause? = stream.state.withLock { stream in
      guard stream.state == .playing, !stream.isStarted, stream.line.chunkCount == 0 else { return nil }
      guard case .ends(let cause) = stream.playedOut() else { return nil }
      return cause
    }
    if let cause { noteState(of: stream, place, at: nil, by: cause, &state) }
  }

  /// Fills the queues of an offline context; called without the lock, because readers run here.
  func feedStreams() {
    let streams = state.withLock { state in state.watch.streams }
    // A chunk that another thread is reading has to be in the queue before the mix.
    for stream in streams { stream.fill(afterOthers: true) }
  }

  /// The number of the reader's frames that fill a stream's queue: at least 400 ms, both of the reader and audible.
  func queueLength(of stream: Stream, _ place: Int, _ state: State) -> Int {
    let sampleRate = stream.format.sampleRate
    let speed = step(of: place, state) * Double(self.sampleRate) / Double(max(sampleRate, 1))
    let length = Double(StreamState.chunkCount * StreamState.chunkLength(at: sampleRate))
    return Int(saturating: length * speed.clamped(to: 1...Double(Ranges.pitch.upperBound)))
  }

  /// The number of frames that can be mixed before a stream with more data has an underrun.
  func framesInStreams(_ state: State) -> Int {
    var frames = Int.max
    for place in state.watch.playing {
      guard let stream = state.watch[place].stream else { continue }
      let (frameCount, mayRunDry) = stream.state.withLock { ($0.line.frameCount, $0.isStarted && !$0.isEnded) }
      let step = step(of: place, state)
      guard mayRunDry, step > 0 else { continue }
      let left = Double(frameCount) - handle.place(state.watch[place].id).frame
      frames = min(frames, max(Int(saturating: left / step) - 1, 1))
    }
    return frames
  }
}
