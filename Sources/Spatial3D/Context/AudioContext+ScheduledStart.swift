internal import Synchronization

extension AudioContext {
  /// Plays sources from a moment of the ``clock`` on: all of them, and to the frame.
  ///
  /// Each as ``SoundSource/play()``, and it counts as playing while it waits. A source that plays falls silent until then,
  /// and one that is paused goes on from where it is. Playing a source that waits starts it at once; pausing holds it, and it
  /// waits on when it is played again; stopping and rewinding end its wait. A moment that has passed is now, and so is any for a
  /// source without a sound, and where there is no clock. Sources of another context are left alone.
  ///
  /// The moment is rounded to a frame of the mix. Without ``Capabilities/startDelay``, an ``OfflineRenderer`` cuts its mix there: a
  /// gain that was changed just before glides over fewer frames. On a real output the source then plays silence ahead of its
  /// sound, from a tenth of a second before, and a copy of the sound behind it: ask for the moment that long before, and
  /// leave the pitch alone in the last mix. What is asked for later, a stream, and a source that does not start at its beginning
  /// start with the mix that is nearest.
  ///
  /// ```swift
  /// let beat = (context.clock ?? .zero) + .milliseconds(500)
  /// context.play([kick, bass], at: beat)
  /// ```
  ///
  /// The OpenAL counterpart is `alSourcePlayAtTimevSOFT`.
  public func play(_ sources: [SoundSource], at time: Duration) {
    let own = own(sources)
    noting { state in
      changingSchedule(&state) { state in
        guard let clock = handle.clock, time > .nanoseconds(clock) else {
          for source in own { endWait(of: source, &state) }
          return start(own, &state)
        }
        // What has no sound stops at once, and does not wait for one.
        start(own.filter { $0.frameCount == 0 && $0.stream == nil }, &state)
        let waiting = own.filter { $0.frameCount > 0 || $0.stream != nil }
        let startingOver = Set(waiting.filter { startsOver($0, state) }.map(\.key))
        noting(.play, of: waiting, &state) { ids, state in
          for source in waiting { prepareToWait(source, &state) }
          start(ids, of: waiting, at: time, startingOver: startingOver, &state)
        }
        noteStart(of: waiting, at: time, &state)
      }
    }
    for source in own { source.feedOffline() }
  }

  /// Starts those of some sources later that have the names, of which some start at their beginnings.
  func start(
    _ ids: [UInt32],
    of sources: [SoundSource],
    at time: Duration,
    startingOver: Set<SourceKey>,
    _ state: inout State
  ) {
    if handle.canDelay {
      handle.play(ids, at: Int64(clamping: time.attoseconds / 1_000_000_000))
    } else {
      schedule(Set(ids), of: sources, at: time, startingOver: startingOver, &state)
    }
  }

  /// Hands over what was set of a source, which starts later.
  private func prepareToWait(_ source: SoundSource, _ state: inout State) {
    handOverBatch(of: source, &state)
    state.scene.noteStart(at: -1, of: source.key)
    // The library would go on at once.
    if handle.canDelay, handle.state(source.id) == .paused { putBack(source) }
  }

  /// Whether a source starts at its beginning when it is played.
  private func startsOver(_ source: SoundSource, _ state: State) -> Bool {
    handle.state(source.id) != .paused && !state.scene.hasStartFrame(of: source.key)
  }

  /// Takes a source out of what waits, so that it can start now.
  private func endWait(of source: SoundSource, _ state: inout State) {
    state.schedule.remove(source.key)
    endLeadIn(of: source, &state)
    // One that the library held while it waited would wait on.
    if handle.canDelay, handle.state(source.id) == .paused { putBack(source) }
  }

  /// Has a paused source start from where it is, instead of going on.
  private func putBack(_ source: SoundSource) {
    let frame = handle.frame(source.id)
    handle.perform(.rewind, source.id)
    handle.seek(source.id, to: frame)
  }

  /// The frame of the mix that is nearest to a time of the clock.
  func mixFrame(at time: Duration) -> Int {
    PCMFormat.mono(sampleRate: handle.sampleRate).frameCount(in: time)
  }
}

// MARK: - Where the library does not wait

extension AudioContext {
  /// Lets those of some sources wait that have the names.
  private func schedule(
    _ ids: Set<UInt32>,
    of sources: [SoundSource],
    at time: Duration,
    startingOver: Set<SourceKey>,
    _ state: inout State
  ) {
    let frame = mixFrame(at: time)
    for source in sources where ids.contains(source.id) {
      let isPaused = handle.state(source.id) == .paused
      // One that is paused goes on from there.
      if !isPaused { endLeadIn(of: source, &state) }
      if handle.state(source.id) == .playing { handle.perform(.rewind, source.id) }
      let lead = startingOver.contains(source.key) ? holdLeadIn(of: source, until: frame, &state) : 0
      state.schedule.add(source.key, id: source.id, frame: frame - lead)
    }
    guard !device.isOffline else { return }
    listen(&state)
    Lookout.all.bell.ring()
  }

