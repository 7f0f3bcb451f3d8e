internal import AudioSupport

// Reads a source without a stream. The library is read without a lock; the state of the context is asked where the
// schedule has a source, and where the device is lost.

extension SoundSource {
  /// The state, also of a source that waits for its start or that a lost device has stopped.
  var soundState: SourceState {
    let reads = context.handle.reads
    let now = context.readUnlocked { reads.state(id) }
    if let now, now != .stopped || !context.handle.recordsPositions { return now }
    return context.state.withLock { $0.records[key].library.state(in: $0.scene, by: $0.handle) }
  }

  /// The frame of the sound that is mixed next.
  var soundFrame: Int {
    let reads = context.handle.reads
    let frame = read {
      reads.frame(id)
    } scheduled: {
      $0.records[key].library.soundFrame(by: context.handle)
    }
    // Checked after the read: a lost device reports 0.
    return context.handle.isLost ? lostFrame : frame
  }

  /// The position in the sound that is mixed next, in frames with a fraction.
  var soundPosition: Double {
    let position = read {
      context.handle.position(id).frame
    } scheduled: {
      $0.records[key].library.soundPosition(by: context.handle)
    }
    // Checked after the read: a lost device reports 0.
    return context.handle.isLost ? lostPosition : position
  }

  /// The frame that is mixed next, and the latency of the same moment's mix.
  var soundFrameAndLatency: (frame: Int, latency: Duration) {
    let now = read {
      context.handle.frameAndLatency(id)
    } scheduled: {
      $0.records[key].library.soundFrameAndLatency(by: context.handle)
    }
    return context.handle.isLost ? (lostFrame, .zero) : now
  }

  private var lostFrame: Int { Int(saturating: lostPosition) }

  private var lostPosition: Double {
    context.state.withLock { $0.records[key].library.lostSoundPosition(in: $0.scene, by: $0.handle)?.frame } ?? 0
  }

  /// Reads the library; reads under the lock where the schedule is not empty or was not meanwhile.
  @inline(__always)
  func read<Value: Sendable>(_ body: () -> Value, scheduled: (ContextState) -> Value) -> Value {
    context.readUnlocked(body) ?? context.state.withLock { scheduled($0) }
  }
}

extension AudioContext {
  /// Runs a closure without a lock; returns `nil` where its result may be from the middle of a change of the schedule.
  ///
  /// The number is loaded from the context twice: a reference that spans the closure would be retained, which takes as
  /// long as the state of a source.
  @inline(__always)
  fileprivate func readUnlocked<Value>(_ body: () -> Value) -> Value? {
    let before = scheduleSequence.current
    guard before & 1 == 0 else { return nil }
    let value = body()
    return scheduleSequence.current == before ? value : nil
  }
}
