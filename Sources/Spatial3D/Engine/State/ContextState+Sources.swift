internal import AudioSupport

// Sources that begin and end.

extension ContextState {
  /// Creates a source of the library, with a buffer or with an empty queue.
  mutating func addSource(playing buffer: SoundBuffer?) throws(AudioError) -> (id: UInt32, key: SourceKey) {
    let id = try handle.createSource(buffer: buffer?.id ?? 0, sourceCount: records.count)
    let key = records.add(SceneSource(id: id, channelFactor: channelFactor(of: buffer?.format)))
    records[key].scene.setMultichannelWarning(buffer?.multichannelWarning)
    // The library has this model by default; the source needs any other from the context.
    if scene.distanceModel != .inverseClamped { apply(.attenuation, of: key) }
    return (id, key)
  }

  /// Adopts the format of a stream for a new source, and polls the source from now on.
  mutating func begin(_ stream: Stream, of source: SoundSource) {
    if records[source.key].scene.setChannelFactor(channelFactor(of: stream.format)) {
      apply([.gain, .gainLimits], of: source.key)
    }
    beginObserving(source)
    listen()
  }

  /// Records the positions of a new source, for a library that forgets them.
  mutating func beginRecording(_ source: SoundSource) {
    records[source.key].recorded = RecordedPlayback(sound: QueuedSound(of: source), isStream: source.stream != nil)
  }

  /// Stops a source that is being released, posts that, and frees it.
  mutating func removeSource(_ key: SourceKey) {
    endObserving(key)
    performing { state in
      // The buffer of the padding has to outlive the source.
      let padding = state.schedule.takePadding(of: key, from: &state.records[key].start)
      state.schedule.endWait(of: key, in: &state.records[key].start)
      withExtendedLifetime(padding) { state.handle.destroySource(state.records[key].id) }
    }
    if records[key].deferred.playback != nil { dropDeferredCalls(of: key) }
    records.remove(key)
  }
}
