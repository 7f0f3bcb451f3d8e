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
    if !state.watch.starts.isEmpty { for source in sources { forgetStart(of: source, before: verb, &state) } }
    defer { for source in sources where source.stream == nil { mark(source, after: verb, &state) } }
    guard !state.watch.isEmpty else { return body(sources.map(\.id), &state) }
    var ids: [UInt32] = []
    for source in sources {
      if let stream = source.stream {
        if prepare(verb, of: stream, source, &state) == verb { ids.append(source.id) }
      } else {
        if let place = state.watch.place(of: source.key) { prepare(verb, place, &state) }
        ids.append(source.id)
      }
    }
    body(ids, &state)
    for source in sources {
      guard let place = state.watch.place(of: source.key) else { continue }
      if let stream = source.stream {
        noteState(of: stream, place, at: nil, by: .call, &state)
      } else {
        note(verb, place, &state)
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
    if !state.watch.starts.isEmpty { forgetStart(of: source, before: verb, &state) }
    defer { mark(source, after: verb, &state) }
    guard let place = state.watch.place(of: source.key) else { return body(&state) }
    prepare(verb, place, &state)
    body(&state)
    note(verb, place, &state)
  }

  /// Forgets the scheduled start of a source, except on a pause and on the resume of a paused source.
  func forgetStart(of source: SoundSource, before verb: ContextHandle.Verb, _ state: inout State) {
    guard verb != .pause else { return }
    let isHeld =
      source.stream?.state.withLock { $0.state == .paused }
      ?? (state.schedule.state(of: source.key) == .paused || isHeldInLibrary(source, state))
    if verb != .play || !isHeld { state.watch.starts[source.key] = nil }
  }

  /// Whether a source is paused in a library that delays its start, and whose moment has not come.
  private func isHeldInLibrary(_ source: SoundSource, _ state: State) -> Bool {
    guard handle.canDelay, let time = state.watch.starts[source.key], let clock = handle.clock else { return false }
    return time > .nanoseconds(clock) && handle.state(source.id) == .paused
  }

  /// Notes the scheduled start of sources.
  func noteStart(of sources: [SoundSource], at time: Duration, _ state: inout State) {
    for source in sources {
      state.watch.starts[source.key] = time
      if let place = state.watch.place(of: source.key) { noteStart(place, &state) }
    }
  }

  /// Counts from the scheduled start of a source.
  func noteStart(_ place: Int, _ state: inout State) {
    guard let time = state.watch.starts[state.watch[place].key] else { return }
    state.watch[place].startFrame = mixFrame(at: time)
    state.watch[place].loopClock = Int64(clamping: time.attoseconds / 1_000_000_000)
  }

  /// The state of a source: that of its scheduled start, or the library's.
  func currentState(of place: Int, _ state: State) -> SourceState {
    let key = state.watch[place].key
    return state.schedule.state(of: key) ?? handle.state(state.watch[place].id)
  }

  private func prepare(_ verb: ContextHandle.Verb, _ place: Int, _ state: inout State) {
    catchUp(place, &state)
    if verb == .play, state.watch[place].countsLoops, !state.watch[place].isPlaying {
      state.watch[place].loopClock = handle.clock
    }
    // The request comes first, because the mixer may end the source at once.
    if verb == .play, !state.watch.isPlaying { handle.wantHints(true) }
  }

  private func note(_ verb: ContextHandle.Verb, _ place: Int, _ state: inout State) {
    state.watch[place].startFrame = nil
    countLoops(over: verb, place, &state)
    let finding = finding(place, currentState(of: place, state), state)
    let hasFrames = state.watch[place].sound.frameCount > 0
    let changes =
      verb == .play
      ? state.watch[place].tracker.played(hasFrames: hasFrames, then: finding)
      : state.watch[place].tracker.found(finding)
    // A source that ended at a play or pause was not ended by the call, unless its sound is empty.
    let isByCall = verb == .stop || verb == .rewind || finding.state != .stopped || (verb == .play && !hasFrames)
    post(changes, of: place, at: nil, by: isByCall ? .call : nil, before: .call, &state)
    settle(place, &state)
    // The loops of a source that continues were counted up to its position, and the count continues there.
    if device.isOffline || verb == .stop || verb == .rewind { beginCounting(place, &state) }
    // A source that is resumed while it waits counts from its scheduled start.
    if verb == .play, let clock = handle.clock, let time = state.watch.starts[state.watch[place].key],
      time > .nanoseconds(clock)
    {
      noteStart(place, &state)
    }
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    if state.watch[place].countsLoops { device.wakeMonitor() }
  }

  /// Notes the work of the mixer on a source until now, ahead of a change to the source.
  func catchUp(_ place: Int, _ state: inout State) {
    if let stream = state.watch[place].stream {
      return noteStream(stream, place, handle.state(state.watch[place].id), &state)
    }
    countLoops(place, &state)
    let finding = finding(place, currentState(of: place, state), state)
    post(state.watch[place].tracker.found(finding), of: place, at: nil, by: nil, &state)
  }

  /// Changes a source's queue or position, and posts the result.
  func changing<Result, Failure: Error>(
    _ source: SoundSource,
    _ state: inout State,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { mark(source, playing: QueuedSound(source.buffers, isQueue: source.hasQueue), &state) }
    guard let place = state.watch.place(of: source.key) else { return try body(&state) }
    catchUp(place, &state)
    // A throwing body has to be settled too, because `catchUp` has posted changes.
    defer {
      state.watch[place].sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
      let changes = state.watch[place].tracker.found(finding(place, currentState(of: place, state), state))
      // A change of the queue or the position does not end a source: the mixer or the device did.
      post(changes, of: place, at: nil, by: changes.after == nil ? .call : nil, &state)
      settle(place, &state)
      beginCounting(place, &state)
    }
    return try body(&state)
  }

  /// Notes that buffers were unqueued, and posts the ones that ended since the last poll.
  func noteUnqueued(_ count: Int, from key: SourceKey, _ state: inout State) {
    guard let place = state.watch.place(of: key) else { return }
    post(state.watch[place].tracker.unqueued(count), of: place, at: nil, by: nil, &state)
  }
}

