// What brings the library's state and what was told of it together. All of it under the context's lock.

extension AudioContext {
  /// Frames mixed so far.
  func mixedFrames(_ state: State) -> Int {
    if device.isOffline { return state.renderedFrames }
    guard let clock = handle.clock else { return 0 }
    // Exact up to a hundred days.
    return Int(saturating: (Double(clock) * Double(sampleRate) / 1e9).rounded())
  }

  /// Runs a closure on the state under the lock, and then hands over what came of it that is this thread's to hand over.
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
  /// Does something to sources, and notes what came of it for those that are observed.
  ///
  /// The closure is told for which of them the library has to do it: a stream that has nothing yet plays when it has.
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

  /// The same for one source without a stream, without an array.
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

  /// Forgets when a source was to begin, unless it is held, or waits on.
  func forgetStart(of source: SoundSource, before verb: ContextHandle.Verb, _ state: inout State) {
    guard verb != .pause else { return }
    let isHeld =
      source.stream?.state.withLock { $0.state == .paused } ?? (state.schedule.state(of: source.key) == .paused)
    if verb != .play || !isHeld { state.watch.starts[source.key] = nil }
  }

  /// Notes when sources begin that were told to play.
  func noteStart(of sources: [SoundSource], at time: Duration, _ state: inout State) {
    for source in sources {
      state.watch.starts[source.key] = time
      if let place = state.watch.place(of: source.key) { noteStart(place, &state) }
    }
  }

  /// Counts from when a source begins that was told to play later.
  func noteStart(_ place: Int, _ state: inout State) {
    guard let time = state.watch.starts[state.watch[place].key] else { return }
    state.watch[place].startFrame = mixFrame(at: time)
    state.watch[place].loopClock = Int64(clamping: time.attoseconds / 1_000_000_000)
  }

  /// What a source does by the library, or by what it waits for.
  func currentState(of place: Int, _ state: State) -> SourceState {
    let key = state.watch[place].key
    return state.schedule.state(of: key) ?? handle.state(state.watch[place].id)
  }

  private func prepare(_ verb: ContextHandle.Verb, _ place: Int, _ state: inout State) {
    catchUp(place, &state)
    if verb == .play, state.watch[place].countsLoops, !state.watch[place].isPlaying {
      state.watch[place].loopClock = handle.clock
    }
    // Before the mixer can end it.
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
    // What ended a source that was to be played or paused was not the call, unless there was nothing to play.
    let isByCall = verb == .stop || verb == .rewind || finding.state != .stopped || (verb == .play && !hasFrames)
    post(changes, of: place, at: nil, by: isByCall ? .call : nil, before: .call, &state)
    settle(place, &state)
    // Those that go on were counted up to a place, from which it goes on.
    if device.isOffline || verb == .stop || verb == .rewind { beginCounting(place, &state) }
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    if !device.isOffline, state.watch[place].countsLoops { device.bell.ring() }
  }

  /// Notes what the mixer has done to a source until now, before something is done to it.
  func catchUp(_ place: Int, _ state: inout State) {
    if let stream = state.watch[place].stream {
      return noteStream(stream, place, handle.state(state.watch[place].id), &state)
    }
    countLoops(place, &state)
    let finding = finding(place, currentState(of: place, state), state)
    post(state.watch[place].tracker.found(finding), of: place, at: nil, by: nil, &state)
  }

  /// Does something to a source's queue or position, and notes what came of it.
  func changing<Result, Failure: Error>(
    _ source: SoundSource,
    _ state: inout State,
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { mark(source, playing: QueuedSound(source.buffers, isQueue: source.hasQueue), &state) }
    guard let place = state.watch.place(of: source.key) else { return try body(&state) }
    catchUp(place, &state)
    // Also where it throws: what was caught up with has to be settled.
    defer {
      state.watch[place].sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
      let changes = state.watch[place].tracker.found(finding(place, currentState(of: place, state), state))
      // A queue or a place that is changed ends nothing: that was the mixer or the device.
      post(changes, of: place, at: nil, by: changes.after == nil ? .call : nil, &state)
      settle(place, &state)
      beginCounting(place, &state)
    }
    return try body(&state)
  }

  /// Notes that buffers were taken from the head of a queue, and tells of those that have ended since it was looked at.
  func noteUnqueued(_ count: Int, from key: SourceKey, _ state: inout State) {
    guard let place = state.watch.place(of: key) else { return }
    post(state.watch[place].tracker.unqueued(count), of: place, at: nil, by: nil, &state)
  }
}

// MARK: - Looking at the library

extension AudioContext {
  /// What the library says of a source, of which the state is known.
  func finding(_ place: Int, _ found: SourceState, _ state: State) -> SourceTracker.Finding {
    let source = state.watch[place]
    // It plays on elsewhere, soon.
    if found == .stopped, isLost {
      let lost = lostPlace(of: source.key, at: handle.clock ?? 0, state)
      if let lost { return .init(state: lost.isPlaying ? .playing : .paused, processed: nil) }
    }
    let isCounted = source.hasQueue && source.kinds.contains(.buffersProcessed) && source.stream == nil
    guard isCounted, !state.scene.read(source.key, \.isLooping) else { return .init(state: found, processed: nil) }
    return .init(state: found, processed: playedBufferCount(of: source.key, id: source.id, state))
  }

