internal import AudioSupport

// Calls of the game around which the changes of observed sources are posted.

extension ContextState {
  /// Performs a verb on sources, and posts the changes of the observed sources.
  ///
  /// The closure receives the sources to perform it on: a stream with an empty queue plays once it has data.
  mutating func reporting(
    _ verb: ContextHandle.Verb,
    of sources: [SoundSource],
    _ body: ([SoundSource], inout ContextState) -> Void
  ) {
    for source in sources { records[source.key].library.forgetStart(before: verb, of: source, by: handle) }
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
    records[source.key].library.forgetStart(before: verb, of: source, by: handle)
    guard prepare(verb, source) else { return }
    body(&self)
    report(verb, source)
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
    let count = records[source.key].library.unqueuePlayed(of: source.key, &schedule, by: handle)
    guard count > 0 else { return [] }
    observation.postUnqueued(count, from: source.key, in: &records)
    return source.heldBuffers.withLock { held in
      let played = Array(held.prefix(count))
      held.removeFirst(min(count, held.count))
      return played
    }
  }
}
