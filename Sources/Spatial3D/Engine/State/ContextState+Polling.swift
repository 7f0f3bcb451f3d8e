internal import AudioSupport

extension ContextState {
  /// The number of hints from which on all sources are polled: OpenAL Soft 1.19 holds 63 events and drops others.
  private static let manyHints = 32

  /// Takes over the state of the mixer; returns the nanoseconds until the next poll, `nil` for never.
  ///
  /// For an audible context only.
  mutating func poll(at now: Int64) -> Int64? {
    let isGone = handle.takeDisconnection()
    let wereLost = handle.takeHints(into: &observation.hints)
    if isGone { observation.updateConnection() }
    let isDue = observation.nextSweep.map { $0 <= now } ?? false
    if isGone || wereLost || isDue || observation.hints.count >= Self.manyHints {
      sweep()
      observation.nextSweep = nil
      if isDue { observation.updateConnection() }
    } else {
      for index in observation.hints.indices {
        // The source of a hint may be unobserved, or released.
        guard let key = observation.keysByID[observation.hints[index]] else { continue }
        update(key, inLibrary: handle.state(records[key].id))
      }
    }
    // For a silent device, the thread that mixes it starts the sources.
    let starts = device.isMixedByLibrary ? waitForStarts() : nil
    let loops = observation.waitForLoops(at: now, in: &records, scene, &output)
    let waits = [
      starts, loops, observation.waitForSweep(at: now),
      positions.recordIfDue(at: now, in: &records, of: device, by: handle),
      shortFades.endings.wait(on: device, &output, by: handle),
      fades.wait(at: now, in: &records, scene, of: device, &output, by: handle),
    ]
    return waits.compactMap(\.self).min()
  }

  /// Polls all playing sources.
  private mutating func sweep() {
    var states: [UInt8] = []
    swap(&states, &observation.states)
    handle.readStates(of: observation.playingIDs, into: &states)
    let keys = observation.playing
    for (key, number) in zip(keys, states) {
      let found = SourceState(shimNumber: number)
      // Most sources still play, and have no queue.
      if found == .playing, records[observed: key].hasOnlyState { continue }
      update(key, inLibrary: found)
    }
    swap(&states, &observation.states)
  }
}

// MARK: - One source

// Takes over the work of the mixer on one source.

extension ContextState {
  /// Takes over the mixer's changes of a source until now, ahead of a change to the source.
  mutating func pollSource(_ key: SourceKey) {
    if let stream = records[observed: key].stream {
      return updateStream(stream, key, handle.state(records[key].id))
    }
    observation.poll(key, in: &records, scene, &output)
  }

  /// Takes over the polled state of a playing source, and posts the changes.
  mutating func update(_ key: SourceKey, inLibrary found: SourceState) {
    if let stream = records[observed: key].stream { return updateStream(stream, key, found) }
    if observation.update(key, inLibrary: found, in: &records, scene) { observation.updatePolling(key, in: &records) }
  }
}

// MARK: - Streams

extension ContextState {
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

  /// Clears the queue of a stream, and rewinds the library's source.
  ///
  /// The source is `nil` where it has stopped, and has no sound to fade out.
  mutating func flush(_ stream: Stream, _ key: SourceKey, of source: SoundSource?) {
    performing { state in
      if let source { state.fadeOut([source], before: .rewind) }
      state.handle.clearQueue(state.records[key].id)
      state.records[key].library.removePadding(of: key, &state.schedule)
    }
    stream.buffers.withLock { $0 = [] }
    stream.state.withLock { stream in
      stream.queue.removeAll()
      stream.isStarted = false
    }
  }
}

// MARK: - Calls of the game

// Calls of the game around which the changes of observed sources are posted.

extension ContextState {
  /// Performs a verb on sources, and posts the changes of the observed sources.
  ///
  /// The closure receives the sources to perform it on: a stream with an empty queue plays once it has data.
  mutating func reporting(
    _ verb: ContextHandle.Verb,
    of sources: [SoundSource],
    _ body: ([SoundSource], inout ContextState) -> Void
  ) {
    for source in sources { records[source.key].library.forgetStart(before: verb, of: source, by: handle) }
    let ready = sources.filter { prepare(verb, $0) }
    body(ready, &self)
    for source in sources { report(verb, source) }
  }

  /// The variant for one source, which has no stream; it allocates no array.
  mutating func reporting(
    _ verb: ContextHandle.Verb,
    of source: SoundSource,
    _ body: (inout ContextState) -> Void
  ) {
    assert(source.stream == nil)
    records[source.key].library.forgetStart(before: verb, of: source, by: handle)
    guard prepare(verb, source) else { return }
    body(&self)
    report(verb, source)
  }

  /// Prepares a source for a verb; returns whether the verb is to be performed on the library's source.
  private mutating func prepare(_ verb: ContextHandle.Verb, _ source: SoundSource) -> Bool {
    if let stream = source.stream { return prepare(verb, of: stream, source) == verb }
    if verb == .play { device.beginWatchingClock() }
    let key = source.key
    guard records.isObserved(key) else { return true }
    pollSource(key)
    if verb == .play, records[observed: key].countsLoops, !records[observed: key].isPlaying {
      records[observed: key].loopClock = handle.clock
    }
    // The request comes first, because the mixer may end the source at once.
    if verb == .play, !observation.isPlaying { handle.wantHints(true) }
    return true
  }

  /// Posts the changes of a source after a verb, and records its position.
  private mutating func report(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    if records.isObserved(source.key) {
      if let stream = source.stream {
        observation.postState(of: stream, source.key, at: nil, by: .call, in: &records)
      } else {
        observation.postChanges(after: verb, source.key, in: &records, scene)
      }
    }
    if source.stream == nil { recordPosition(source, after: verb) }
  }

  /// Changes a source's queue or position, and posts the result.
  mutating func changing<Result, Failure: Error>(
    _ source: SoundSource,
    _ body: (inout ContextState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { recordPosition(source, playing: QueuedSound(of: source)) }
    let key = source.key
    guard records.isObserved(key) else { return try body(&self) }
    pollSource(key)
    // The list of playing sources is updated after an error too, because `pollSource` has posted changes.
    defer {
      observation.postChanges(toSound: QueuedSound(of: source), of: key, in: &records, scene)
    }
    return try body(&self)
  }

  /// Takes the buffers that the library reports as played; the number may have grown since the last poll.
  mutating func takePlayed(of source: SoundSource) -> [SoundBuffer] {
    let count = records[source.key].library.unqueuePlayed(of: source.key, &schedule, by: handle)
    guard count > 0 else { return [] }
    observation.postUnqueued(count, from: source.key, in: &records)
    return source.heldBuffers.withLock { held in
      let played = Array(held.prefix(count))
      held.removeFirst(min(count, held.count))
      return played
    }
  }
}
