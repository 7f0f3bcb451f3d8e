internal import Synchronization

extension AudioContext {
  /// Plays sources from a moment of the ``clock`` on: all of them, and to the frame.
  ///
  /// Each as ``SoundSource/play()``, and it counts as playing while it waits. A source that plays falls silent until then,
  /// and one that is paused goes on from where it is. Playing a source that waits starts it at once; pausing holds it, and it
  /// waits on when it is played again; stopping and rewinding end its wait. A moment that has passed is now, and so is any for a
  /// source without a sound, and where there is no clock. Sources of another context are left alone.
  ///
  /// The moment is rounded to a frame of the mix. Without ``Capabilities/startDelay`` that holds for an ``OfflineRenderer``,
  /// whose mix is cut there: a gain that was changed just before glides over fewer frames. A real output then starts sources with
  /// the mix that is nearest, or the one after it where the machine is busy.
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
        noting(.play, of: waiting, &state) { ids, state in
          for source in waiting { prepareToWait(source, &state) }
          if handle.canDelay {
            handle.play(ids, at: Int64(clamping: time.attoseconds / 1_000_000_000))
          } else {
            schedule(Set(ids), of: waiting, at: time, &state)
          }
        }
        noteStart(of: waiting, at: time, &state)
      }
    }
    for source in own { source.feedOffline() }
  }

  /// Hands over what was set of a source, which starts later.
  private func prepareToWait(_ source: SoundSource, _ state: inout State) {
    handOverBatch(of: source, &state)
    state.scene.noteStart(at: -1, of: source.key)
    // The library would go on at once.
    if handle.canDelay, handle.state(source.id) == .paused { putBack(source) }
  }

  /// Takes a source out of what waits, so that it can start now.
  private func endWait(of source: SoundSource, _ state: inout State) {
    state.schedule.remove(source.key)
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
  private func schedule(_ ids: Set<UInt32>, of sources: [SoundSource], at time: Duration, _ state: inout State) {
    for source in sources where ids.contains(source.id) {
      // One that is paused goes on from there.
      if handle.state(source.id) == .playing { handle.perform(.rewind, source.id) }
      state.schedule.add(source.key, id: source.id, frame: mixFrame(at: time))
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
    let before = scheduleMark.load(ordering: .sequentiallyConsistent)
    if before & 1 == 0 {
      let state = handle.state(source.id)
      let isSame = scheduleMark.load(ordering: .sequentiallyConsistent) == before
      // What a device that is gone had stopped plays on elsewhere, soon.
      if isSame, state != .stopped || !isLost { return state }
    }
    return state.withLock { state in
      if let waiting = state.schedule.state(of: source.key) { return waiting }
      let now = handle.state(source.id)
      guard now == .stopped, isLost, let lost = lostPlace(of: source.key, at: handle.clock ?? 0, state) else { return now }
      return lost.isPlaying ? .playing : .paused
    }
  }

  /// Ends the wait of a source that is to be played; returns whether it was held, and waits on instead.
  func resumesWaiting(_ source: SoundSource, _ state: inout State) -> Bool {
    guard !state.schedule.isEmpty else { return false }
    if state.schedule.resume(source.key) {
      if !device.isOffline { Lookout.all.bell.ring() }
      return true
    }
    state.schedule.remove(source.key)
    return false
  }

  /// Lets a source that waits do what it is told, other than to play.
  func adjustSchedule(_ verb: ContextHandle.Verb, _ source: SoundSource, _ state: inout State) {
    switch verb {
    case .play: break
    case .pause: state.schedule.pause(source.key)
    case .rewind: state.schedule.remove(source.key)
    case .stop:
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
      handle.perform(.play, due)
      if needsMarks, !due.isEmpty { state.watch.nextMarks = 0 }
      for id in due { if let place = state.watch.place(ofID: id) { beginCounting(place, &state) } }
    }
    return state.schedule.nextFrame.map { $0 - now }
  }

  /// The same on a real output, with the mix that is nearest; returns after how many nanoseconds to look again.
  func waitForStarts(_ state: inout State) -> Int64? {
    guard state.schedule.nextFrame != nil, !device.isSuspended else { return nil }
    let rate = sampleRate
    let framesPerMix = state.framesPerMix ?? rate / (output.refreshRate ?? 50)
    state.framesPerMix = framesPerMix
    guard rate > 0, let frames = startWaitingSources(tolerance: framesPerMix / 2, &state) else { return nil }
    // Seldom enough that a clock that stands still costs little, and once a second, because no two clocks go alike.
    let wait = min(max(frames - framesPerMix / 2, framesPerMix / 4), rate)
    return Int64(wait) * 1_000_000_000 / Int64(rate)
  }
}
