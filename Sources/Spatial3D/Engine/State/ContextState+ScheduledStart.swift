internal import AudioSupport

extension ContextState {
  /// Plays sources of this context at a time, some of them from copies of their sounds.
  mutating func play(_ sources: [SoundSource], at time: Duration, copies: [SourceKey: PaddedCopy]) {
    endingFades(of: sources) { state in
      state.changingSchedule { state in
        guard time > .nanoseconds(state.handle.clock) else { return state.start(sources, endingWaits: true) }
        // A source without a sound stops at once, and does not wait for one.
        state.start(sources.filter { $0.frameCount == 0 && $0.stream == nil })
        let waiting = sources.filter { $0.frameCount > 0 || $0.stream != nil }
        state.reporting(.play, of: waiting) { ready, state in
          state.start(ready, at: time, copies: copies)
        }
        state.adoptStart(of: waiting, at: time)
      }
    }
  }

  /// Starts sources later, some of them with copies of their sounds.
  mutating func start(_ sources: [SoundSource], at time: Duration, copies: [SourceKey: PaddedCopy] = [:]) {
    fadeOut(sources, before: .rewind)
    for source in sources {
      handOverBatch(of: source)
      let startFrame = records[source.key].start.frame ?? heldStartFrame(of: source.key)
      records[source.key].start.begin(at: -1)
      if !handle.canDelay {
        schedule(source, at: time, startFrame: startFrame, copy: copies[source.key])
      } else if handle.state(source.id) == .paused {
        // The library would resume it at once.
        putBack(source)
      }
    }
    if handle.canDelay {
      handle.play(sources.map(\.id), at: Int64(clamping: time.attoseconds / 1_000_000_000))
    } else if !device.isOffline {
      listen()
      device.wakeMonitor()
    }
  }

  /// Takes a source out of the schedule, so that it can start now.
  mutating func endWait(of source: SoundSource) {
    schedule.endWait(of: source.key, in: &records[source.key].start)
    if !goesOn(source) { endPadding(of: source) }
    // A waiting source that the library has paused would wait on.
    if handle.canDelay, handle.state(source.id) == .paused { putBack(source) }
  }

  /// Whether a source is paused in its sound, and not ahead of it.
  private func goesOn(_ source: SoundSource) -> Bool {
    handle.state(source.id) == .paused
      && (source.stream != nil || handle.frame(source.id) >= records[source.key].start.silence)
  }

  /// Whether the library plays a source, and holds it until its moment.
  func waitsInLibrary(_ source: SoundSource) -> Bool {
    guard handle.canDelay, source.stream == nil, let time = records[source.key].start.time else { return false }
    return time > .nanoseconds(handle.clock) && handle.state(source.id) == .playing
  }

  /// Rewinds a paused or waiting source, so that it starts at its position instead of resuming.
  func putBack(_ source: SoundSource) {
    let frame = handle.position(source.id).frame
    handle.perform(.rewind, source.id)
    handle.seek(source.id, to: frame)
  }
}

// MARK: - Where the library does not wait

extension ContextState {
  /// Lets a source wait.
  private mutating func schedule(
    _ source: SoundSource,
    at time: Duration,
    startFrame: Double?,
    copy: PaddedCopy?
  ) {
    // A waiting source counts as playing, and starts again from its beginning, also if it was paused before its wait. A
    // stream resumes: its queue no longer has its beginning.
    let isPaused = (source.stream != nil || records[source.key].start.state != .playing) && goesOn(source)
    var lead: Int64?
    if !isPaused {
      endPadding(of: source)
      // No buffer of the queue counts as played from now on.
      let before = handle.state(source.id)
      if startFrame == nil || before != .initial { handle.perform(.rewind, source.id) }
      if let startFrame { handle.seek(source.id, to: startFrame) }
      if startFrame == nil { lead = holdPadding(of: source, until: time, copy: copy) }
    }
    let nanoseconds = Int64(clamping: time.attoseconds / 1_000_000_000)
    let start = nanoseconds - (lead ?? 0)
    let wait = SourceStart.Wait(time: start, startsInSilence: lead != nil, frame: isPaused ? nil : startFrame)
    schedule.add(wait, of: source.key, to: &records[source.key].start)
  }

  /// The requested start frame of a source that is paused while it waits.
  private func heldStartFrame(of key: SourceKey) -> Double? {
    records[key].start.state == .paused ? records[key].start.wait?.frame : nil
  }

