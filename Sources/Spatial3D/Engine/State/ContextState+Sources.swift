internal import AudioSupport

// Sources that begin and end.

extension ContextState {
  /// Creates a source of the library, with a buffer or with an empty queue.
  mutating func addSource(playing buffer: SoundBuffer?) throws(AudioError) -> (id: UInt32, key: SourceKey) {
    let id = try handle.createSource(buffer: buffer?.id ?? 0, sourceCount: scene.sourceCount)
    let key = scene.addSource(id: id, channelFactor: channelFactor(of: buffer?.format))
    scene.setMultichannelWarning(buffer?.multichannelWarning, of: key)
    // The library has this model by default; the source needs any other from the context.
    if scene.distanceModel != .inverseClamped { handle.apply(.attenuation, of: key, in: &scene) }
    return (id, key)
  }

  /// Adopts the format of a stream for a new source, and polls the source from now on.
  mutating func begin(_ stream: Stream, of source: SoundSource) {
    if scene.setChannelFactor(channelFactor(of: stream.format), of: source.key) {
      handle.apply([.gain, .gainLimits], of: source.key, in: &scene)
    }
    let slot = watch(source)
    observation[slot].sound.sampleRate = stream.format.sampleRate
    observation[slot].sound.isMono = stream.format.layout == .mono
    listen()
  }

  /// Records the positions of a new source, for a library that forgets them.
  mutating func beginRecording(_ source: SoundSource, playing buffer: SoundBuffer?) {
    var sound = QueuedSound(buffer.map { [$0] } ?? [], isQueue: source.hasQueue)
    if let stream = source.stream {
      (sound.sampleRate, sound.isMono) = (stream.format.sampleRate, stream.format.layout == .mono)
    }
    positions[source.key] = RecordedPlayback(sound: sound, isStream: source.stream != nil)
  }

  /// Stops a source that is being released, posts that, and frees it.
  mutating func removeSource(_ key: SourceKey, _ id: UInt32) {
    endWatching(key)
    performing { state in
      // The buffer of the padding has to outlive the source.
      let padding = state.schedule.takePadding(of: key)
      state.schedule.remove(key)
      withExtendedLifetime(padding) { state.handle.destroySource(id) }
    }
    if !positions.isEmpty { positions[key] = nil }
    scene.removeSource(key)
    deferred.sources[key] = nil
  }
}
