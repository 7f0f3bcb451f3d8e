internal import Synchronization

extension AudioContext {
  /// Plays sources from a moment of the ``clock`` on: all of them, and to the frame.
  ///
  /// Each as ``SoundSource/play()``, and it counts as playing while it waits. A source that plays falls silent until then,
  /// and one that is paused goes on from where it is. Playing a source that waits starts it at once; pausing holds it, and it
  /// waits on when it is played again; stopping and rewinding end its wait. A moment that has passed is now. Sources of
  /// another context are left alone.
  ///
  /// The moment is rounded to a frame of the mix. Without ``Capabilities/startDelay`` that holds for an ``OfflineRenderer``,
  /// and a real output starts the sources with the mix that is nearest.
  ///
  /// ```swift
  /// let beat = (context.clock ?? .zero) + .milliseconds(500)
  /// context.play([kick, bass], at: beat)
  /// ```
  ///
  /// The OpenAL counterpart is `alSourcePlayAtTimevSOFT`.
  public func play(_ sources: [SoundSource], at time: Duration) {
    let canDelay = handle.canDelay
    let own = own(sources)
    let mustBeWoken = noting { state in
      guard let clock = handle.clock, time > .nanoseconds(clock) else {
        start(own, &state)
        return false
      }
      noting(.play, of: own, &state) { ids, state in
        for source in own { prepareToWait(source, &state) }
        if canDelay {
          handle.play(ids, at: Int64(clamping: time.attoseconds / 1_000_000_000))
          return
        }
        for source in own where ids.contains(source.id) {
          // One that is paused goes on from there.
          if handle.state(source.id) == .playing { handle.perform(.rewind, source.id) }
          state.schedule.add(source.key, id: source.id, frame: mixFrame(at: time))
        }
        noteWaiting(state)
      }
      noteStart(of: own, at: time, &state)
      return !canDelay && handle.offlineFormat == nil
    }
    for source in own { source.feedOffline() }
    if mustBeWoken { wakeWaitingSources() }
  }

  /// Hands over what was set of a source, which starts later.
  private func prepareToWait(_ source: SoundSource, _ state: inout State) {
    handOverBatch(of: source, &state)
    state.scene.noteStart(at: -1, of: source.key)
    guard handle.canDelay, handle.state(source.id) == .paused else { return }
    // The library would go on at once.
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
  /// What a source that waits is to be taken for; `nil` for any other.
  func waitingState(of source: SoundSource) -> SourceState? {
    guard hasWaitingSources.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.schedule.state(of: source.key) }
  }

  /// Ends the wait of a source that is to be played, unless it was held and waits on.
  func goesOnWaiting(_ source: SoundSource, _ state: inout State) -> Bool {
    guard !state.schedule.isEmpty else { return false }
    if state.schedule.setPaused(false, source.key) { return true }
    state.schedule.remove(source.key)
    noteWaiting(state)
    return false
  }

  /// Lets a source that waits do what it is told.
  func tellSchedule(_ verb: ContextHandle.Verb, _ source: SoundSource, _ state: inout State) {
    guard !state.schedule.isEmpty else { return }
    if verb == .pause {
      _ = state.schedule.setPaused(true, source.key)
    } else if state.schedule.remove(source.key) {
      noteWaiting(state)
      // It counted as playing, and what is stopped then has stopped. The library lets a source that was never played be.
      if verb == .stop { handle.perform(.play, source.id) }
    }
  }

  private func noteWaiting(_ state: State) {
    hasWaitingSources.store(!state.schedule.isEmpty, ordering: .releasing)
  }

  /// Starts what is due, and says how many frames there are until the next start.
  func startWaitingSources(tolerance: Int = 0) -> Int? {
    guard hasWaitingSources.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      let now = mixFrame(at: .nanoseconds(handle.clock ?? 0))
      let due = state.schedule.takeDue(at: now + tolerance)
      handle.perform(.play, due)
      for id in due { if let place = state.watch.place(ofID: id) { beginCounting(place, &state) } }
      noteWaiting(state)
      return state.schedule.nextFrame.map { $0 - now }
    }
  }

  /// Starts each source that waits with the mix that is nearest to its moment.
  ///
  /// Holds the context only while it looks, and ends when nothing waits any more.
  private func wakeWaitingSources() {
    let rate = handle.sampleRate
    let mixesPerSecond = output.refreshRate ?? 50
    let halfMix = rate / mixesPerSecond / 2
    Task.detached(priority: .high) { [weak self] in
      while let frames = self?.startWaitingSources(tolerance: halfMix) {
        // A clock that stands still, as while the context is suspended, is looked at once a mix.
        let pause = max(frames - halfMix, 2 * halfMix)
        try? await Task.sleep(for: PCMFormat.mono(sampleRate: rate).duration(ofFrames: pause))
      }
    }
  }
}
