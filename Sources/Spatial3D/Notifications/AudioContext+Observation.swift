internal import AudioSupport

// Compares the library's state with the posted one, and posts the difference. All of it runs under the context's lock.

extension AudioContext {
  /// The number of frames mixed since the context began.
  func mixedFrames(_ state: State) -> Int {
    if device.isOffline { return state.renderedFrames }
    guard let clock = handle.clock else { return 0 }
    // The result is exact for a hundred days.
    return Int(saturating: (Double(clock) * Double(sampleRate) / 1e9).rounded())
  }

  /// Runs a closure under the lock, and then delivers the notifications that this thread has to deliver.
  @inline(__always)
  func noting<Result: Sendable, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { if device.isOffline { deliveries.deliver() } }
    return try state.withLock { state throws(Failure) in try body(&state) }
  }
}

// MARK: - Calls

extension AudioContext {
  /// Performs a verb on sources, and posts the changes of the observed ones.
  ///
  /// The closure receives the ids of the sources to perform it on: a stream with an empty queue plays once it has data.
  func noting(
    _ verb: ContextHandle.Verb,
    of sources: [SoundSource],
    _ state: inout State,
    _ body: ([UInt32], inout State) -> Void
  ) {
    if !state.observation.starts.isEmpty { for source in sources { forgetStart(of: source, before: verb, &state) } }
    defer { for source in sources where source.stream == nil { recordPosition(source, after: verb, &state) } }
    guard !state.observation.isEmpty else { return body(sources.map(\.id), &state) }
    var ids: [UInt32] = []
    for source in sources {
      if let stream = source.stream {
        if prepare(verb, of: stream, source, &state) == verb { ids.append(source.id) }
      } else {
        if let slot = state.observation.slot(of: source.key) { prepare(verb, slot, &state) }
        ids.append(source.id)
      }
    }
    body(ids, &state)
    for source in sources {
      guard let slot = state.observation.slot(of: source.key) else { continue }
      if let stream = source.stream {
        noteState(of: stream, slot, at: nil, by: .call, &state)
      } else {
        note(verb, slot, &state)
      }
    }
  }

  /// The variant for one source without a stream; it allocates no array.
  func noting(
    _ verb: ContextHandle.Verb,
    of source: SoundSource,
    _ state: inout State,
    _ body: (inout State) -> Void
  ) {
    if !state.observation.starts.isEmpty { forgetStart(of: source, before: verb, &state) }
    defer { recordPosition(source, after: verb, &state) }
    guard let slot = state.observation.slot(of: source.key) else { return body(&state) }
    prepare(verb, slot, &state)
    body(&state)
    note(verb, slot, &state)
  }

  /// Forgets the scheduled start of a source, except on a pause and on the resume of a paused source.
  func forgetStart(of source: SoundSource, before verb: ContextHandle.Verb, _ state: inout State) {
    guard verb != .pause else { return }
    let isHeld =
      source.stream?.state.withLock { $0.state == .paused }
      ?? (state.schedule.state(of: source.key) == .paused || isHeldInLibrary(source, state))
    if verb != .play || !isHeld { state.observation.starts[source.key] = nil }
  }

  /// Whether a source is paused in a library that delays its start, and whose moment has not come.
  private func isHeldInLibrary(_ source: SoundSource, _ state: State) -> Bool {
    guard handle.canDelay, let time = state.observation.starts[source.key], let clock = handle.clock else {
      return false
    }
    return time > .nanoseconds(clock) && handle.state(source.id) == .paused
  }

  /// Notes the scheduled start of sources.
  func noteStart(of sources: [SoundSource], at time: Duration, _ state: inout State) {
    for source in sources {
      state.observation.starts[source.key] = time
      if let slot = state.observation.slot(of: source.key) { noteStart(slot, &state) }
    }
  }

  /// Counts from the scheduled start of a source.
  func noteStart(_ slot: Int, _ state: inout State) {
    guard let time = state.observation.starts[state.observation[slot].key] else { return }
    state.observation[slot].startFrame = mixFrame(at: time)
    state.observation[slot].loopClock = Int64(clamping: time.attoseconds / 1_000_000_000)
  }