// MARK: - Looking at the library

extension AudioContext {
  /// The library's queue count of a source, together with its polled state.
  func finding(_ place: Int, _ found: SourceState, _ state: State) -> SourceTracker.Finding {
    let source = state.watch[place]
    // A lost device stops its sources; they resume on the next one.
    if found == .stopped, isLost {
      let lost = lostPlace(of: source.key, at: handle.clock ?? 0, state)
      if let lost { return .init(state: lost.isPlaying ? .playing : .paused, processed: nil) }
    }
    let isCounted = source.hasQueue && source.kinds.contains(.buffersProcessed) && source.stream == nil
    guard isCounted, !state.scene.read(source.key, \.isLooping) else { return .init(state: found, processed: nil) }
    return .init(state: found, processed: playedBufferCount(of: source.key, id: source.id, state))
  }

  /// Posts changes.
  ///
  /// Without a frame, the frame is the current one. Without a cause, the cause is the mixer or the device. If there are
  /// two states, the first one has a cause of its own.
  func post(
    _ changes: SourceTracker.Changes,
    of place: Int,
    at frame: Int?,
    by cause: SourceNotification.Cause?,
    before first: SourceNotification.Cause = .call,
    _ state: inout State
  ) {
    guard !changes.isEmpty else { return }
    let frame = frame ?? mixedFrames(state)
    let cause = cause ?? (changes.after == .stopped && endedWithDevice(&state) ? .device : .mix)
    let last = state.watch[place].tracker.state
    func post(_ kind: SourceNotification.Kind, _ now: SourceState, _ cause: SourceNotification.Cause) {
      let notice = WatchedSource.Notice(kind: kind, state: now, frame: frame, cause: cause)
      state.watch[place].post(notice, over: deliveries)
    }
    if let before = changes.before { post(.stateChanged(before), before, first) }
    if changes.processed > 0 {
      post(.buffersProcessed(changes.processed), changes.before ?? last, cause)
    }
    if let after = changes.after { post(.stateChanged(after), after, cause) }
  }

  /// Updates the list of playing sources, and requests events from the library while there are any.
  func settle(_ place: Int, _ state: inout State) {
    let isFirst = state.watch.updatePlaying(place)
    guard !device.isOffline else { return }
    if isFirst {
      listen(&state)
      handle.wantHints(true)
      state.watch.nextSweep = nil
      device.wakeMonitor()
    } else if !state.watch.isPlaying {
      handle.wantHints(false)
    }
  }

  /// Requests events from the library, on the first subscription.
  func listen(_ state: inout State) {
    guard state.watch.hasHints == nil, !device.isOffline else { return }
    state.watch.hasHints = handle.listen(device.monitorSemaphore)
    if device.silence == nil { Lookout.all.watch(self) }
  }

  /// Whether the device is gone and its sources have ended with it.
  func endedWithDevice(_ state: inout State) -> Bool { !noteConnection(&state) && !device.survivesLoss }

  /// Posts the loss or the return of the device; returns whether it is connected.
  @discardableResult
  func noteConnection(_ state: inout State) -> Bool {
    let isConnected = handle.isConnected
    guard isConnected != state.watch.isConnected else { return isConnected }
    state.watch.isConnected = isConnected
    post(isConnected ? .deviceReturned : .deviceLost, &state)
    return isConnected
  }

