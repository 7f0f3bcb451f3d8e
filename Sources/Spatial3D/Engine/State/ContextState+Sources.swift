internal import AudioSupport

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