  /// The state of a source: that of its scheduled start, or the library's.
  func currentState(of slot: Int, _ state: State) -> SourceState {
    let key = state.observation[slot].key
    return state.schedule.state(of: key) ?? handle.state(state.observation[slot].id)
  }

  private func prepare(_ verb: ContextHandle.Verb, _ slot: Int, _ state: inout State) {
    catchUp(slot, &state)
    if verb == .play, state.observation[slot].countsLoops, !state.observation[slot].isPlaying {
      state.observation[slot].loopClock = handle.clock
    }
    // The request comes first, because the mixer may end the source at once.
    if verb == .play, !state.observation.isPlaying { handle.wantHints(true) }
  }

  private func note(_ verb: ContextHandle.Verb, _ slot: Int, _ state: inout State) {
    state.observation[slot].startFrame = nil
    countLoops(over: verb, slot, &state)
    let finding = finding(slot, currentState(of: slot, state), state)
    let hasFrames = state.observation[slot].sound.frameCount > 0
    let changes =
      verb == .play
      ? state.observation[slot].tracker.played(hasFrames: hasFrames, then: finding)
      : state.observation[slot].tracker.found(finding)
    // A source that ended at a play or pause was not ended by the call, unless its sound is empty.
    let isByCall = verb == .stop || verb == .rewind || finding.state != .stopped || (verb == .play && !hasFrames)
    post(changes, of: slot, at: nil, by: isByCall ? .call : nil, before: .call, &state)
    settle(slot, &state)
    // The loops of a source that continues were counted up to its position, and the count continues there.
    if device.isOffline || verb == .stop || verb == .rewind { beginCounting(slot, &state) }
    // A source that is resumed while it waits counts from its scheduled start.
    if verb == .play, let clock = handle.clock, let time = state.observation.starts[state.observation[slot].key],
      time > .nanoseconds(clock)
    {
      noteStart(slot, &state)
    }
    state.observation[slot].loopDue = nil
    state.observation.nextLoop = nil
    if state.observation[slot].countsLoops { device.wakeMonitor() }
  }

  /// Notes the work of the mixer on a source until now, ahead of a change to the source.
  func catchUp(_ slot: Int, _ state: inout State) {
    if let stream = state.observation[slot].stream {
      return noteStream(stream, slot, handle.state(state.observation[slot].id), &state)
    }
    countLoops(slot, &state)
    let finding = finding(slot, currentState(of: slot, state), state)
    post(state.observation[slot].tracker.found(finding), of: slot, at: nil, by: nil, &state)
  }

  /// Changes a source's queue or position, and posts the result.
  func changing<Result, Failure: Error>(
    _ source: SoundSource,
    _ state: inout State,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { recordPosition(source, playing: QueuedSound(source.buffers, isQueue: source.hasQueue), &state) }
    guard let slot = state.observation.slot(of: source.key) else { return try body(&state) }
    catchUp(slot, &state)
    // A throwing body has to be settled too, because `catchUp` has posted changes.
    defer {
      state.observation[slot].sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
      let changes = state.observation[slot].tracker.found(finding(slot, currentState(of: slot, state), state))
      // A change of the queue or the position does not end a source: the mixer or the device did.
      post(changes, of: slot, at: nil, by: changes.after == nil ? .call : nil, &state)
      settle(slot, &state)
      beginCounting(slot, &state)
    }
    return try body(&state)
  }

  /// Notes that buffers were unqueued, and posts the ones that ended since the last poll.
  func noteUnqueued(_ count: Int, from key: SourceKey, _ state: inout State) {
    guard let slot = state.observation.slot(of: key) else { return }
    post(state.observation[slot].tracker.unqueued(count), of: slot, at: nil, by: nil, &state)
  }
}

// MARK: - Looking at the library

