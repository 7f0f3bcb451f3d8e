internal import AudioSupport

// Fades out the sounds that an offline mix of a few frames would cut, where the library fades a sound out.
//
// OpenAL Soft from 1.21.1 on fades a sound that ends over the next mix, and over 64 frames of a longer one. Another source of
// the library, with the same buffers, values and position, therefore waits for the next mix. A mix of 64 frames or more
// releases it. In a shorter mix it plays: the library fades it in from the same frame on, and over the same frames, and so the
// sum of the two is the sound. From then on it fades out as any ``EndingSource``.

/// A source of the library that goes on with the sound of another one, which ends.
struct StandIn: Sendable {
  let source: EndingSource
  /// The gains of the sound in the last mix.
  let gains: GainRamp.Gains
  /// The source that ends, and its name in the library.
  let key: SourceKey
  let id: UInt32
}

extension ContextState {
  /// Prepares another source for a source that is about to end, or to move, in an offline mix.
  mutating func prepareStandIn(for key: SourceKey, playing buffers: @autoclosure () -> [BufferHandle]) {
    guard device.isOffline, !handle.cutsSounds, !device.isSuspended, !deferred.isRunning, isInMix(key) else { return }
    let (id, gains) = (records[key].id, records[key].scene.ramp.reached)
    endings.standIns.removeAll { $0.id == id }
    guard gains.x > 0, let next = handle.createSource(withBuffersOf: id) else { return }
    let source = EndingSource(next, playing: buffers() + paddings(of: key), in: handle)
    handle.seek(next, to: handle.position(id).frame)
    applyEverything(of: key, to: next)
    endings.standIns.append(StandIn(source: source, gains: gains, key: key, id: id))
  }

  /// Whether the last mix has played a source, which goes on in the next one.
  private func isInMix(_ key: SourceKey) -> Bool {
    let id = records[key].id
    return records[key].start.state == nil && handle.begun.withLock { $0.all[id] } == nil
      && handle.state(id) == .playing
  }

  /// Plays the sources for the sounds that a short mix would cut, or releases them ahead of a longer one.
  mutating func beginStandIns(inMixOf frames: Int) {
    guard !endings.standIns.isEmpty else { return }
    let waiting = endings.standIns
    endings.standIns = []
    guard frames < ShortFade.length else { return }
    for next in waiting {
      // A source that was paused and resumed between two mixes has not ended.
      if records.contains(next.key), records[next.key].id == next.id, isInMix(next.key) { continue }
      add(next.source, at: next.gains)
      handle.perform(.play, next.source.id)
    }
  }
}