  /// Posts an event of the output.
  func post(_ kind: ContextEvent.Kind, _ state: inout State) {
    let event = ContextEvent(kind: kind, framePosition: mixedFrames(state))
    for subscription in state.watch.eventSubscriptions where subscription.post(event) {
      deliveries.schedule(subscription)
    }
  }
}

// MARK: - Loops

extension AudioContext {
  /// The number of frames of a source's sound that the mixer takes for one of the mix.
  func step(of place: Int, _ state: State) -> Double {
    let source = state.watch[place]
    return step(of: source, state.scene.read(source.key) { $0 }, in: state.scene)
  }

  /// The step for given values and a given scene, which may be future ones.
  func step(of source: WatchedSource, _ values: SourceValues, in scene: Scene) -> Double {
    scene.step(
      of: values,
      soundRate: source.sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: source.sound.isPlaced(values.spatialization),
      limit: stepLimit
    )
  }

  func loop(of place: Int, _ state: State) -> LoopCounter.Loop {
    let source = state.watch[place]
    return LoopCounter.Loop(range: source.sound.loopRange, isOn: state.scene.read(source.key, \.isLooping))
  }

  /// The position of a source in its sound.
  private func soundPlace(of place: Int, _ state: State) -> ContextHandle.Place {
    var found = handle.place(state.watch[place].id)
    found.frame = max(found.frame - Double(state.schedule.silence(of: state.watch[place].key)), 0)
    return found
  }

  /// Counts loops from the current position of the source on.
  func beginCounting(_ place: Int, _ state: inout State) {
    guard state.watch[place].countsLoops else { return }
    let now = soundPlace(of: place, state)
    state.watch[place].loops.place = now.frame
    state.watch[place].loopClock = now.clock ?? monotonicTime()
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    if state.watch[place].isPlaying { device.wakeMonitor() }
  }

  /// Posts the number of loops of a source since the last count.
  func countLoops(_ place: Int, _ state: inout State) {
    guard state.watch[place].countsLoops, let clock = state.watch[place].loopClock else { return }
    let now = soundPlace(of: place, state)
    // A source does not play before its start.
    if let moment = now.clock, moment < clock { return }
    let before = state.watch[place].loops.place
    let loop = loop(of: place, state)
    let laps: Int
    switch state.watch[place].tracker.state {
    case .playing where !device.isOffline:
      let seconds = Double((now.clock ?? monotonicTime()) - clock) / 1e9
      // A source that ended by itself does not loop.
      guard now.frame > 0 || handle.state(state.watch[place].id) != .stopped else { return }
      let advance = seconds * Double(sampleRate) * step(of: place, state)
      laps = state.watch[place].loops.advance(by: advance, to: now.frame, in: loop)
    // A mix that is under way at the pause runs to its end; OpenAL Soft 1.25 then fades out over 64 frames.
    case .paused where now.frame != before:
      let step = step(of: place, state)
      let mix = device.isOffline ? 0 : Double(framesPerMix(&state)) * step
      let ways = [64 * step, mix, mix + 64 * step]
      laps = state.watch[place].loops.advance(byOneOf: ways, to: now.frame, in: loop)
    // Offline, each mix counts its own loops.
    default: return
    }
    state.watch[place].loopClock = now.clock ?? monotonicTime()
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    postLoops(laps, place, &state)
  }

  /// Posts the number of loops of a source during a play or pause call, between the last count and now.
  ///
  /// The mixer continues meanwhile.
  private func countLoops(over verb: ContextHandle.Verb, _ place: Int, _ state: inout State) {
    guard verb == .play || verb == .pause, !device.isOffline, state.watch[place].countsLoops else { return }
    let now = soundPlace(of: place, state)
    let step = step(of: place, state)
    var mixed = 0.0
    if let clock = now.clock, let before = state.watch[place].loopClock {
      mixed = Double(clock - before) / 1e9 * Double(sampleRate) * step
    }
    // A source that does not resume from a pause starts from the beginning.
    if verb == .play, state.watch[place].tracker.state != .paused { state.watch[place].loops.place = 0 }
    let loop = loop(of: place, state)
    let laps = state.watch[place].loops.advance(byPartOf: mixed, or: 64 * step, to: now.frame, in: loop)
    state.watch[place].loopClock = now.clock ?? monotonicTime()
    postLoops(laps, place, &state)
  }

  private func postLoops(_ laps: Int, _ place: Int, _ state: inout State) {
    guard laps > 0 else { return }
    let notice = WatchedSource.Notice(
      kind: .looped(laps),
      state: state.watch[place].tracker.state,
      frame: mixedFrames(state),
      cause: .mix
    )
    state.watch[place].post(notice, over: deliveries)
  }
}
