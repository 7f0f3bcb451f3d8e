internal import AudioSupport
internal import Synchronization

// Sources that begin and end.

extension ContextState {
  /// Creates a source of the library, with a buffer or with an empty queue.
  mutating func addSource(playing buffer: SoundBuffer?) throws(AudioError) -> (id: UInt32, key: SourceKey) {
    let id = try createSource(playing: buffer)
    let key = records.add(SceneSource(id: id))
    setFormat(buffer?.format, of: key)
    records[key].scene.setMultichannelWarning(buffer?.multichannelWarning)
    // The library has this model by default; the source needs any other from the context.
    if scene.distanceModel != .inverseClamped { apply(.attenuation, of: key) }
    return (id, key)
  }

  /// Creates a source of the library; if none is free, it first releases the oldest source that fades out.
  private mutating func createSource(playing buffer: SoundBuffer?) throws(AudioError) -> UInt32 {
    while true {
      do {
        return try handle.createSource(buffer: buffer?.id ?? 0, sourceCount: records.count)
      } catch {
        guard error.code == .sourceLimitReached, shortFades.endings.releaseOldest() else { throw error }
      }
    }
  }

  /// Stores the format of a stream for a new source, and polls the source from now on.
  mutating func begin(_ stream: Stream, of source: SoundSource) {
    setFormat(stream.format, of: source.key)
    beginObserving(source)
    observation.listen()
  }

  /// Records the positions of a new source, for a library that forgets them.
  mutating func beginRecording(_ source: SoundSource) {
    records[source.key].library.beginRecording(QueuedSound(of: source), isStream: source.stream != nil)
  }

  /// Stops a source that is being released, posts that, and frees it.
  ///
  /// Returns the values of a source that was played and that no mix has played, once for each context.
  mutating func removeSource(
    _ key: SourceKey,
    playing buffers: @autoclosure () -> [BufferHandle]
  ) -> SourceValues? {
    let start = firstStart(of: key)
    endObserving(key)
    fades.remove(key)
    performing { state in
      state.endSource(of: key, playing: buffers())
      // The buffer of the padding outlives the source.
      state.records[key].library.removePadding(of: key, &state.schedule)
      state.schedule.endWait(of: key, in: &state.records[key].start)
    }
    shortFades.ramps.remove(key)
    if records[key].deferred.playback != nil { deferred.remove(key) }
    defer { records.remove(key) }
    // The clock is read after the end of the source: a mix in between would have played it.
    guard let start, start == handle.clock else { return nil }
    releaseReport.isMade = true
    return records[key].scene.values
  }

  /// The clock of the only start of a source that plays; `nil` for a scheduled start, without an output, and once a
  /// release was reported.
  private func firstStart(of key: SourceKey) -> Int64? {
    guard !releaseReport.isMade, records[key].observed?.stream == nil,
      let start = records[key].library.firstStart(by: handle), !device.isSuspended
    else { return nil }
    return start
  }
}

// MARK: - Subscriptions

extension ContextState {
  /// Adds a subscriber to the notifications from now on; returns the current state.
  mutating func subscribe(
    _ subscription: Subscription<SourceNotification>,
    to kinds: SourceNotification.Kinds,
    of source: SoundSource
  ) -> SourceState {
    let key = source.key
    beginObserving(source)
    pollSource(key)
    let old = records[observed: key].kinds
    records[observed: key].add(ObservedSource.Subscriber(kinds: kinds, subscription: subscription))
    // The buffers and the position that the queue already has are not posted.
    if !old.contains(.buffersProcessed), records[observed: key].countsBuffers {
      records[observed: key].tracker.forgetProcessed()
      let state = records[observed: key].tracker.state
      let reading = records[key].reading(inLibrary: state, in: scene, by: handle)
      _ = records[observed: key].tracker.update(to: reading)
    }
    if !old.contains(.loop) { observation.beginCounting(key, in: &records) }
    observation.countFromStart(key, in: &records)
    observation.updatePolling(key, in: &records)
    return records[observed: key].tracker.state
  }

  /// Removes a subscriber; the caller releases the result without a lock.
  ///
  /// The captures of a handler may be released with it.
  mutating func unsubscribe(_ subscription: Subscription<SourceNotification>, from key: SourceKey) -> ObservedSource? {
    guard records.isObserved(key) else { return nil }
    let before = records[observed: key]
    records[observed: key].remove(subscription)
    guard !records[observed: key].isNeeded else { return before }
    observation.remove(key, in: &records)
    return before
  }

  /// Observes a source from now on; does nothing for an observed one.
  mutating func beginObserving(_ source: SoundSource) {
    let key = source.key
    guard !records.isObserved(key) else { return }
    let observed = ObservedSource(source, state: records[key].library.state(in: scene, by: handle))
    observation.add(observed, of: key, in: &records)
    if observed.isPlaying, !device.isRendered {
      observation.listen()
      handle.wantHints(true)
      device.wakeMonitor()
      // The source may have ended before the library was asked for events.
      pollSource(key)
    }
  }

  /// Posts the stop of a source that is being released, and finishes its subscriptions.
  mutating func endObserving(_ key: SourceKey) {
    records[key].start.time = nil
    guard records.isObserved(key) else { return }
    pollSource(key)
    if [.playing, .paused].contains(records[observed: key].tracker.state) {
      let changes = records[observed: key].tracker.update(to: .init(state: .stopped, processed: nil))
      observation.post(changes, of: key, at: nil, by: .call, in: &records)
    }
    records[observed: key].finish(over: observation.deliveries)
    observation.remove(key, in: &records)
  }
}

// MARK: - Buffers

extension ContextState {
  /// Ends a source, and replaces what it plays; returns the old buffers, and the new sound if it cannot be placed.
  mutating func setBuffer(
    _ buffer: SoundBuffer?,
    of source: SoundSource
  ) -> (old: [SoundBuffer], unplaced: MultichannelWarning?) {
    let key = source.key
    // Calls that a suspension has deferred were for the old sound.
    deferred.remove(key)
    records[key].deferred = DeferredCalls()
    perform(.rewind, source)
    let old = changing(source) { state in
      state.handle.hold(buffer.map { [$0.id] } ?? [], asQueue: buffer == nil, on: source.id)
      source.ownsBuffer.store(buffer != nil, ordering: .releasing)
      return source.heldBuffers.withLock { held in
        defer { held = buffer.map { [$0] } ?? [] }
        return held
      }
    }
    setFormat(buffer?.format, of: key)
    setMultichannelWarning(buffer?.multichannelWarning, of: source)
    return (old, records[key].scene.takeUnplacedSound())
  }
}
