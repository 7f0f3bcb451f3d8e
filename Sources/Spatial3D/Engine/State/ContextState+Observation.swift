internal import AudioSupport

// Compares the library's state with the posted one, and posts the difference.

// MARK: - Calls

extension ContextState {
  /// Performs a verb on sources, and posts the changes of the observed ones.
  ///
  /// The closure receives the ids of the sources to perform it on: a stream with an empty queue plays once it has data.
  mutating func noting(
    _ verb: ContextHandle.Verb,
    of sources: [SoundSource],
    _ body: ([UInt32], inout ContextState) -> Void
  ) {
    if !observation.starts.isEmpty { for source in sources { forgetStart(of: source, before: verb) } }
    defer { for source in sources where source.stream == nil { recordPosition(source, after: verb) } }
    guard !observation.isEmpty else { return body(sources.map(\.id), &self) }
    var ids: [UInt32] = []
    for source in sources {
      if let stream = source.stream {
        if prepare(verb, of: stream, source) == verb { ids.append(source.id) }
      } else {
        if let slot = observation.slot(of: source.key) { prepare(verb, slot) }
        ids.append(source.id)
      }
    }
    body(ids, &self)
    for source in sources {
      guard let slot = observation.slot(of: source.key) else { continue }
      if let stream = source.stream {
        noteState(of: stream, slot, at: nil, by: .call)
      } else {
        note(verb, slot)
      }
    }
  }

  /// The variant for one source without a stream; it allocates no array.
  mutating func noting(
    _ verb: ContextHandle.Verb,
    of source: SoundSource,
    _ body: (inout ContextState) -> Void
  ) {
    if !observation.starts.isEmpty { forgetStart(of: source, before: verb) }
    defer { recordPosition(source, after: verb) }
    guard let slot = observation.slot(of: source.key) else { return body(&self) }
    prepare(verb, slot)
    body(&self)
    note(verb, slot)
  }

  /// Forgets the scheduled start of a source, except on a pause and on the resume of a paused source.
  mutating func forgetStart(of source: SoundSource, before verb: ContextHandle.Verb) {
    guard verb != .pause else { return }
    let isHeld =
      source.stream?.state.withLock { $0.state == .paused }
      ?? (schedule.state(of: source.key) == .paused || isHeldInLibrary(source))
    if verb != .play || !isHeld { observation.starts[source.key] = nil }
  }

  /// Whether a source is paused in a library that delays its start, and whose moment has not come.
  private func isHeldInLibrary(_ source: SoundSource) -> Bool {
    guard handle.canDelay, let time = observation.starts[source.key], let clock = handle.clock else {
      return false
    }
    return time > .nanoseconds(clock) && handle.state(source.id) == .paused
  }

  /// Notes the scheduled start of sources.
  mutating func noteStart(of sources: [SoundSource], at time: Duration) {
    for source in sources {
      observation.starts[source.key] = time
      if let slot = observation.slot(of: source.key) { noteStart(slot) }
    }
  }

  /// Counts from the scheduled start of a source.
  mutating func noteStart(_ slot: Int) {
    guard let time = observation.starts[observation[slot].key] else { return }
    observation[slot].startFrame = handle.mixFrame(at: time)
    observation[slot].loopClock = Int64(clamping: time.attoseconds / 1_000_000_000)
  }

  /// The state of a source: that of its scheduled start, or the library's.
  func currentState(of slot: Int) -> SourceState {
    let key = observation[slot].key
    return schedule.state(of: key) ?? handle.state(observation[slot].id)
  }

  private mutating func prepare(_ verb: ContextHandle.Verb, _ slot: Int) {
    catchUp(slot)
    if verb == .play, observation[slot].countsLoops, !observation[slot].isPlaying {
      observation[slot].loopClock = handle.clock
    }
    // The request comes first, because the mixer may end the source at once.
    if verb == .play, !observation.isPlaying { handle.wantHints(true) }
  }

  private mutating func note(_ verb: ContextHandle.Verb, _ slot: Int) {
    observation[slot].startFrame = nil
    countLoops(over: verb, slot)
    let finding = finding(slot, currentState(of: slot))
    let hasFrames = observation[slot].sound.frameCount > 0
    let changes =
      verb == .play
      ? observation[slot].tracker.played(hasFrames: hasFrames, then: finding)
      : observation[slot].tracker.found(finding)
    // A source that ended at a play or pause was not ended by the call, unless its sound is empty.
    let isByCall = verb == .stop || verb == .rewind || finding.state != .stopped || (verb == .play && !hasFrames)
    post(changes, of: slot, at: nil, by: isByCall ? .call : nil, before: .call)
    settle(slot)
    // The loops of a source that continues were counted up to its position, and the count continues there.
    if device.isOffline || verb == .stop || verb == .rewind { beginCounting(slot) }
    // A source that is resumed while it waits counts from its scheduled start.
    if verb == .play, let clock = handle.clock, let time = observation.starts[observation[slot].key],
      time > .nanoseconds(clock)
    {
      noteStart(slot)
    }
    observation[slot].loopDue = nil
    observation.nextLoop = nil
    if observation[slot].countsLoops { device.wakeMonitor() }
  }

