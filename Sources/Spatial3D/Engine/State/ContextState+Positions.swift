// Positions of sources, for a library that forgets them when its device is lost.

extension ContextState {
  /// Records the position of a source after a call; returns false if the device is lost.
  @discardableResult
  mutating func recordPosition(_ key: SourceKey) -> Bool {
    switch records[key].library.recordPosition(by: handle) {
    case .isLost: return false
    case .recorded(isPlaying: true): if positions.begin() { device.wakeMonitor() }
    case .recorded, nil: break
    }
    return true
  }

  /// Records the position of a source after a call; on a lost device, the position that the call would have led to.
  mutating func recordPosition(_ source: SoundSource, after verb: ContextHandle.Verb) {
    guard handle.recordsPositions, handle.isLost || !recordPosition(source.key) else { return }
    records[source.key].library.recordLostPosition(after: verb, in: scene, by: handle)
  }

  /// Records a source's new sound.
  mutating func recordPosition(_ source: SoundSource, playing sound: @autoclosure () -> QueuedSound) {
    guard handle.recordsPositions else { return }
    records[source.key].library.record(sound())
    recordPosition(source.key)
  }
}