  /// Tells what changed.
  ///
  /// Without a frame, now. Without a cause it was the mixer or the device, whichever it was; of two states, the first has a
  /// cause of its own.
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

  /// Has the playing sources be those that play, and the library ring while there are any.
  func settle(_ place: Int, _ state: inout State) {
    let isFirst = state.watch.updatePlaying(place)
    guard !device.isOffline else { return }
    if isFirst {
      listen(&state)
      handle.wantHints(true)
      state.watch.nextSweep = nil
      device.bell.ring()
    } else if !state.watch.isPlaying {
      handle.wantHints(false)
    }
  }

  /// Has the library ring, from the first time on that somebody wants to know.
  func listen(_ state: inout State) {
    guard state.watch.hasHints == nil, !device.isOffline else { return }
    state.watch.hasHints = handle.listen(device.bell)
    if device.silence == nil { Lookout.all.watch(self) }
  }

  /// Whether the device is gone, and what it played has ended with it.
  func endedWithDevice(_ state: inout State) -> Bool { !noteConnection(&state) && !device.survivesLoss }

  /// Tells of the device where it went or came back; returns whether it is there.
  @discardableResult
  func noteConnection(_ state: inout State) -> Bool {
    let isConnected = handle.isConnected
    guard isConnected != state.watch.isConnected else { return isConnected }
    state.watch.isConnected = isConnected
    post(isConnected ? .deviceReturned : .deviceLost, &state)
    return isConnected
  }

  /// Tells of something that happened to the output.
  func post(_ kind: ContextEvent.Kind, _ state: inout State) {
    let event = ContextEvent(kind: kind, framePosition: mixedFrames(state))
    for subscription in state.watch.eventSubscriptions where subscription.post(event) {
      deliveries.schedule(subscription)
    }
  }
}

// MARK: - Loops

extension AudioContext {
  /// How many frames of a source's sound the mixer takes for one of the mix.
  func step(of place: Int, _ state: State) -> Double {
    let source = state.watch[place]
    return step(of: source, state.scene.read(source.key) { $0 }, in: state.scene)
  }

  /// The same by values and in a scene that may be to come.
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

  /// Where a source is in its sound.
  private func soundPlace(of place: Int, _ state: State) -> ContextHandle.Place {
    var found = handle.place(state.watch[place].id)
    found.frame = max(found.frame - Double(state.schedule.silence(of: state.watch[place].key)), 0)
    return found
  }

  /// Counts on from where the source is now.
  func beginCounting(_ place: Int, _ state: inout State) {
    guard state.watch[place].countsLoops else { return }
    let now = soundPlace(of: place, state)
    state.watch[place].loops.place = now.frame
    state.watch[place].loopClock = now.clock ?? monotonicTime()
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    if !device.isOffline, state.watch[place].isPlaying { device.bell.ring() }
  }

  /// Tells how often a source started over since it was last counted.
  func countLoops(_ place: Int, _ state: inout State) {
    guard state.watch[place].countsLoops, let clock = state.watch[place].loopClock else { return }
    let now = soundPlace(of: place, state)
    // It does not play before its time.
    if let moment = now.clock, moment < clock { return }
    let before = state.watch[place].loops.place
    let loop = loop(of: place, state)
    let laps: Int
    switch state.watch[place].tracker.state {
    case .playing where !device.isOffline:
      let seconds = Double((now.clock ?? monotonicTime()) - clock) / 1e9
      // What has ended by itself does not loop.
      guard now.frame > 0 || handle.state(state.watch[place].id) != .stopped else { return }
      let advance = seconds * Double(sampleRate) * step(of: place, state)
      laps = state.watch[place].loops.advance(by: advance, to: now.frame, in: loop)
    // A mix that was under way at the pause goes on to its end, and OpenAL Soft 1.25 then fades out over 64 frames.
    case .paused where now.frame != before:
      let step = step(of: place, state)
      let mix = device.isOffline ? 0 : Double(framesPerMix(&state)) * step
      let ways = [64 * step, mix, mix + 64 * step]
      laps = state.watch[place].loops.advance(byOneOf: ways, to: now.frame, in: loop)
    // Offline, a mix counts what it plays.
    default: return
    }
    state.watch[place].loopClock = now.clock ?? monotonicTime()
    state.watch[place].loopDue = nil
    state.watch.nextLoop = nil
    postLoops(laps, place, &state)
  }

  /// Tells how often a source started over while it was played or paused, between the last count and now.
  ///
  /// The mixer goes on meanwhile.
  private func countLoops(over verb: ContextHandle.Verb, _ place: Int, _ state: inout State) {
    guard verb == .play || verb == .pause, !device.isOffline, state.watch[place].countsLoops else { return }
    let now = soundPlace(of: place, state)
    let step = step(of: place, state)
    var mixed = 0.0
    if let clock = now.clock, let before = state.watch[place].loopClock {
      mixed = Double(clock - before) / 1e9 * Double(sampleRate) * step
    }
    // One that does not go on from a pause starts from the beginning.
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
