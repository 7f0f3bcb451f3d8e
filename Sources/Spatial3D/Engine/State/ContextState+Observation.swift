internal import AudioSupport

// Compares the library's state with the posted one, and posts the difference.

// MARK: - Calls

extension ContextState {
  /// Performs a verb on sources, and posts the changes of the observed sources.
  ///
  /// The closure receives the sources to perform it on: a stream with an empty queue plays once it has data.
  mutating func reporting(
    _ verb: ContextHandle.Verb,
    of sources: [SoundSource],
    _ body: ([SoundSource], inout ContextState) -> Void
  ) {
    for source in sources { forgetStart(of: source, before: verb) }
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
    forgetStart(of: source, before: verb)
    guard prepare(verb, source) else { return }
    body(&self)
    report(verb, source)
  }

  /// Forgets the scheduled start of a source, except on a pause and on the resume of a paused source.
  mutating func forgetStart(of source: SoundSource, before verb: ContextHandle.Verb) {
    guard verb != .pause, records[source.key].start.time != nil else { return }
    let isHeld =
      source.stream?.state.withLock { $0.state == .paused }
      ?? (records[source.key].start.state == .paused || records[source.key].library.isPausedAheadOfStart(by: handle))
    if verb != .play || !isHeld { records[source.key].start.time = nil }
  }

  /// Stores the scheduled start of sources.
  mutating func adoptStart(of sources: [SoundSource], at time: Duration) {
    for source in sources {
      records[source.key].start.time = time
      if records.isObserved(source.key) { adoptStart(source.key) }
    }
  }

  /// Counts from the scheduled start of a source.
  mutating func adoptStart(_ key: SourceKey) {
    guard let time = records[key].start.time else { return }
    records[observed: key].startFrame = handle.mixFrame(at: time)
    records[observed: key].loopClock = time.inNanoseconds
  }

  /// Prepares a source for a verb; returns whether the verb is to be performed on the library's source.
  private mutating func prepare(_ verb: ContextHandle.Verb, _ source: SoundSource) -> Bool {
    if let stream = source.stream { return prepare(verb, of: stream, source) == verb }
    if verb == .play { beginWatchingClock() }
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
        postState(of: stream, source.key, at: nil, by: .call)
      } else {
        postChanges(after: verb, source.key)
      }
    }
    if source.stream == nil { recordPosition(source, after: verb) }
  }

  private mutating func postChanges(after verb: ContextHandle.Verb, _ key: SourceKey) {
    records[observed: key].startFrame = nil
    countLoops(over: verb, key)
    let reading = reading(of: key)
    let isEmpty = records[observed: key].sound.frameCount == 0
    let changes =
      verb == .play
      ? records[observed: key].tracker.played(hasFrames: !isEmpty, then: reading)
      : records[observed: key].tracker.update(to: reading)
    // A source that ended at a play or pause was not ended by the call, unless its sound is empty.
    let isByCall = verb == .stop || verb == .rewind || reading.state != .stopped || (verb == .play && isEmpty)
    post(changes, of: key, at: nil, by: isByCall ? .call : nil, before: .call)
    updatePolling(key)
    // The loops of a source that continues were counted up to its position, and the count continues there.
    if device.isOffline || verb == .stop || verb == .rewind { beginCounting(key) }
    // A source that is resumed while it waits counts from its scheduled start.
    if verb == .play, let time = records[key].start.time, time > .nanoseconds(handle.clock) { adoptStart(key) }
    records[observed: key].loopDue = nil
    observation.nextLoop = nil
    if records[observed: key].countsLoops { device.wakeMonitor() }
  }

  /// Takes over the mixer's changes of a source until now, ahead of a change to the source.
  mutating func pollSource(_ key: SourceKey) {
    if let stream = records[observed: key].stream {
      return updateStream(stream, key, handle.state(records[key].id))
    }
    countLoops(key)
    let reading = reading(of: key)
    post(records[observed: key].tracker.update(to: reading), of: key, at: nil, by: nil)
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
      records[observed: key].sound = QueuedSound(of: source)
      let changes = records[observed: key].tracker.update(to: reading(of: key))
      // A change of the queue or the position does not end a source: the mixer or the device did.
      post(changes, of: key, at: nil, by: changes.after == nil ? .call : nil)
      updatePolling(key)
      beginCounting(key)
    }
    return try body(&self)
  }

  /// Takes the buffers that the library reports as played; the number may have grown since the last poll.
  mutating func takePlayed(of source: SoundSource) -> [SoundBuffer] {
    guard !handle.isLost else { return [] }
    if !schedule.padded.isEmpty { records[source.key].library.removeSilence(of: source.key, &schedule, by: handle) }
    let count = records[source.key].library.processedBufferCount(by: handle)
    guard count > 0, !handle.isLost else { return [] }
    handle.unqueue(count, from: source.id)
    postUnqueued(count, from: source.key)
    return source.heldBuffers.withLock { held in
      let played = Array(held.prefix(count))
      held.removeFirst(min(count, held.count))
      return played
    }
  }

  /// Subtracts unqueued buffers from the count, and posts the buffers that ended since the last poll.
  mutating func postUnqueued(_ count: Int, from key: SourceKey) {
    guard records.isObserved(key) else { return }
    post(records[observed: key].tracker.unqueued(count), of: key, at: nil, by: nil)
  }
}