  /// Notes the work of the mixer on a source until now, ahead of a change to the source.
  mutating func catchUp(_ slot: Int) {
    if let stream = observation[slot].stream {
      return noteStream(stream, slot, handle.state(observation[slot].id))
    }
    countLoops(slot)
    let finding = finding(slot, currentState(of: slot))
    post(observation[slot].tracker.found(finding), of: slot, at: nil, by: nil)
  }

  /// Changes a source's queue or position, and posts the result.
  mutating func changing<Result, Failure: Error>(
    _ source: SoundSource,
    _ body: (inout ContextState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { recordPosition(source, playing: QueuedSound(source.buffers, isQueue: source.hasQueue)) }
    guard let slot = observation.slot(of: source.key) else { return try body(&self) }
    catchUp(slot)
    // A throwing body has to be settled too, because `catchUp` has posted changes.
    defer {
      observation[slot].sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
      let changes = observation[slot].tracker.found(finding(slot, currentState(of: slot)))
      // A change of the queue or the position does not end a source: the mixer or the device did.
      post(changes, of: slot, at: nil, by: changes.after == nil ? .call : nil)
      settle(slot)
      beginCounting(slot)
    }
    return try body(&self)
  }

  /// Takes the buffers that the library reports as played; the number may have grown since the last poll.
  mutating func takePlayed(of source: SoundSource) -> [SoundBuffer] {
    guard !handle.isLost else { return [] }
    if !schedule.paddings.isEmpty { removeSilence(of: source.key, id: source.id) }
    let count = processedBufferCount(of: source.key, id: source.id)
    guard count > 0, !handle.isLost else { return [] }
    handle.unqueue(count, from: source.id)
    noteUnqueued(count, from: source.key)
    return source.heldBuffers.withLock { held in
      let played = Array(held.prefix(count))
      held.removeFirst(min(count, held.count))
      return played
    }
  }

  /// Notes that buffers were unqueued, and posts the ones that ended since the last poll.
  mutating func noteUnqueued(_ count: Int, from key: SourceKey) {
    guard let slot = observation.slot(of: key) else { return }
    post(observation[slot].tracker.unqueued(count), of: slot, at: nil, by: nil)
  }
}

// MARK: - The state in the library

extension ContextState {
  /// The library's queue count of a source, together with its polled state.
  func finding(_ slot: Int, _ found: SourceState) -> SourceTracker.Finding {
    let source = observation[slot]
    // A lost device stops its sources; they resume on the next one.
    if found == .stopped, handle.isLost {
      let lost = lostPosition(of: source.key, at: handle.clock ?? 0)
      if let lost { return .init(state: lost.isPlaying ? .playing : .paused, processed: nil) }
    }
    let isCounted = source.hasQueue && source.kinds.contains(.buffersProcessed) && source.stream == nil
    guard isCounted, !scene.read(source.key, \.isLooping) else { return .init(state: found, processed: nil) }
    return .init(state: found, processed: processedBufferCount(of: source.key, id: source.id))
  }

  /// Posts changes.
  ///
  /// Without a frame, the frame is the current one. Without a cause, the cause is the mixer or the device. If there are
  /// two states, the first one has a cause of its own.
  mutating func post(
    _ changes: SourceTracker.Changes,
    of slot: Int,
    at frame: Int?,
    by cause: SourceNotification.Cause?,
    before first: SourceNotification.Cause = .call
  ) {
    guard !changes.isEmpty else { return }
    let frame = frame ?? mixedFrames
    let cause = cause ?? (changes.after == .stopped && endedWithDevice() ? .device : .mix)
    let last = observation[slot].tracker.state
    func post(_ kind: SourceNotification.Kind, _ now: SourceState, _ cause: SourceNotification.Cause) {
      let notice = ObservedSource.Notice(kind: kind, state: now, frame: frame, cause: cause)
      observation[slot].post(notice, over: deliveries)
    }
    if let before = changes.before { post(.stateChanged(before), before, first) }
    if changes.processed > 0 {
      post(.buffersProcessed(changes.processed), changes.before ?? last, cause)
    }
    if let after = changes.after { post(.stateChanged(after), after, cause) }
  }

  /// Updates the list of playing sources, and requests events from the library while there are any.
  mutating func settle(_ slot: Int) {
    let isFirst = observation.updatePlaying(slot)
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
  mutating func endedWithDevice() -> Bool { !noteConnection() && !device.handle.survivesLoss }

  /// Posts the loss or the return of the device; returns whether it is connected.
  @discardableResult
  mutating func noteConnection() -> Bool {
    let isConnected = handle.isConnected
    guard isConnected != observation.isConnected else { return isConnected }
    observation.isConnected = isConnected
    post(isConnected ? .deviceReturned : .deviceLost)
    return isConnected
  }

  /// Posts an event of the output.
  mutating func post(_ kind: ContextEvent.Kind) {
    let event = ContextEvent(kind: kind, framePosition: mixedFrames)
    for subscription in observation.eventSubscriptions where subscription.post(event) {
      deliveries.schedule(subscription)
    }
  }
}
