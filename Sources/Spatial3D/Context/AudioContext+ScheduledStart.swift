internal import AudioSupport
internal import Synchronization

extension AudioContext {
  /// Plays sources at a time of the ``clock``, all of them at the same frame.
  ///
  /// Each source starts as with ``SoundSource/play()``, and counts as playing while it waits. A source that plays falls
  /// silent until then; a paused source resumes at its position. Playing a waiting source starts it at once, at the
  /// frame where it would have started. With another time it starts from its beginning. Pausing holds it, and it waits
  /// on when it is played again. Stopping and rewinding end its wait. A source starts at once if the time has passed,
  /// if it has no sound, or if there is no clock. Sources of another context are left alone.
  ///
  /// The time is rounded to a frame of the mix. Without ``Capabilities/startDelay``, an ``OfflineRenderer`` and a
  /// silent device cut their mixes there: a gain that changed just before glides over fewer frames. On a real output
  /// the source plays silence ahead of its sound, beginning a tenth of a second before: call this at least that long
  /// before the time, and do not change the pitch in the last mix. This call copies a sound with a loop range, and a
  /// looping sound shorter than a second; the copy lasts until the sound has ended. Three kinds of starts get
  /// the nearest mix instead: those of a later call, of a looping queue under a second, and of a source not at its
  /// beginning.
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

  /// Plays sources of this context at a time.
  func perform(_ own: [SoundSource], at time: Duration) {
    let copies = copies(for: own, at: time)
    noting { state in
      changingSchedule(&state) { state in
        guard let clock = handle.clock, time > .nanoseconds(clock) else { return start(own, endingWaits: true, &state) }
        // A source without a sound stops at once, and does not wait for one.
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
        // The library would resume it at once.
        putBack(source)
      }
    }
    if handle.canDelay {
      handle.play(sources.map(\.id).filter(ids.contains), at: Int64(clamping: time.attoseconds / 1_000_000_000))
    } else if !device.isOffline {
      listen(&state)
      device.wakeMonitor()
    }
  }

  /// Takes a source out of the schedule, so that it can start now.
  func endWait(of source: SoundSource, _ state: inout State) {
    state.schedule.remove(source.key)
    if !goesOn(source, state) { endPadding(of: source, &state) }
    // A waiting source that the library has paused would wait on.
    if handle.canDelay, handle.state(source.id) == .paused { putBack(source) }
  }

  /// Whether a source is paused in its sound, and not ahead of it.
  private func goesOn(_ source: SoundSource, _ state: State) -> Bool {
    handle.state(source.id) == .paused
      && (source.stream != nil || handle.frame(source.id) >= state.schedule.silence(of: source.key))
  }

  /// Whether the library plays a source, and holds it until its moment.
  func waitsInLibrary(_ source: SoundSource, _ state: State) -> Bool {
    guard handle.canDelay, source.stream == nil, let time = state.observation.starts[source.key],
      let clock = handle.clock
    else { return false }
    return time > .nanoseconds(clock) && handle.state(source.id) == .playing
  }

