internal import AudioSupport

extension AudioDevice {
  /// Migrates all contexts, with all their playback, to another device of the library; returns whether it succeeded.
  ///
  /// `make` opens the new device, and may take long. `isAsked` is true where the program asked for the migration. With
  /// `generation`, the migration only happens if the device has not moved since that count. Call this without a lock.
  func migrate(
    keepsTime: Bool,
    isAsked: Bool = false,
    after generation: Int? = nil,
    to make: (DeviceHandle) -> ReplacementDevice?
  ) -> Bool {
    func migrateOnce() -> Bool? {
      guard let next = make(handle) else { return false }
      // The return closes the previous device, after the waiting threads have gone on.
      return switch migrate(to: next, keepsTime: keepsTime, isAsked: isAsked, after: generation) {
      case .done: true
      case .refused: false
      case .changed: nil
      }
    }
    // The replacement fails if a context comes or goes meanwhile.
    for _ in 0..<4 {
      if let isDone = migrateOnce() { return isDone }
    }
    // This lock keeps new contexts away.
    return negotiatedSends.withLock { _ in
      while true {
        if let isDone = migrateOnce() { return isDone }
      }
    }
  }

  private func migrate(
    to next: borrowing ReplacementDevice,
    keepsTime: Bool,
    isAsked: Bool,
    after generation: Int?
  ) -> DeviceHandle.Outcome {
    migrationLock.withLock { _ in
      if let generation, generation != outputSelection.withLock({ $0.generation }) { return .refused }
      // An automatic move has not taken the loss of the output into account, which may have to pause all sources.
      if generation != nil, next.name != nil, handle.survivesLoss, !handle.isPlaceholder, !handle.isConnected {
        return .refused
      }
      // Waiting for a stalled server happens without a context's lock.
      handle.stopTime()
      // The last one is restored first, and sets the clock: the first context of the device that plays.
      var contexts = livingContexts.reversed() as [AudioContext]
      if let index = contexts.lastIndex(where: { $0.state.withLock { $0.playsSource } }) {
        contexts.append(contexts.remove(at: index))
      }
      var snapshots: [ContextSnapshot] = []
      let outcome = migrate(contexts[...], &snapshots, next, isAsked: isAsked)
      handle.resumeAfterReplacement(keepsTime: keepsTime)
      handle.endReplacement()
      return outcome
    }
  }

  /// Takes the contexts' locks one after the other, replaces the device, then resumes each context.
  private func migrate(
    _ contexts: ArraySlice<AudioContext>,
    _ snapshots: inout [ContextSnapshot],
    _ next: borrowing ReplacementDevice,
    isAsked: Bool
  ) -> DeviceHandle.Outcome {
    guard let context = contexts.first else {
      handle.beginReplacement()
      for index in snapshots.indices { snapshots[index].read() }
      let outcome = handle.replace(with: next, contexts: snapshots.count)
      if outcome == .done {
        outputSelection.withLock { choice in
          guard let name = next.name else { return choice.leave() }
          choice.arrive(on: name, by: next.openedName, isAsked: isAsked)
        }
      }
      return outcome
    }
    return context.state.withLock { state in
      let index = snapshots.count
      snapshots.append(state.beginMigration())
      let outcome = migrate(contexts.dropFirst(), &snapshots, next, isAsked: isAsked)
      if outcome == .done {
        // One context sets the clock: the times at which its sources wait must not move again.
        state.endMigration(snapshots[index], setsClock: contexts.count == 1)
        if handle.isPlaceholder { state.observation.postLoss() } else { state.observation.postReturn() }
      }
      return outcome
    }
  }
}
