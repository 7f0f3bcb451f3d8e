internal import AudioSupport

// A source that waits for its start time: in a library that delays starts, or in the schedule of the context.

// MARK: - In the library

extension LibrarySource {
  /// Whether the start is scheduled for a later time.
  func isScheduled(by handle: ContextHandle) -> Bool { start.time.map { $0 > .nanoseconds(handle.clock) } ?? false }

  /// Whether a library that delays starts plays a source without a stream, and holds it until its start time.
  func waitsInLibrary(by handle: ContextHandle) -> Bool {
    guard handle.canDelay, let time = start.time else { return false }
    return time > .nanoseconds(handle.clock) && handle.state(id) == .playing
  }

  /// Whether a source is paused in a library that delays its start, ahead of its start time.
  private func isPausedAheadOfStart(by handle: ContextHandle) -> Bool {
    guard handle.canDelay, let time = start.time else { return false }
    return time > .nanoseconds(handle.clock) && handle.state(id) == .paused
  }

  /// Forgets the scheduled start, except on a pause and on the resume of a paused source.
  mutating func forgetStart(before verb: ContextHandle.Verb, of source: SoundSource, by handle: ContextHandle) {
    guard verb != .pause, start.time != nil else { return }
    let isPaused =
      source.stream?.state.withLock { $0.state == .paused }
      ?? (start.state == .paused || isPausedAheadOfStart(by: handle))
    if verb != .play || !isPaused { start.time = nil }
  }

  /// The time at which the library begins a source; `nil` for a source that does not wait in the library.
  func startTime(after clock: Int64, by handle: ContextHandle) -> Int64? {
    guard let start = start.time, handle.canDelay else { return nil }
    let time = start.inNanoseconds
    return time > clock ? time : nil
  }
}

// MARK: - In the schedule

extension LibrarySource {
  /// Lets a source wait for its start time, with silence ahead of its sound where the library needs it.
  mutating func wait(
    of source: SoundSource,
    until time: Duration,
    startFrame: Double?,
    copy: PaddedCopy?,
    in scene: Scene,
    _ schedule: inout StartSchedule,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) {
    // A waiting source counts as playing, and starts again from its beginning, also if it was paused before its wait. A
    // stream resumes: its queue no longer has its beginning.
    let isPaused = (source.stream != nil || start.state != .playing) && isPausedInSound(of: source, by: handle)
    var lead: Int64?
    if !isPaused {
      endPadding(of: source, &schedule, by: handle)
      // No buffer of the queue counts as played from now on.
      let before = handle.state(id)
      if startFrame == nil || before != .initial { handle.perform(.rewind, id) }
      if let startFrame { handle.seek(id, to: startFrame) }
      if startFrame == nil {
        lead = addPadding(of: source, until: time, copy: copy, in: scene, &schedule, &output, by: handle)
      }
    }
    let begin = time.inNanoseconds - (lead ?? 0)
    let wait = SourceStart.Wait(time: begin, startsInSilence: lead != nil, frame: isPaused ? nil : startFrame)
    schedule.add(wait, of: source.key, to: &start)
  }

  /// Takes a source out of the schedule, so that it can start now.
  mutating func endWait(of source: SoundSource, _ schedule: inout StartSchedule, by handle: ContextHandle) {
    schedule.endWait(of: source.key, in: &start)
    if !isPausedInSound(of: source, by: handle) { endPadding(of: source, &schedule, by: handle) }
    // A waiting source that the library has paused would wait on.
    if handle.canDelay, handle.state(id) == .paused { handle.rewindInPlace(id) }
  }

  /// Ends the wait of a source before it plays; returns whether it was paused, and waits on instead.
  mutating func resumesWait(of source: SoundSource, _ schedule: inout StartSchedule, by handle: ContextHandle) -> Bool {
    if start.resumeWait() { return true }
    schedule.endWait(of: source.key, in: &start)
    // A paused source resumes, also in its silence.
    if handle.state(id) != .paused { endPadding(of: source, &schedule, by: handle) }
    return false
  }

  /// Applies a call other than play to the requested start of a source, and to its wait.
  mutating func adjustStart(
    _ verb: ContextHandle.Verb,
    of source: SoundSource,
    in scene: Scene,
    _ schedule: inout StartSchedule,
    by handle: ContextHandle
  ) {
    if verb == .stop || verb == .rewind { start.forgetFrame() }
    guard !schedule.isEmpty else { return }
    switch verb {
    case .play: break
    case .pause: start.pauseWait()
    case .rewind:
      schedule.endWait(of: source.key, in: &start)
      endPadding(of: source, with: .rewind, &schedule, by: handle)
    case .stop:
      endPadding(of: source, with: .stop, &schedule, by: handle)
      // A stream has a state of its own.
      if source.stream == nil, start.state != nil { playAndStop(in: scene, by: handle) }
      schedule.endWait(of: source.key, in: &start)
    }
  }

  /// Plays and stops a source that was never played, without a sound: its queue then counts as played.
  ///
  /// The library ignores a stop of a source that was never played.
  private mutating func playAndStop(in scene: Scene, by handle: ContextHandle) {
    guard handle.state(id) == .initial else { return }
    handle.silence(id)
    handle.perform(.play, id)
    // The stop precedes the gain: a mix in between would play the source.
    handle.perform(.stop, id)
    handle.apply([.gain, .gainLimits], of: &sceneSource, under: scene.distanceModel)
  }

  /// Ends the wait of a source whose time has come, and starts it in its silence; returns false where the caller has to
  /// play the source.
  mutating func startInSilence(
    of key: SourceKey,
    in scene: Scene,
    _ schedule: inout StartSchedule,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) -> Bool {
    let startsInSilence = start.wait?.startsInSilence ?? false
    schedule.endWait(of: key, in: &start)
    start.begin(at: -1)
    return startsInSilence && beginPadding(in: scene, &output, by: handle)
  }

  /// Whether a source is paused in its sound, and not ahead of it.
  private func isPausedInSound(of source: SoundSource, by handle: ContextHandle) -> Bool {
    handle.state(id) == .paused && (source.stream != nil || handle.frame(id) >= start.silence)
  }
}
