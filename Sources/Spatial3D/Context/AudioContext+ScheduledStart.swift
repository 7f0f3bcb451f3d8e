internal import Synchronization

extension AudioContext {
  /// Plays sources from a moment of the ``clock`` on: all of them, and to the frame.
  ///
  /// Each as ``SoundSource/play()``, and it counts as playing while it waits. A source that plays falls silent until then,
  /// and one that is paused goes on from where it is. Playing a source that waits starts it at once, from where it would have started; pausing holds it, and it
  /// waits on when it is played again; stopping and rewinding end its wait. A moment that has passed is now, and so is any for a
  /// source without a sound, and where there is no clock. Sources of another context are left alone.
  ///
  /// The moment is rounded to a frame of the mix. Without ``Capabilities/startDelay``, an ``OfflineRenderer`` and a silent device cut
  /// their mixes there: a gain that was changed just before glides over fewer frames. On a real output the source plays silence
  /// ahead of its sound, from a tenth of a second before: ask for the moment that long before, and leave the pitch alone in the
  /// last mix. A sound with a loop range, and one shorter than a second that loops, is copied by this call, until it has ended.
  /// What is asked for later, a queue shorter than a second that loops, and a source that does not start at its beginning start
  /// with the mix that is nearest.
  ///
  /// ```swift
  /// let beat = (context.clock ?? .zero) + .milliseconds(500)
  /// context.play([kick, bass], at: beat)
  /// ```
  ///
  /// The OpenAL counterpart is `alSourcePlayAtTimevSOFT`.
  public func play(_ sources: [SoundSource], at time: Duration) {
    perform(own(sources, unlessKept: .playAt(time)), at: time)
  }

  /// Plays sources of this context from a moment on.
  func perform(_ own: [SoundSource], at time: Duration) {
    let copies = copies(for: own, at: time)
    noting { state in
      changingSchedule(&state) { state in
        guard let clock = handle.clock, time > .nanoseconds(clock) else { return start(own, endingWaits: true, &state) }
        // What has no sound stops at once, and does not wait for one.
        start(own.filter { $0.frameCount == 0 && $0.stream == nil }, &state)
        let waiting = own.filter { $0.frameCount > 0 || $0.stream != nil }
        noting(.play, of: waiting, &state) { ids, state in
          start(ids, of: waiting, at: time, copies: copies, &state)
        }
        noteStart(of: waiting, at: time, &state)
      }
    }
    for source in own { source.feedOffline() }
  }

  /// Starts those of some sources later that have the names, some of them with copies of their sounds.
  func start(
    _ ids: [UInt32],
    of sources: [SoundSource],
    at time: Duration,
    copies: [SourceKey: SoundBuffer] = [:],
    _ state: inout State
  ) {
    let ids = Set(ids)
    for source in sources where ids.contains(source.id) {
      handOverBatch(of: source, &state)
      let startFrame = state.scene.startFrame(of: source.key) ?? heldStartFrame(of: source.key, state)
      state.scene.noteStart(at: -1, of: source.key)
      if !handle.canDelay {
        schedule(source, at: time, startFrame: startFrame, copy: copies[source.key], &state)
      } else if handle.state(source.id) == .paused {
        // The library would go on at once.
        putBack(source)
      }
    }
    if handle.canDelay {
      handle.play(sources.map(\.id).filter(ids.contains), at: Int64(clamping: time.attoseconds / 1_000_000_000))
    } else if !device.isOffline {
      listen(&state)
      device.bell.ring()
    }
  }

  /// Takes a source out of what waits, so that it can start now.
  func endWait(of source: SoundSource, _ state: inout State) {
    state.schedule.remove(source.key)
    if !goesOn(source, state) { endLeadIn(of: source, &state) }
    // One that the library held while it waited would wait on.
    if handle.canDelay, handle.state(source.id) == .paused { putBack(source) }
  }

  /// Whether a source is paused in its sound, and not ahead of it.
  private func goesOn(_ source: SoundSource, _ state: State) -> Bool {
    handle.state(source.id) == .paused
      && (source.stream != nil || handle.frame(source.id) >= state.schedule.silence(of: source.key))
  }

  /// Whether the library plays a source, and holds it until its moment.
  func waitsInLibrary(_ source: SoundSource, _ state: State) -> Bool {
    guard handle.canDelay, source.stream == nil, let time = state.watch.starts[source.key], let clock = handle.clock
    else { return false }
    return time > .nanoseconds(clock) && handle.state(source.id) == .playing
  }

