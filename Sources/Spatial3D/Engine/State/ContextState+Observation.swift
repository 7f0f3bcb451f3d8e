internal import AudioSupport

// Compares the library's state with the posted one, and posts the difference.

// MARK: - Calls

extension ContextState {
  /// Performs a verb on sources, and posts the changes of the observed sources.
  ///
  /// The closure receives the sources to perform it on: a stream with an empty queue plays once it has data.
  mutating func reporting(
    _ verb: ContextHandle.Verb,
    of sources: [SoundSource],
    _ body: ([SoundSource], inout ContextState) -> Void
  ) {
    for source in sources { forgetStart(of: source, before: verb) }
    let ready = sources.filter { prepare(verb, $0) }
    body(ready, &self)
    for source in sources { report(verb, source) }
  }

  /// The variant for one source, which has no stream; it allocates no array.
  mutating func reporting(
    _ verb: ContextHandle.Verb,
    of source: SoundSource,
    _ body: (inout ContextState) -> Void
  ) {
    assert(source.stream == nil)
    forgetStart(of: source, before: verb)
    guard prepare(verb, source) else { return }
    body(&self)
    report(verb, source)
  }

  /// Forgets the scheduled start of a source, except on a pause and on the resume of a paused source.
  mutating func forgetStart(of source: SoundSource, before verb: ContextHandle.Verb) {
    guard verb != .pause, records[source.key].start.time != nil else { return }
    let isHeld =
      source.stream?.state.withLock { $0.state == .paused }
      ?? (records[source.key].start.state == .paused || records[source.key].library.isPausedAheadOfStart(by: handle))
    if verb != .play || !isHeld { records[source.key].start.time = nil }
  }

  /// Stores the scheduled start of sources.
  mutating func adoptStart(of sources: [SoundSource], at time: Duration) {
    for source in sources {
      records[source.key].start.time = time
      if records.isObserved(source.key) { observation.countFromStart(source.key, in: &records) }
    }
  }

  /// Prepares a source for a verb; returns whether the verb is to be performed on the library's source.
  private mutating func prepare(_ verb: ContextHandle.Verb, _ source: SoundSource) -> Bool {
    if let stream = source.stream { return prepare(verb, of: stream, source) == verb }
    if verb == .play { device.beginWatchingClock() }
    let key = source.key
    guard records.isObserved(key) else { return true }
    pollSource(key)
    if verb == .play, records[observed: key].countsLoops, !records[observed: key].isPlaying {
      records[observed: key].loopClock = handle.clock
    }
    // The request comes first, because the mixer may end the source at once.
    if verb == .play, !observation.isPlaying { handle.wantHints(true) }
    return true
  }

  /// Posts the changes of a source after a verb, and records its position.
  private mutating func report(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    if records.isObserved(source.key) {
      if let stream = source.stream {
        observation.postState(of: stream, source.key, at: nil, by: .call, in: &records)
      } else {
        observation.postChanges(after: verb, source.key, in: &records, scene)
      }
    }
    if source.stream == nil { recordPosition(source, after: verb) }
  }

  /// Takes over the mixer's changes of a source until now, ahead of a change to the source.
  mutating func pollSource(_ key: SourceKey) {
    if let stream = records[observed: key].stream {
      return updateStream(stream, key, handle.state(records[key].id))
    }
    observation.poll(key, in: &records, scene, &output)
  }

  /// Changes a source's queue or position, and posts the result.
  mutating func changing<Result, Failure: Error>(
    _ source: SoundSource,
    _ body: (inout ContextState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { recordPosition(source, playing: QueuedSound(of: source)) }
    let key = source.key
    guard records.isObserved(key) else { return try body(&self) }
    pollSource(key)
    // The list of playing sources is updated after an error too, because `pollSource` has posted changes.
    defer {
      observation.postChanges(toSound: QueuedSound(of: source), of: key, in: &records, scene)
    }
    return try body(&self)
  }

  /// Takes the buffers that the library reports as played; the number may have grown since the last poll.
  mutating func takePlayed(of source: SoundSource) -> [SoundBuffer] {
    guard !handle.isLost else { return [] }
    if !schedule.padded.isEmpty { records[source.key].library.removeSilence(of: source.key, &schedule, by: handle) }
    let count = records[source.key].library.processedBufferCount(by: handle)
    guard count > 0, !handle.isLost else { return [] }
    handle.unqueue(count, from: source.id)
    observation.postUnqueued(count, from: source.key, in: &records)
    return source.heldBuffers.withLock { held in
      let played = Array(held.prefix(count))
      held.removeFirst(min(count, held.count))
      return played
    }
  }
}
