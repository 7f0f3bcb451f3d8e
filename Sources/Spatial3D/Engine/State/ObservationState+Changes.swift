internal import AudioSupport

// Compares the library's state of a source with the posted state, and posts the difference.

// MARK: - Sources without a stream

extension ObservationState {
  /// Takes over the mixer's changes of a source without a stream until now.
  mutating func poll(
    _ key: SourceKey,
    in records: inout SourceTable,
    _ scene: Scene,
    _ output: inout OutputState
  ) {
    countLoops(key, in: &records, scene, &output)
    update(key, inLibrary: handle.state(records[key].id), in: &records, scene)
  }

  /// Takes over the state of a source without a stream in the library, and posts the changes; returns whether there are
  /// any.
  @discardableResult
  mutating func update(
    _ key: SourceKey,
    inLibrary found: SourceState,
    in records: inout SourceTable,
    _ scene: Scene
  ) -> Bool {
    let reading = records[key].reading(inLibrary: found, in: scene, by: handle)
    let changes = records[observed: key].tracker.update(to: reading)
    post(changes, of: key, at: nil, by: nil, in: &records)
    return !changes.isEmpty
  }

  /// Posts the changes of a source without a stream after a verb.
  mutating func postChanges(
    after verb: ContextHandle.Verb,
    _ key: SourceKey,
    in records: inout SourceTable,
    _ scene: Scene
  ) {
    records[observed: key].startFrame = nil
    countLoops(over: verb, key, in: &records, scene)
    let reading = records[key].reading(inLibrary: handle.state(records[key].id), in: scene, by: handle)
    let isEmpty = records[observed: key].sound.frameCount == 0
    let changes =
      verb == .play
      ? records[observed: key].tracker.played(hasFrames: !isEmpty, then: reading)
      : records[observed: key].tracker.update(to: reading)
    // A source that ended at a play or pause was not ended by the call, unless its sound is empty.
    let isByCall = verb == .stop || verb == .rewind || reading.state != .stopped || (verb == .play && isEmpty)
    post(changes, of: key, at: nil, by: isByCall ? .call : nil, before: .call, in: &records)
    updatePolling(key, in: &records)
    // The loops of a source that continues were counted up to its position, and the count continues there.
    if device.isRendered || verb == .stop || verb == .rewind { beginCounting(key, in: &records) }
    // A source that is resumed while it waits counts from its scheduled start.
    if verb == .play, records[key].library.isScheduled(by: handle) { countFromStart(key, in: &records) }
    records[observed: key].loopDue = nil
    nextLoop = nil
    if records[observed: key].countsLoops { device.wakeMonitor() }
  }

  /// Posts the changes of a source without a stream that a change of its queue or its position has made.
  mutating func postChanges(
    toSound sound: QueuedSound,
    of key: SourceKey,
    in records: inout SourceTable,
    _ scene: Scene
  ) {
    records[observed: key].sound = sound
    let reading = records[key].reading(inLibrary: handle.state(records[key].id), in: scene, by: handle)
    let changes = records[observed: key].tracker.update(to: reading)
    // A change of the queue or the position does not end a source: the mixer or the device did.
    post(changes, of: key, at: nil, by: changes.after == nil ? .call : nil, in: &records)
    updatePolling(key, in: &records)
    beginCounting(key, in: &records)
  }

  /// Subtracts unqueued buffers from the count, and posts the buffers that ended since the last poll.
  mutating func postUnqueued(_ count: Int, from key: SourceKey, in records: inout SourceTable) {
    guard records.isObserved(key) else { return }
    post(records[observed: key].tracker.unqueued(count), of: key, at: nil, by: nil, in: &records)
  }

