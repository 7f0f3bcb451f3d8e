// The playback state of a source: it waits for its start, or the library plays it, or a lost device has stopped it.

extension ContextState {
  /// The state of a source without a stream.
  func playbackState(of key: SourceKey) -> SourceState {
    playbackState(of: key, inLibrary: handle.state(records[key].id))
  }

  /// The state of a source without a stream, by its state in the library.
  func playbackState(of key: SourceKey, inLibrary found: SourceState) -> SourceState {
    let now = records[key].start.state ?? found
    // A lost device stops its sources; they resume on the next one.
    guard now == .stopped, handle.isLost, let lost = lostPosition(of: key, at: handle.clock) else { return now }
    return lost.isPlaying ? .playing : .paused
  }

  /// Whether the library plays a source, or a source waits for its scheduled start.
  var hasPlayingSource: Bool {
    guard !device.isSuspended else { return false }
    return records.contains { $0.start.state == .playing || handle.state($0.id) == .playing }
  }

  /// Starts the thread that notices an output which stands still, ahead of the start of a source.
  func beginWatchingClock() { if !device.isOffline, device.clockMixer == nil { ClockWatchdog.all.begin() } }

  /// The state of an observed source, and the processed buffers of its queue.
  func reading(of key: SourceKey) -> SourceTracker.Reading {
    reading(of: key, inLibrary: handle.state(records[key].id))
  }

  /// The same, by the source's state in the library.
  func reading(of key: SourceKey, inLibrary found: SourceState) -> SourceTracker.Reading {
    let state = playbackState(of: key, inLibrary: found)
    let isStoppedByLoss = state != records[key].start.state ?? found
    let isCounted = records[observed: key].countsBuffers && !records[key].scene.values.isLooping
    guard isCounted, !isStoppedByLoss else { return .init(state: state, processed: nil) }
    return .init(state: state, processed: processedBufferCount(of: key))
  }
}
