internal import AudioSupport

extension ContextState {
  /// The sources to read from the library.
  mutating func beginMigration() -> ContextSnapshot {
    shortFades.endings.releaseAll()
    let clock = handle.clock
    let sources = records.keys.map { key in
      var source = ContextSnapshot.Source(key: key, id: records[key].id)
      if let frame = records[key].start.nextFrame { source.frame = frame }
      source.startTime = records[key].library.startTime(after: clock, by: handle)
      if handle.recordsPositions {
        source.extrapolation = records[key].library.extrapolation(in: scene, by: handle)
        // A stream has played at most its queued frames.
        if let stream = records[key].observed?.stream {
          source.extrapolation?.lastFrame = Double(max(stream.state.withLock { $0.queue.frameCount } - 1, 0))
        }
      }
      return source
    }
    return ContextSnapshot(handle: handle, sources: sources)
  }

  /// Applies all settings and calls of the game to a new device of the library.
  ///
  /// With `setsClock`, the clock goes on from the snapshot when the sources play.
  mutating func endMigration(_ snapshot: ContextSnapshot, setsClock: Bool) {
    if scene.libraryDopplerFactor != 1 { handle.setDopplerFactor(scene.libraryDopplerFactor) }
    handle.reloadEffects(for: handle.sampleRate)
    handle.apply([.position, .velocity, .orientation, .gain], ofListenerIn: scene)
    // The sources reach their states inaudibly, also while the device mixes: a sound server may need a second to stop
    // and resume a mixer.
    for source in snapshot.sources where source.state == .stopped || source.state == .paused {
      handle.silenceWithoutEnd(source.id)
      if let time = source.startTime {
        // The start frame is then the position of the source.
        if source.frame > 0 { handle.seek(source.id, to: source.frame) }
        handle.play([source.id], at: time)
      } else {
        handle.perform(.play, source.id)
      }
      handle.perform(source.state == .paused ? .pause : .stop, source.id)
      if source.state == .paused, source.startTime == nil { handle.seek(source.id, to: source.frame) }
    }
    updateLoudspeakers()
    for source in snapshot.sources {
      records.applyEverything(of: source.key, in: scene, by: handle)
      if source.state != .paused, source.frame >= 0 { handle.seek(source.id, to: source.frame) }
    }
    let playing = snapshot.sources.filter { $0.state == .playing }
    if !playing.isEmpty { device.beginWatchingClock() }
    start(playing.filter { $0.startTime == nil }, at: setsClock ? snapshot.clock : nil)
    for source in playing { if let time = source.startTime { handle.play([source.id], at: time) } }
    for source in snapshot.sources { recordPosition(source.key) }
    output.forgetMixLength()
    observation.nextLoop = nil
    observation.nextSweep = nil
    // A stream whose position was changed while the device was lost has no buffers yet.
    for stream in observation.streams { stream.refill() }
  }

  /// Plays sources on a new device, whose clock goes on from a time at the frame at which they begin.
  ///
  /// The device mixes while the settings are applied, and an output fills its buffer when it starts. The sources would
  /// be behind the clock by all that time.
  private func start(_ sources: [ContextSnapshot.Source], at clock: Int64?) {
    let ids = sources.map(\.id)
    guard let clock else { return handle.perform(.play, ids) }
    guard let first = sources.first else { return handle.device.setClockBack(by: handle.clock - clock) }
    // A start that is repeated must not be audible.
    var silence = scene
    _ = silence.adopt(.gain, of: Listener(gain: .silence))
    handle.apply(.gain, ofListenerIn: silence)
    defer { handle.apply(.gain, ofListenerIn: scene) }
    for attempt in 1...Self.mostStarts {
      let before = handle.clock
      handle.perform(.play, ids)
      // If no mix has begun between the two readings of the clock, the sources begin with the next one.
      guard handle.position(first.id).clock != before, attempt < Self.mostStarts else {
        return handle.device.setClockBack(by: before - clock)
      }
      handle.perform(.pause, ids)
      for source in sources { handle.seek(source.id, to: max(source.frame, 0)) }
    }
  }

  /// Whether the library plays a source, or a source waits for its scheduled start.
  var hasPlayingSource: Bool {
    guard !device.isSuspended else { return false }
    return records.contains { $0.start.state == .playing || handle.state($0.id) == .playing }
  }

  /// Whether the library plays a source, or fades one out.
  var isSounding: Bool { shortFades.endings.count > 0 || records.contains { handle.state($0.id) == .playing } }

  /// Whether a source plays, or would play on an output that is not lost, and does not wait for its start.
  var playsSource: Bool {
    let clock = handle.clock
    return records.keys.contains {
      records[$0].library.state(in: scene, by: handle) == .playing
        && records[$0].library.startTime(after: clock, by: handle) == nil
    }
  }

  /// The number of starts of all sources, of which one lies between two mixes.
  private static let mostStarts = 8
}

// MARK: - Loss and return

extension ContextState {
  /// Reports a different output, unless a loss of it was already reported.
  mutating func postMove() {
    output.forgetMixLength()
    updateLoudspeakers()
    if observation.isConnected { observation.post(.outputChanged) }
  }

  /// Pauses all sources that play or wait, with the device as the cause.
  mutating func pauseAll() {
    fades.removeAll(in: &records, scene, by: handle)
    performing { state in
      var ids: [UInt32] = []
      for key in state.records.keys {
        let id = state.records[key].id
        if state.records.isObserved(key) { state.pollSource(key) }
        if let stream = state.records[key].observed?.stream {
          if stream.state.withLock({ $0.pause() }).verb != nil { ids.append(id) }
        } else if state.handle.state(id) == .playing {
          ids.append(id)
        }
        state.records[key].start.pauseWait()
      }
      state.handle.perform(.pause, ids)
    }
    deferred.pauseForDevice(in: &records)
    for key in records.keys {
      recordPosition(key)
      guard records.isObserved(key) else { continue }
      if let stream = records[observed: key].stream {
        observation.postState(of: stream, key, at: nil, by: .device, in: &records)
      } else {
        let reading = records[key].reading(inLibrary: handle.state(records[key].id), in: scene, by: handle)
        let changes = records[observed: key].tracker.update(to: reading)
        observation.post(changes, of: key, at: nil, by: changes.after == .paused ? .device : nil, in: &records)
        observation.updatePolling(key, in: &records)
      }
    }
  }
}

// MARK: - Positions

// Positions of sources, for a library that forgets them when its device is lost.

extension ContextState {
  /// Records the position of a source after a call; returns false if the device is lost.
  @discardableResult
  mutating func recordPosition(_ key: SourceKey) -> Bool {
    switch records[key].library.recordPosition(by: handle) {
    case .isLost: return false
    case .recorded(isPlaying: true): if positions.begin() { device.wakeMonitor() }
    case .recorded, nil: break
    }
    return true
  }

  /// Records the position of a source after a call; on a lost device, the position that the call would have led to.
  mutating func recordPosition(_ source: SoundSource, after verb: ContextHandle.Verb) {
    guard handle.recordsPositions, handle.isLost || !recordPosition(source.key) else { return }
    records[source.key].library.recordLostPosition(after: verb, in: scene, by: handle)
  }

  /// Records a source's new sound.
  mutating func recordPosition(_ source: SoundSource, playing sound: @autoclosure () -> QueuedSound) {
    guard handle.recordsPositions else { return }
    records[source.key].library.record(sound())
    recordPosition(source.key)
  }
}
