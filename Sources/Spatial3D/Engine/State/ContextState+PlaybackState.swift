extension ContextState {
  /// The state of a source without a stream.
  func playbackState(of key: SourceKey) -> SourceState { records[key].library.state(in: scene, by: handle) }

  /// The state of an observed source, and the processed buffers of its queue.
  func reading(of key: SourceKey) -> SourceTracker.Reading {
    reading(of: key, inLibrary: handle.state(records[key].id))
  }

  /// The same, by the source's state in the library.
  func reading(of key: SourceKey, inLibrary found: SourceState) -> SourceTracker.Reading {
    records[key].reading(inLibrary: found, in: scene, by: handle)
  }

  /// Whether the library plays a source, or a source waits for its scheduled start.
  var hasPlayingSource: Bool {
    guard !device.isSuspended else { return false }
    return records.contains { $0.start.state == .playing || handle.state($0.id) == .playing }
  }

  /// Starts the thread that notices an output which stands still, ahead of the start of a source.
  func beginWatchingClock() { if !device.isOffline, device.clockMixer == nil { ClockWatchdog.all.begin() } }
}