  /// Runs a closure that changes the schedule and the library together, so that lock-free readers of both get a
  /// consistent state.
  mutating func changingSchedule<Result>(_ body: (inout ContextState) -> Result) -> Result {
    guard !isChangingSchedule else { return body(&self) }
    isChangingSchedule = true
    scheduleSequence.beginChange()
    defer {
      isChangingSchedule = false
      scheduleSequence.endChange(isEmpty: schedule.isEmpty)
    }
    return body(&self)
  }

  /// Ends the wait of a source before it plays; returns whether it was paused, and waits on instead.
  mutating func resumesWaiting(_ source: SoundSource) -> Bool {
    guard !schedule.isEmpty else { return false }
    device.wakeMonitor()
    if records[source.key].start.resumeWait() { return true }
    schedule.endWait(of: source.key, in: &records[source.key].start)
    // A paused source resumes, also in its silence.
    if handle.state(source.id) != .paused { endPadding(of: source) }
    return false
  }

  /// Applies a call other than play to the requested start of a source, and to its wait.
  mutating func adjustStart(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    if verb == .stop || verb == .rewind { records[source.key].start.forgetFrame() }
    guard !schedule.isEmpty else { return }
    switch verb {
    case .play: break
    case .pause: records[source.key].start.pauseWait()
    case .rewind:
      schedule.endWait(of: source.key, in: &records[source.key].start)
      endPadding(of: source, by: .rewind)
    case .stop:
      endPadding(of: source, by: .stop)
      // A stream has a state of its own.
      if source.stream == nil, records[source.key].start.state != nil { startUnheard(source) }
      schedule.endWait(of: source.key, in: &records[source.key].start)
    }
  }

  /// Plays and stops a source that was never played, without a sound: its queue then counts as played.
  ///
  /// The library ignores a stop of a source that was never played.
  private mutating func startUnheard(_ source: SoundSource) {
    guard handle.state(source.id) == .initial else { return }
    handle.silence(source.id)
    handle.perform(.play, source.id)
    // The stop precedes the gain: a mix in between would play the source.
    handle.perform(.stop, source.id)
    apply([.gain, .gainLimits], of: source.key)
  }

  /// The start time of the waiting source that starts next.
  private var nextStartTime: Int64? { schedule.nextTime { records[$0].start.wait } }

  /// Starts the sources that are due; returns how many frames there are until the next start, `nil` for none.
  mutating func startWaitingSources(tolerance: Int = 0) -> Int? {
    guard nextStartTime != nil else { return nil }
    let now = handle.mixFrame(at: .nanoseconds(handle.clock))
    changingSchedule { state in
      let handle = state.handle
      let due = state.schedule.due(
        { state.records[$0].start.wait },
        at: { handle.mixFrame(at: .nanoseconds($0)) <= now + tolerance }
      )
      var plain: [SourceKey] = []
      for key in due {
        let startsInSilence = state.records[key].start.wait?.startsInSilence ?? false
        state.schedule.endWait(of: key, in: &state.records[key].start)
        state.records[key].start.begin(at: -1)
        if !startsInSilence || !state.beginPadding(of: key) { plain.append(key) }
      }
      handle.perform(.play, plain.map { state.records[$0].id })
      if handle.recordsPositions, !due.isEmpty { state.observation.nextRecord = 0 }
      for key in plain { if state.records.isObserved(key) { state.beginCounting(key) } }
    }
    return nextStartTime.map { handle.mixFrame(at: .nanoseconds($0)) - now }
  }

  /// Nanoseconds between polls for a replacement of a lost device.
  private static let lossPeriod: Int64 = 10_000_000

  /// Starts due sources on a real output, with the nearest mix; returns after how many nanoseconds to poll again.
  mutating func waitForStarts() -> Int64? {
    let rate = handle.sampleRate
    guard !schedule.isEmpty, !device.isSuspended, rate > 0 else { return nil }
    // A source that a lost device has stopped plays on elsewhere soon.
    guard !handle.isLost else { return Self.lossPeriod }
    let framesPerMix = framesPerMix()
    let untilStart = startWaitingSources(tolerance: framesPerMix / 2)
    let untilPoll = pollPaddings()
    guard let frames = [untilStart.map { $0 - framesPerMix / 2 }, untilPoll].compactMap(\.self).min() else {
      return nil
    }
    // The period is long enough that a clock at a standstill costs little. It is at most a second, because two clocks
    // drift apart.
    let wait = min(max(frames, framesPerMix / 4), rate)
    return Int64(wait) * 1_000_000_000 / Int64(rate)
  }
}