  /// Rewinds a paused or waiting source, so that it starts at its position instead of resuming.
  func putBack(_ source: SoundSource) {
    let fixedFrame = handle.fixedFrame(source.id)
    handle.perform(.rewind, source.id)
    handle.seek(source.id, toFixed: fixedFrame)
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
    // A waiting source counts as playing, and starts again from its beginning, also if it was paused before its wait.
    let isPaused = state.schedule.state(of: source.key) != .playing && goesOn(source, state)
    var lead: Int64?
    if !isPaused {
      endPadding(of: source, &state)
      // No buffer of the queue counts as played from now on.
      let before = handle.state(source.id)
      if startFrame == nil || before != .initial { handle.perform(.rewind, source.id) }
      if let startFrame { handle.seek(source.id, to: startFrame) }
      if startFrame == nil { lead = holdPadding(of: source, until: time, copy: copy, &state) }
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

  /// The requested start frame of a source that is paused while it waits.
  private func heldStartFrame(of key: SourceKey, _ state: State) -> Int? {
    state.schedule.state(of: key) == .paused ? state.schedule.startFrame(of: key) : nil
  }

  /// Runs a closure that changes the schedule and the library together, so that lock-free readers of both get a
  /// consistent state.
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

  /// The state of a source without a stream, from the schedule or else from the library.
  func currentState(of source: SoundSource) -> SourceState {
    let now = reading {
      handle.state(source.id)
    } scheduled: {
      $0.schedule.state(of: source.key) ?? handle.state(source.id)
    }
    guard now == .stopped, recordsPositions else { return now }
    // A source that a lost device has stopped plays on elsewhere, soon or already.
    return state.withLock { state in
      guard isLost, let lost = lostPosition(of: source.key, at: handle.clock ?? 0, state) else {
        return state.schedule.state(of: source.key) ?? handle.state(source.id)
      }
      return lost.isPlaying ? .playing : .paused
    }
  }

  /// The frame of a source without a stream in its sound.
  func currentFrame(of source: SoundSource) -> Int {
    let frame = reading {
      handle.frame(source.id)
    } scheduled: {
      max(handle.frame(source.id) - $0.schedule.silence(of: source.key), 0)
    }
    // Checked after the read: a lost device reports 0.
    return isLost ? lostPosition(of: source).map { Int(saturating: $0.frame) } ?? 0 : frame
  }

  /// The frame of a source without a stream, and the latency of the same moment's mix.
  func currentFrameAndLatency(of source: SoundSource) -> (frame: Int, latency: Duration) {
    let now = reading {
      handle.frameAndLatency(source.id)
    } scheduled: {
      let (frame, latency) = handle.frameAndLatency(source.id)
      return (max(frame - $0.schedule.silence(of: source.key), 0), latency)
    }
    return isLost ? (lostPosition(of: source).map { Int(saturating: $0.frame) } ?? 0, .zero) : now
  }

  /// Reads the library; reads under the lock where the schedule is not empty or was not meanwhile.
  func reading<Value: Sendable>(_ body: () -> Value, scheduled: (State) -> Value) -> Value {
    let before = scheduleMark.load(ordering: .sequentiallyConsistent)
    if before & 1 == 0 {
      let value = body()
      if scheduleMark.load(ordering: .sequentiallyConsistent) == before { return value }
    }
    return state.withLock { scheduled($0) }
  }

  /// Ends the wait of a source before it plays; returns whether it was paused, and waits on instead.
  func resumesWaiting(_ source: SoundSource, _ state: inout State) -> Bool {
    guard !state.schedule.isEmpty else { return false }
    device.wakeMonitor()
    if state.schedule.resume(source.key) { return true }
    state.schedule.remove(source.key)
    // A paused source resumes, also in its silence.
    if handle.state(source.id) != .paused { endPadding(of: source, &state) }
    return false
  }

  /// Applies a call other than play to a source that waits.
  func adjustSchedule(_ verb: ContextHandle.Verb, _ source: SoundSource, _ state: inout State) {
    switch verb {
    case .play: break
    case .pause: state.schedule.pause(source.key)
    case .rewind:
      state.schedule.remove(source.key)
      endPadding(of: source, by: .rewind, &state)
    case .stop:
      endPadding(of: source, by: .stop, &state)
      // A stream has a state of its own.
      if source.stream == nil, state.schedule.state(of: source.key) != nil { startUnheard(source, &state) }
      state.schedule.remove(source.key)
    }
  }

  /// Plays and stops a source that was never played, without a sound: its queue then counts as played.
  ///
  /// The library ignores a stop of a source that was never played.
  private func startUnheard(_ source: SoundSource, _ state: inout State) {
    guard handle.state(source.id) == .initial else { return }
    handle.silence(source.id)
    handle.perform(.play, source.id)
    // The stop precedes the gain: a mix in between would play the source.
    handle.perform(.stop, source.id)
    handle.apply([.gain, .gainLimits], of: source.key, in: &state.scene)
  }

  /// Starts the sources that are due; returns how many frames there are until the next start, `nil` for none.
  func startWaitingSources(tolerance: Int = 0, _ state: inout State) -> Int? {
    guard state.schedule.nextTime != nil else { return nil }
    let now = mixFrame(at: .nanoseconds(handle.clock ?? 0))
    changingSchedule(&state) { state in
      let due = state.schedule.takeDue { mixFrame(at: .nanoseconds($0)) <= now + tolerance }
      for due in due { state.scene.noteStart(at: -1, of: due.key) }
      let plain = due.filter { !beginPadding(of: $0, &state) }.map(\.id)
      handle.perform(.play, plain)
      if recordsPositions, !due.isEmpty { state.observation.nextRecord = 0 }
      for id in plain { if let slot = state.observation.slot(ofID: id) { beginCounting(slot, &state) } }
    }
    return state.schedule.nextTime.map { mixFrame(at: .nanoseconds($0)) - now }
  }

  /// Starts due sources on a real output, with the nearest mix; returns after how many nanoseconds to poll again.
  func waitForStarts(_ state: inout State) -> Int64? {
    let rate = sampleRate
    guard !state.schedule.isEmpty, !device.isSuspended, rate > 0 else { return nil }
    // A source that a lost device has stopped plays on elsewhere soon.
    guard !isLost else { return Self.lossPeriod }
    let framesPerMix = framesPerMix(&state)
    let untilStart = startWaitingSources(tolerance: framesPerMix / 2, &state)
    let untilPoll = pollPaddings(&state)
    guard let frames = [untilStart.map { $0 - framesPerMix / 2 }, untilPoll].compactMap(\.self).min() else {
      return nil
    }
    // The period is long enough that a clock at a standstill costs little. It is at most a second, because two clocks
    // drift apart.
    let wait = min(max(frames, framesPerMix / 4), rate)
    return Int64(wait) * 1_000_000_000 / Int64(rate)
  }

  /// Nanoseconds between polls for a replacement of a lost device.
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