extension AudioContext {
  /// The library's queue count of a source, together with its polled state.
  func finding(_ slot: Int, _ found: SourceState, _ state: State) -> SourceTracker.Finding {
    let source = state.observation[slot]
    // A lost device stops its sources; they resume on the next one.
    if found == .stopped, isLost {
      let lost = lostPosition(of: source.key, at: handle.clock ?? 0, state)
      if let lost { return .init(state: lost.isPlaying ? .playing : .paused, processed: nil) }
    }
    let isCounted = source.hasQueue && source.kinds.contains(.buffersProcessed) && source.stream == nil
    guard isCounted, !state.scene.read(source.key, \.isLooping) else { return .init(state: found, processed: nil) }
    return .init(state: found, processed: processedBufferCount(of: source.key, id: source.id, state))
  }

  /// Posts changes.
  ///
  /// Without a frame, the frame is the current one. Without a cause, the cause is the mixer or the device. If there are
  /// two states, the first one has a cause of its own.
  func post(
    _ changes: SourceTracker.Changes,
    of slot: Int,
    at frame: Int?,
    by cause: SourceNotification.Cause?,
    before first: SourceNotification.Cause = .call,
    _ state: inout State
  ) {
    guard !changes.isEmpty else { return }
    let frame = frame ?? mixedFrames(state)
    let cause = cause ?? (changes.after == .stopped && endedWithDevice(&state) ? .device : .mix)
    let last = state.observation[slot].tracker.state
    func post(_ kind: SourceNotification.Kind, _ now: SourceState, _ cause: SourceNotification.Cause) {
      let notice = ObservedSource.Notice(kind: kind, state: now, frame: frame, cause: cause)
      state.observation[slot].post(notice, over: deliveries)
    }
    if let before = changes.before { post(.stateChanged(before), before, first) }
    if changes.processed > 0 {
      post(.buffersProcessed(changes.processed), changes.before ?? last, cause)
    }
    if let after = changes.after { post(.stateChanged(after), after, cause) }
  }

  /// Updates the list of playing sources, and requests events from the library while there are any.
  func settle(_ slot: Int, _ state: inout State) {
    let isFirst = state.observation.updatePlaying(slot)
    guard !device.isOffline else { return }
    if isFirst {
      listen(&state)
      handle.wantHints(true)
      state.observation.nextSweep = nil
      device.wakeMonitor()
    } else if !state.observation.isPlaying {
      handle.wantHints(false)
    }
  }

  /// Requests events from the library, on the first subscription.
  func listen(_ state: inout State) {
    guard state.observation.hasHints == nil, !device.isOffline else { return }
    state.observation.hasHints = handle.listen(device.monitorSemaphore)
    if device.clockMixer == nil { EventMonitor.all.add(self) }
  }

  /// Whether the device is gone and its sources have ended with it.
  func endedWithDevice(_ state: inout State) -> Bool { !noteConnection(&state) && !device.survivesLoss }

  /// Posts the loss or the return of the device; returns whether it is connected.
  @discardableResult
  func noteConnection(_ state: inout State) -> Bool {
    let isConnected = handle.isConnected
    guard isConnected != state.observation.isConnected else { return isConnected }
    state.observation.isConnected = isConnected
    post(isConnected ? .deviceReturned : .deviceLost, &state)
    return isConnected
  }

  /// Posts an event of the output.
  func post(_ kind: ContextEvent.Kind, _ state: inout State) {
    let event = ContextEvent(kind: kind, framePosition: mixedFrames(state))
    for subscription in state.observation.eventSubscriptions where subscription.post(event) {
      deliveries.schedule(subscription)
    }
  }
}

// MARK: - Loops

extension AudioContext {
  /// The number of frames of a source's sound that the mixer takes for one of the mix.
  func step(of slot: Int, _ state: State) -> Double {
    let source = state.observation[slot]
    return step(of: source, state.scene.read(source.key) { $0 }, in: state.scene)
  }

  /// The step for given values and a given scene, which may be future ones.
  func step(of source: ObservedSource, _ values: SourceValues, in scene: Scene) -> Double {
    scene.step(
      of: values,
      soundRate: source.sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: source.sound.isPlaced(values.spatialization),
      limit: stepLimit
    )
  }

