internal import AudioSupport

// Reads a source without a stream. The library is read without a lock; the state of the context is asked where the
// schedule has a source, and where the device is lost.

extension SoundSource {
  /// The state, from the schedule or else from the library.
  var soundState: SourceState {
    let now = read {
      context.handle.state(id)
    } scheduled: {
      $0.schedule.state(of: key) ?? context.handle.state(id)
    }
    return now == .stopped ? stoppedState : now
  }

  /// The state of a source that the library has stopped: a source that a lost device has stopped plays on elsewhere, soon
  /// or already.
  private var stoppedState: SourceState {
    guard context.handle.recordsPositions else { return .stopped }
    return context.state.withLock { state in
      guard context.handle.isLost, let lost = state.lostSoundPosition(of: key) else {
        return state.schedule.state(of: key) ?? context.handle.state(id)
      }
      return lost.isPlaying ? .playing : .paused
    }
  }

  /// The frame of the sound that is mixed next.
  var soundFrame: Int {
    let frame = read {
      context.handle.frame(id)
    } scheduled: {
      max(context.handle.frame(id) - $0.schedule.silence(of: key), 0)
    }
    // Checked after the read: a lost device reports 0.
    return context.handle.isLost ? lostFrame : frame
  }

  /// The frame that is mixed next, and the latency of the same moment's mix.
  var soundFrameAndLatency: (frame: Int, latency: Duration) {
    let now = read {
      context.handle.frameAndLatency(id)
    } scheduled: {
      let (frame, latency) = context.handle.frameAndLatency(id)
      return (max(frame - $0.schedule.silence(of: key), 0), latency)
    }
    return context.handle.isLost ? (lostFrame, .zero) : now
  }

  private var lostFrame: Int {
    context.state.withLock { $0.lostSoundPosition(of: key) }.map { Int(saturating: $0.frame) } ?? 0
  }

  /// Reads the library; reads under the lock where the schedule is not empty or was not meanwhile.
  @inline(__always)
  func read<Value: Sendable>(_ body: () -> Value, scheduled: (ContextState) -> Value) -> Value {
    context.scheduleSequence.read(body) ?? context.state.withLock { scheduled($0) }
  }
}
