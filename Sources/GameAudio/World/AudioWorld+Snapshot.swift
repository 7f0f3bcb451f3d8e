internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The state of the world now, as a value.
  ///
  /// For tools, tests and bug reports. The world's lock is held for the copies of some references alone, and the next change
  /// of the world copies the arrays of its emitters. The value is built on the calling thread.
  public func snapshot() -> WorldSnapshot {
    let physics = context.physics
    let copy = state.withLock { state in
      state.adopt(physics)
      return state.forSnapshot
    }
    return snapshot(of: copy)
  }

  /// The snapshot of a copy of the state; called without the lock.
  func snapshot(of copy: WorldState) -> WorldSnapshot {
    let reasons = context.suspensions.keys
    let names = reasons.map { "\($0)" }.sorted()
    let isOfSession = reasons.contains(where: copy.sessionReasons.contains)
    let suspension = names.first.map { name in
      WorldSnapshot.Silence(cause: isOfSession ? .silencedBySession : .suspended, by: isOfSession ? nil : name)
    }
    return WorldSnapshot(
      copy,
      suspensions: names,
      suspension: suspension,
      clocks: copy.clocks.sorted { $0.key < $1.key }.compactMap { $0.value() }
    )
  }
}