  /// Has a source that is paused, or waits, start from where it is, instead of going on.
  func putBack(_ source: SoundSource) {
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
  /// Lets a source wait.
  private func schedule(
    _ source: SoundSource,
    at time: Duration,
    startFrame: Int?,
    copy: SoundBuffer?,
    _ state: inout State
  ) {
    let isPaused = goesOn(source, state)
    var lead: Int64?
    if !isPaused {
      endLeadIn(of: source, &state)
      // Nothing of a queue counts as played from now on.
      let before = handle.state(source.id)
      if startFrame == nil || before != .initial { handle.perform(.rewind, source.id) }
      if let startFrame { handle.seek(source.id, to: startFrame) }
      if startFrame == nil { lead = holdLeadIn(of: source, until: time, copy: copy, &state) }
    }
    let nanoseconds = Int64(clamping: time.attoseconds / 1_000_000_000)
    let start = nanoseconds - (lead ?? 0)
    state.schedule.add(
      source.key,
      id: source.id,
      time: start,
      startFrame: isPaused ? nil : startFrame,
      startsInSilence: lead != nil
    )
  }

  /// The frame that a source which is held while it waits starts at, where one was asked for.
  private func heldStartFrame(of key: SourceKey, _ state: State) -> Int? {
    state.schedule.state(of: key) == .paused ? state.schedule.startFrame(of: key) : nil
  }

  /// Runs a closure that changes the schedule and the library together, for those who read both without the lock.
  func changingSchedule<Result>(_ state: inout State, _ body: (inout State) -> Result) -> Result {
    guard !state.isChangingSchedule else { return body(&state) }
    state.isChangingSchedule = true
    scheduleMark.store(scheduleMark.load(ordering: .relaxed) | 1, ordering: .sequentiallyConsistent)
    defer {
      state.isChangingSchedule = false
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
    guard now == .stopped, needsMarks else { return now }
    // What a device that is gone had stopped plays on elsewhere, soon, or does already.
    return state.withLock { state in
      guard isLost, let lost = lostPlace(of: source.key, at: handle.clock ?? 0, state) else {
        return state.schedule.state(of: source.key) ?? handle.state(source.id)
      }
      return lost.isPlaying ? .playing : .paused
    }
  }

  /// Where a source without a stream is in its sound.
  func currentFrame(of source: SoundSource) -> Int {
    let frame = reading {
      handle.frame(source.id)
    } scheduled: {
      max(handle.frame(source.id) - $0.schedule.silence(of: source.key), 0)
    }
    // Asked afterwards: a device that was gone says 0.
    return isLost ? lostPlace(of: source).map { Int(saturating: $0.frame) } ?? 0 : frame
  }

  /// The same, and how long it takes until what is mixed now is heard, of one moment.
  func currentFrameAndLatency(of source: SoundSource) -> (frame: Int, latency: Duration) {
    let now = reading {
      handle.frameAndLatency(source.id)
    } scheduled: {
      let (frame, latency) = handle.frameAndLatency(source.id)
      return (max(frame - $0.schedule.silence(of: source.key), 0), latency)
    }
    return isLost ? (lostPlace(of: source).map { Int(saturating: $0.frame) } ?? 0, .zero) : now
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
    if !device.isOffline { device.bell.ring() }
    if state.schedule.resume(source.key) { return true }
    state.schedule.remove(source.key)
    // One that is paused goes on, also in its silence.
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
      // A stream has a state of its own.
      if source.stream == nil, state.schedule.state(of: source.key) != nil { startUnheard(source, &state) }
      state.schedule.remove(source.key)
    }
  }

  /// Has the library play a source that was never played, because it stops no other: its queue then counts as played.
  private func startUnheard(_ source: SoundSource, _ state: inout State) {
    guard handle.state(source.id) == .initial else { return }
    handle.silence(source.id)
    handle.perform(.play, source.id)
    // Before its gain is back: a mix in between would play it.
    handle.perform(.stop, source.id)
    handle.apply([.gain, .gainLimits], of: source.key, in: &state.scene)
  }

  /// Starts what is due; returns how many frames there are until the next start, `nil` for none.
  func startWaitingSources(tolerance: Int = 0, _ state: inout State) -> Int? {
    guard state.schedule.nextTime != nil else { return nil }
    let now = mixFrame(at: .nanoseconds(handle.clock ?? 0))
    changingSchedule(&state) { state in
      let due = state.schedule.takeDue { mixFrame(at: .nanoseconds($0)) <= now + tolerance }
      for due in due { state.scene.noteStart(at: -1, of: due.key) }
      let plain = due.filter { !beginLeadIn(of: $0, &state) }.map(\.id)
      handle.perform(.play, plain)
      if needsMarks, !due.isEmpty { state.watch.nextMarks = 0 }
      for id in plain { if let place = state.watch.place(ofID: id) { beginCounting(place, &state) } }
    }
    return state.schedule.nextTime.map { mixFrame(at: .nanoseconds($0)) - now }
  }

  /// The same on a real output, with the mix that is nearest; returns after how many nanoseconds to look again.
  func waitForStarts(_ state: inout State) -> Int64? {
    let rate = sampleRate
    guard !state.schedule.isEmpty, !device.isSuspended, rate > 0 else { return nil }
    // What seems to have stopped there plays on elsewhere, soon.
    guard !isLost else { return Self.lossPeriod }
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

  /// Nanoseconds until it is looked again whether anything stands in for a device that is gone.
  private static let lossPeriod: Int64 = 10_000_000

  /// How many frames a real output mixes at once.
  func framesPerMix(_ state: inout State) -> Int {
    let rate = sampleRate
    if let (known, frames) = state.mixLength, known == rate { return frames }
    let frames = rate / (handle.refreshRate ?? 50)
    state.mixLength = (rate, frames)
    return frames
  }
}
