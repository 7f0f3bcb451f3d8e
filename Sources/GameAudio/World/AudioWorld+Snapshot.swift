internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The state of the world now, as a value.
  ///
  /// For tools, tests and bug reports. The world's lock is held for the copies of some references and for the positions
  /// of the clocks; the next change of the world copies the arrays of its emitters. The value is built on the calling
  /// thread.
  public func snapshot() -> WorldSnapshot {
    let physics = context.physics
    let copy = state.withLock { state in
      state.adopt(physics)
      return state.forSnapshot
    }
    return snapshot(of: copy)
  }

  /// The snapshot of a copy of the state, which the caller keeps until the return; called without the lock.
  func snapshot(of copy: any SnapshotSource) -> WorldSnapshot {
    defer { state.endCopy() }
    return copy.makeSnapshot()
  }
}

extension WorldState: SnapshotSource {
  func makeSnapshot() -> WorldSnapshot { WorldSnapshot(self) }

  /// A copy without the effects of zones and without the recordings, with its ``moment``.
  ///
  /// A reference would delay the release of a unit, and with it the next one's beginning.
  var forSnapshot: WorldState {
    var copy = self
    copy.playback.log.prepareSnapshot(presentMoment)
    copy.clocks.removeAll()
    copy.playback.scene.space.zones.forgetEffects()
    return copy
  }

  /// The suspensions of the context, and the clocks at the frame of the mix.
  var presentMoment: SnapshotMoment {
    // The device has a lock of its own for them.
    let reasons = playback.outbox.context.suspensions.keys
    return SnapshotMoment(
      suspensions: reasons.map { "\($0)" }.sorted(),
      suspension: session.silence(by: reasons),
      clocks: clocks.snapshots(at: playback.scene.time(ofFrames: playback.now))
    )
  }
}
