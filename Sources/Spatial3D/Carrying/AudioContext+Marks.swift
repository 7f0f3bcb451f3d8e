internal import AudioSupport

// Positions of sources, for a library that forgets them when its device is lost. Everything here runs under the
// context's lock.

/// The last known playback of a source on a device that may be lost.
struct MarkedSource: Sendable {
  var sound: QueuedSound
  var isStream = false
  /// The position of the source; `nil` if it neither plays nor is paused.
  var mark: PlaybackMark?
  /// The frame of the next start, if it was set while the device was lost.
  var nextStart: Int?

  var course: PlaybackMark.Course { .init(frameCount: isStream ? Int.max / 2 : sound.frameCount) }
}

extension AudioContext {
  /// Whether positions of sources have to be recorded.
  var needsMarks: Bool { device.survivesLoss && !handle.holdsSources }

  /// Whether the device is lost, and the library has stopped its sources and forgotten their positions.
  var isLost: Bool { needsMarks && !device.handle.isStandIn && !handle.isConnected }

  /// Records the position of a source after a call; returns false if the device is lost.
  @discardableResult
  func mark(_ key: SourceKey, _ id: UInt32, _ state: inout State) -> Bool {
    guard needsMarks, state.marks[key] != nil else { return true }
    let place = handle.place(id)
    let mark = mark(of: key, at: place, handle.state(id), state)
    // The check follows the read: the library reports the loss before it stops the sources.
    guard !isLost else { return false }
    state.marks[key]?.mark = mark
    if let mark, mark.isPlaying, state.watch.nextMarks == nil {
      state.watch.nextMarks = 0
      device.wakeMonitor()
    }
    return true
  }

  /// The mark of a source from its position and its state, which is read after the position.
  ///
  /// A source that ended in between has no mark.
  private func mark(
    of key: SourceKey,
    at place: ContextHandle.Place,
    _ found: SourceState,
    _ state: State
  ) -> PlaybackMark? {
    guard found == .playing || found == .paused else { return nil }
    var clock = place.clock ?? handle.clock ?? 0
    // A source that waits in the library plays from its start time on.
    if handle.canDelay, let start = state.watch.starts[key] {
      clock = max(clock, Int64(clamping: start.attoseconds / 1_000_000_000))
    }
    return PlaybackMark(frame: place.frame, clock: clock, isPlaying: found == .playing)
  }

  /// Records the position of a source after a call; on a lost device, the position that the call would have led to.
  func mark(_ source: SoundSource, after verb: ContextHandle.Verb, _ state: inout State) {
    guard needsMarks, isLost || !mark(source.key, source.id, &state) else { return }
    let clock = handle.clock ?? 0
    let before = lostPlace(of: source.key, at: clock, state)
    let after: PlaybackMark? =
      switch verb {
      case .play where before?.isPlaying == false:
        PlaybackMark(frame: before?.frame ?? 0, clock: clock, isPlaying: true)
      case .play: PlaybackMark(frame: Double(state.marks[source.key]?.nextStart ?? 0), clock: clock, isPlaying: true)
      case .pause: before.map { PlaybackMark(frame: $0.frame, clock: clock, isPlaying: false) }
      case .stop, .rewind: nil
      }
    state.marks[source.key]?.mark = after
    if verb != .pause { state.marks[source.key]?.nextStart = nil }
  }

  /// Moves the mark of a source on a lost device; returns whether the source plays or is paused.
  func markSeek(of key: SourceKey, to frame: Int, _ state: inout State) -> Bool {
    guard let mark = state.marks[key]?.mark else {
      state.marks[key]?.nextStart = frame
      return false
    }
    let place = Double(frame + state.schedule.silence(of: key))
    state.marks[key]?.mark = PlaybackMark(frame: place, clock: handle.clock ?? 0, isPlaying: mark.isPlaying)
    return true
  }

  /// Records a source's new sound.
  func mark(_ source: SoundSource, playing sound: @autoclosure () -> QueuedSound, _ state: inout State) {
    guard needsMarks else { return }
    let sound = sound()
    state.marks[source.key, default: MarkedSource(sound: sound)].sound = sound
    mark(source.key, source.id, &state)
  }

  /// Records all positions if this is due; returns the nanoseconds until the next time, `nil` where no source plays.
  func markAll(at now: Int64, _ state: inout State) -> Int64? {
    guard let next = state.watch.nextMarks else { return nil }
    guard next <= now else { return next - now }
    guard !device.isSuspended else { return Self.markPeriod }
    let isAnyPlaying = markAll(&state)
    state.watch.nextMarks = isAnyPlaying ? now + Self.markPeriod : nil
    return isAnyPlaying ? Self.markPeriod : nil
  }

  /// Records all positions; returns whether any source plays, and true on a lost device.
  @discardableResult
  func markAll(_ state: inout State) -> Bool {
    guard needsMarks else { return false }
    let sources = state.scene.sources.filter { state.marks[$0.key] != nil }
    var states: [UInt8] = []
    func readStates(_ sources: [(key: SourceKey, id: UInt32, startFrame: Int32)]) -> [SourceState] {
      handle.readStates(of: sources.map(\.id), into: &states)
      return states.map { SourceState(shimNumber: $0) }
    }
    let heard = zip(sources, readStates(sources)).filter { $1 == .playing || $1 == .paused }.map(\.0)
    let places = heard.map { handle.place($0.id) }
    let marks = zip(zip(heard, places), readStates(heard)).map { mark(of: $0.0.key, at: $0.1, $1, state) }
    // The check follows the read, as above.
    guard !isLost else { return true }
    for source in sources { state.marks[source.key]?.mark = nil }
    for (source, mark) in zip(heard, marks) { state.marks[source.key]?.mark = mark }
    return marks.contains { $0?.isPlaying == true }
  }

  /// Nanoseconds between two records: for as long a change of speed may be miscounted after a loss.
  private static let markPeriod: Int64 = 100_000_000

  /// The position of a source in its sound on a lost device; `nil` if it neither plays nor is paused.
  ///
  /// Takes the lock.
  func lostPlace(of source: SoundSource) -> (frame: Double, isPlaying: Bool)? {
    state.withLock { state in
      guard let place = lostPlace(of: source.key, at: handle.clock ?? 0, state) else { return nil }
      return (max(place.frame - Double(state.schedule.silence(of: source.key)), 0), place.isPlaying)
    }
  }

  /// The position on a lost device including the silence ahead of the sound, under the lock.
  func lostPlace(of key: SourceKey, at clock: Int64, _ state: State) -> (frame: Double, isPlaying: Bool)? {
    markedCourse(of: key, state)?.place(at: clock)
  }

  /// The last mark of a source and its course from there; `nil` if it neither played nor was paused.
  func markedCourse(of key: SourceKey, _ state: State) -> MarkedCourse? {
    guard let source = state.marks[key], let mark = source.mark else { return nil }
    let values = state.scene.read(key) { $0 }
    var course = source.course
    // The library may have silence ahead of the sound.
    let silence = source.isStream ? 0 : state.schedule.silence(of: key)
    course.frameCount += silence
    if values.isLooping, !source.isStream {
      let range = source.sound.loopRange
      course.loopRange = range.lowerBound + silence..<range.upperBound + silence
    }
    let step = state.scene.step(
      of: values,
      soundRate: source.sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: source.sound.isPlaced(values.spatialization),
      limit: stepLimit
    )
    return MarkedCourse(mark: mark, framesPerSecond: step * Double(sampleRate), course: course)
  }
}