  func loop(of slot: Int, _ state: State) -> LoopCounter.Loop {
    let source = state.observation[slot]
    return LoopCounter.Loop(range: source.sound.loopRange, isOn: state.scene.read(source.key, \.isLooping))
  }

  /// The position of a source in its sound.
  private func soundPosition(of slot: Int, _ state: State) -> ContextHandle.Position {
    var found = handle.position(state.observation[slot].id)
    found.frame = max(found.frame - Double(state.schedule.silence(of: state.observation[slot].key)), 0)
    return found
  }

  /// Counts loops from the current position of the source on.
  func beginCounting(_ slot: Int, _ state: inout State) {
    guard state.observation[slot].countsLoops else { return }
    let now = soundPosition(of: slot, state)
    state.observation[slot].loops.position = now.frame
    state.observation[slot].loopClock = now.clock ?? monotonicTime()
    state.observation[slot].loopDue = nil
    state.observation.nextLoop = nil
    if state.observation[slot].isPlaying { device.wakeMonitor() }
  }

  /// Posts the number of loops of a source since the last count.
  func countLoops(_ slot: Int, _ state: inout State) {
    guard state.observation[slot].countsLoops, let clock = state.observation[slot].loopClock else { return }
    let now = soundPosition(of: slot, state)
    // A source does not play before its start.
    if let moment = now.clock, moment < clock { return }
    let before = state.observation[slot].loops.position
    let loop = loop(of: slot, state)
    let laps: Int
    switch state.observation[slot].tracker.state {
    case .playing where !device.isOffline:
      let seconds = Double((now.clock ?? monotonicTime()) - clock) / 1e9
      // A source that ended by itself does not loop.
      guard now.frame > 0 || handle.state(state.observation[slot].id) != .stopped else { return }
      let advance = seconds * Double(sampleRate) * step(of: slot, state)
      laps = state.observation[slot].loops.advance(by: advance, to: now.frame, in: loop)
    // A mix that is under way at the pause runs to its end; OpenAL Soft 1.25 then fades out over 64 frames.
    case .paused where now.frame != before:
      let step = step(of: slot, state)
      let mix = device.isOffline ? 0 : Double(framesPerMix(&state)) * step
      let ways = [64 * step, mix, mix + 64 * step]
      laps = state.observation[slot].loops.advance(byOneOf: ways, to: now.frame, in: loop)
    // Offline, each mix counts its own loops.
    default: return
    }
    state.observation[slot].loopClock = now.clock ?? monotonicTime()
    state.observation[slot].loopDue = nil
    state.observation.nextLoop = nil
    postLoops(laps, slot, &state)
  }

  /// Posts the number of loops of a source during a play or pause call, between the last count and now.
  ///
  /// The mixer continues meanwhile.
  private func countLoops(over verb: ContextHandle.Verb, _ slot: Int, _ state: inout State) {
    guard verb == .play || verb == .pause, !device.isOffline, state.observation[slot].countsLoops else { return }
    let now = soundPosition(of: slot, state)
    let step = step(of: slot, state)
    var mixed = 0.0
    if let clock = now.clock, let before = state.observation[slot].loopClock {
      mixed = Double(clock - before) / 1e9 * Double(sampleRate) * step
    }
    // A source that does not resume from a pause starts from the beginning.
    if verb == .play, state.observation[slot].tracker.state != .paused { state.observation[slot].loops.position = 0 }
    let loop = loop(of: slot, state)
    let laps = state.observation[slot].loops.advance(byPartOf: mixed, or: 64 * step, to: now.frame, in: loop)
    state.observation[slot].loopClock = now.clock ?? monotonicTime()
    postLoops(laps, slot, &state)
  }

  private func postLoops(_ laps: Int, _ slot: Int, _ state: inout State) {
    guard laps > 0 else { return }
    let notice = ObservedSource.Notice(
      kind: .looped(laps),
      state: state.observation[slot].tracker.state,
      frame: mixedFrames(state),
      cause: .mix
    )
    state.observation[slot].post(notice, over: deliveries)
  }
}
