internal import AudioSupport

// Takes over the work of the mixer on one source.

extension ContextState {
  /// Takes over the mixer's changes of a source until now, ahead of a change to the source.
  mutating func pollSource(_ key: SourceKey) {
    if let stream = records[observed: key].stream {
      return updateStream(stream, key, handle.state(records[key].id))
    }
    observation.poll(key, in: &records, scene, &output)
  }

  /// Takes over the polled state of a playing source, and posts the changes.
  mutating func update(_ key: SourceKey, inLibrary found: SourceState) {
    if let stream = records[observed: key].stream { return updateStream(stream, key, found) }
    if observation.update(key, inLibrary: found, in: &records, scene) { observation.updatePolling(key, in: &records) }
  }
}

// MARK: - Streams

extension ContextState {
  /// Takes over the work of the mixer on a stream, by the known state of its source.
  mutating func updateStream(_ stream: Stream, _ key: SourceKey, _ found: SourceState) {
    let notices = takeNotices(of: stream, key, found, arrival: { _ in nil })
    let now = notices.isEmpty ? 0 : observation.framePosition
    for (_, notice) in notices {
      var notice = notice
      if notice.frame < 0 { notice.frame = now }
      records[observed: key].post(notice, over: observation.deliveries)
    }
    observation.updatePolling(key, in: &records)
  }

  /// Returns the events of a stream since the last poll; `arrival` turns frames of the queue into frames of the mix.
  mutating func takeNotices(
    of stream: Stream,
    _ key: SourceKey,
    _ found: SourceState,
    arrival: (Int) -> Int?
  ) -> [(key: SourceKey, notice: ObservedSource.Notice)] {
    let id = records[key].id
    let (isStarted, frameCount) = stream.state.withLock { ($0.isStarted, $0.queue.frameCount) }
    // A lost device stops its sources; they resume on the next one.
    guard isStarted, found != .stopped || !handle.isLost else { return [] }
    var notices: [(key: SourceKey, notice: ObservedSource.Notice)] = []
    func append(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int, _ cause: SourceNotification.Cause) {
      notices.append((key, .init(kind: kind, state: now, frame: arrival(frame) ?? -1, cause: cause)))
    }
    let reached = found == .stopped ? frameCount : Int(saturating: handle.position(id).frame.rounded(.up))
    let (laps, now) = stream.state.withLock { ($0.queue.laps(before: reached), $0.state) }
    if let last = laps.last { append(.looped(laps.count), now, at: last, .mix) }
    guard found == .stopped else {
      if handle.processedBuffers(id) > 0 { stream.refill() }
      return notices
    }

    let isOver = observation.endedWithDevice()
    let next = stream.state.withLock { isOver ? $0.lostDevice() : $0.playedOut() }
    flush(stream, key, of: nil)
    switch next {
    case .waits: break
    case .underruns: append(.underrun, now, at: frameCount, .mix)
    case .ends(let end):
      if records[observed: key].tracker.update(to: .init(state: .stopped, processed: nil)).after != nil {
        append(.stateChanged(.stopped), .stopped, at: frameCount, end.cause)
      }
    }
    stream.refill()
    return notices
  }

  /// Clears the queue of a stream, and rewinds the library's source.
  ///
  /// The source is `nil` where it has stopped, and has no sound to fade out.
  mutating func flush(_ stream: Stream, _ key: SourceKey, of source: SoundSource?) {
    performing { state in
      if let source { state.fadeOut([source], before: .rewind) }
      state.handle.clearQueue(state.records[key].id)
      state.records[key].library.removePadding(of: key, &state.schedule)
    }
    stream.buffers.withLock { $0 = [] }
    stream.state.withLock { stream in
      stream.queue.removeAll()
      stream.isStarted = false
    }
  }
}