  /// Runs a closure that changes the schedule and the library together, for those who read both without the lock.
  func changingSchedule<Result>(_ state: inout State, _ body: (inout State) -> Result) -> Result {
    scheduleMark.store(scheduleMark.load(ordering: .relaxed) | 1, ordering: .sequentiallyConsistent)
    defer {
      let next = (scheduleMark.load(ordering: .relaxed) | 1) + 1
      scheduleMark.store(state.schedule.isEmpty ? next : next | 1, ordering: .sequentiallyConsistent)
    }
    return body(&state)
  }

  /// What a source without a stream is doing, by the schedule or else by the library.
  func currentState(of source: SoundSource) -> SourceState {
    let now = reading {
      handle.state(source.id)
    } scheduled: {
      $0.schedule.state(of: source.key) ?? handle.state(source.id)
    }
    // What a device that is gone had stopped plays on elsewhere, soon.
    guard now == .stopped, isLost, let lost = lostPlace(of: source) else { return now }
    return lost.isPlaying ? .playing : .paused
  }

  /// Where a source without a stream is in its sound.
  func currentFrame(of source: SoundSource) -> Int {
    if isLost { return lostPlace(of: source).map { Int($0.frame) } ?? 0 }
    return reading {
      handle.frame(source.id)
    } scheduled: {
      max(handle.frame(source.id) - $0.schedule.silence(of: source.key), 0)
    }
  }

  /// Reads the library, and does it under the lock where there is a schedule, or was one meanwhile.
  func reading<Value: Sendable>(_ body: () -> Value, scheduled: (State) -> Value) -> Value {
    let before = scheduleMark.load(ordering: .sequentiallyConsistent)
    if before & 1 == 0 {
      let value = body()
      if scheduleMark.load(ordering: .sequentiallyConsistent) == before { return value }
    }
    return state.withLock { scheduled($0) }
  }

  /// Ends the wait of a source that is to be played; returns whether it was held, and waits on instead.
  func resumesWaiting(_ source: SoundSource, _ state: inout State) -> Bool {
    guard !state.schedule.isEmpty else { return false }
    if state.schedule.resume(source.key) {
      if !device.isOffline { Lookout.all.bell.ring() }
      return true
    }
    state.schedule.remove(source.key)
    // One that is paused goes on.
    if handle.state(source.id) != .paused { endLeadIn(of: source, &state) }
    return false
  }

  /// Lets a source that waits do what it is told, other than to play.
  func adjustSchedule(_ verb: ContextHandle.Verb, _ source: SoundSource, _ state: inout State) {
    switch verb {
    case .play: break
    case .pause: state.schedule.pause(source.key)
    case .rewind:
      state.schedule.remove(source.key)
      endLeadIn(of: source, by: .rewind, &state)
    case .stop:
      endLeadIn(of: source, by: .stop, &state)
      // It counted as playing, and so has stopped. The library lets one that was never played be.
      let isNew = handle.state(source.id) == .initial
      if isNew { state.schedule.stop(source.key) } else { state.schedule.remove(source.key) }
    }
  }

  /// Starts what is due; returns how many frames there are until the next start, `nil` for none.
  func startWaitingSources(tolerance: Int = 0, _ state: inout State) -> Int? {
    guard state.schedule.nextFrame != nil else { return nil }
    let now = mixFrame(at: .nanoseconds(handle.clock ?? 0))
    changingSchedule(&state) { state in
      let due = state.schedule.takeDue(at: now + tolerance)
      for due in due { state.scene.noteStart(at: -1, of: due.key) }
      let plain = due.filter { !beginLeadIn(of: $0, &state) }.map(\.id)
      handle.perform(.play, plain)
      if needsMarks, !due.isEmpty { state.watch.nextMarks = 0 }
      for id in plain { if let place = state.watch.place(ofID: id) { beginCounting(place, &state) } }
    }
    return state.schedule.nextFrame.map { $0 - now }
  }

  /// The same on a real output, with the mix that is nearest; returns after how many nanoseconds to look again.
  func waitForStarts(_ state: inout State) -> Int64? {
    let rate = sampleRate
    guard state.schedule.hasStarts, !device.isSuspended, rate > 0 else { return nil }
    let framesPerMix = framesPerMix(&state)
    let untilStart = startWaitingSources(tolerance: framesPerMix / 2, &state)
    let untilLook = lookAfterLeadIns(&state)
    guard let frames = [untilStart.map { $0 - framesPerMix / 2 }, untilLook].compactMap(\.self).min() else {
      return nil
    }
    // Seldom enough that a clock that stands still costs little, and once a second, because no two clocks go alike.
    let wait = min(max(frames, framesPerMix / 4), rate)
    return Int64(wait) * 1_000_000_000 / Int64(rate)
  }

  /// How many frames a real output mixes at once.
  func framesPerMix(_ state: inout State) -> Int {
    let framesPerMix = state.framesPerMix ?? sampleRate / (output.refreshRate ?? 50)
    state.framesPerMix = framesPerMix
    return framesPerMix
  }
}