  /// Posts changes.
  ///
  /// Without a frame, the frame is the current one. Without a cause, the cause is the mixer or the device. If there are
  /// two states, the first one has a cause of its own.
  mutating func post(
    _ changes: SourceTracker.Changes,
    of key: SourceKey,
    at frame: Int?,
    by cause: SourceNotification.Cause?,
    before first: SourceNotification.Cause = .call,
    in records: inout SourceTable
  ) {
    guard !changes.isEmpty else { return }
    let frame = frame ?? framePosition
    let cause = cause ?? (changes.after == .stopped && endedWithDevice() ? .device : .mix)
    let last = records[observed: key].tracker.state
    func post(_ kind: SourceNotification.Kind, _ now: SourceState, _ cause: SourceNotification.Cause) {
      let notice = ObservedSource.Notice(kind: kind, state: now, frame: frame, cause: cause)
      records[observed: key].post(notice, over: deliveries)
    }
    if let before = changes.before { post(.stateChanged(before), before, first) }
    if changes.processed > 0 {
      post(.buffersProcessed(changes.processed), changes.before ?? last, cause)
    }
    if let after = changes.after { post(.stateChanged(after), after, cause) }
  }
}

// MARK: - Streams

extension ObservationState {
  /// Posts the stream's state if it changed.
  mutating func postState(
    of stream: Stream,
    _ key: SourceKey,
    at frame: Int?,
    by cause: SourceNotification.Cause,
    in records: inout SourceTable
  ) {
    let now = stream.state.withLock { $0.state }
    let changes = records[observed: key].tracker.update(to: .init(state: now, processed: nil))
    post(changes, of: key, at: frame, by: cause, in: &records)
    updatePolling(key, in: &records)
  }

  /// Ends a stream with an empty queue and a reader at its end.
  mutating func endIfNothingIsLeft(of stream: Stream, _ key: SourceKey, in records: inout SourceTable) {
    let end: StreamState.End? = stream.state.withLock { stream in
      guard stream.state == .playing, !stream.isStarted, stream.queue.chunkCount == 0 else { return nil }
      guard case .ends(let end) = stream.playedOut() else { return nil }
      return end
    }
    if let end { postState(of: stream, key, at: nil, by: end.cause, in: &records) }
  }

  /// The number of frames that can be mixed before a stream with more data has an underrun.
  func framesInStreams(in records: SourceTable, _ scene: Scene) -> Int {
    var frames = Int.max
    for key in playing {
      guard let stream = records[observed: key].stream else { continue }
      let (frameCount, mayRunDry) = stream.state.withLock { ($0.queue.frameCount, $0.isStarted && !$0.isEnded) }
      let step = records.step(of: key, in: scene, by: handle)
      guard mayRunDry, step > 0 else { continue }
      let left = Double(frameCount) - handle.position(records[key].id).frame
      frames = min(frames, max(Int(saturating: left / step) - 1, 1))
    }
    return frames
  }

  /// The frames that a resampler reads behind the last frame of a mix: 24 with `bsinc24`, at twice the pitch 48.
  private static let resamplerEdge = 48.0

  /// Whether a stream that plays lacks chunks for the next frames of the mix, and its reader has more.
  func lacksChunks(for frames: Int, in records: SourceTable, _ scene: Scene) -> Bool {
    playing.contains { key in
      guard let stream = records[observed: key].stream else { return false }
      let (frameCount, isStarted, isReplacing, isEnded) = stream.state.withLock {
        ($0.queue.frameCount, $0.isStarted, $0.isReplacing, $0.isEnded)
      }
      if isEnded { return false }
      guard isStarted, !isReplacing else { return true }
      let left = Double(frameCount) - handle.position(records[key].id).frame
      let needed = Double(frames) * records.step(of: key, in: scene, by: handle) + Self.resamplerEdge
      // A queue that is full holds no more, but for the chunk that plays.
      return left < min(needed, Double((LookAhead.chunkCount - 2) * stream.chunkLength))
    }
  }
}

extension StreamState.End {
  /// The cause that observers receive.
  var cause: SourceNotification.Cause {
    switch self {
    case .finished: .mix
    case .readerFailed: .reader
    case .lostDevice: .device
    }
  }
}