// MARK: - The state in the library

extension ContextState {
  /// Posts changes.
  ///
  /// Without a frame, the frame is the current one. Without a cause, the cause is the mixer or the device. If there are
  /// two states, the first one has a cause of its own.
  mutating func post(
    _ changes: SourceTracker.Changes,
    of key: SourceKey,
    at frame: Int?,
    by cause: SourceNotification.Cause?,
    before first: SourceNotification.Cause = .call
  ) {
    guard !changes.isEmpty else { return }
    let frame = frame ?? framePosition
    let cause = cause ?? (changes.after == .stopped && endedWithDevice() ? .device : .mix)
    let last = records[observed: key].tracker.state
    func post(_ kind: SourceNotification.Kind, _ now: SourceState, _ cause: SourceNotification.Cause) {
      let notice = ObservedSource.Notice(kind: kind, state: now, frame: frame, cause: cause)
      records[observed: key].post(notice, over: deliveries)
    }
    if let before = changes.before { post(.stateChanged(before), before, first) }
    if changes.processed > 0 {
      post(.buffersProcessed(changes.processed), changes.before ?? last, cause)
    }
    if let after = changes.after { post(.stateChanged(after), after, cause) }
  }

  /// Updates the list of playing sources, and requests events from the library while there are any.
  mutating func updatePolling(_ key: SourceKey) {
    let isFirst = updatePlaying(key)
    guard !device.isOffline else { return }
    if isFirst {
      listen()
      handle.wantHints(true)
      observation.nextSweep = nil
      device.wakeMonitor()
    } else if !observation.isPlaying {
      handle.wantHints(false)
    }
  }

  /// Requests events from the library, once.
  mutating func listen() {
    guard observation.hasHints == nil, !device.isOffline else { return }
    observation.hasHints = handle.listen(device.monitorSemaphore)
  }

  /// Whether the device is gone and its sources have ended with it.
  mutating func endedWithDevice() -> Bool { !updateConnection() && !device.handle.survivesLoss }

  /// Posts the loss or the return of the device; returns whether it is connected.
  @discardableResult
  mutating func updateConnection() -> Bool {
    let isConnected = handle.isConnected
    guard isConnected != observation.isConnected else { return isConnected }
    observation.isConnected = isConnected
    post(isConnected ? .deviceReturned : .deviceLost)
    return isConnected
  }

  /// Posts an event of the output.
  mutating func post(_ kind: ContextEvent.Kind) {
    let event = ContextEvent(kind: kind, framePosition: framePosition)
    for subscription in observation.eventSubscriptions { subscription.post(event, over: deliveries) }
  }
}
