internal import AudioSupport

extension AudioDevice {
  /// Migrates all contexts, with all their playback, to another device of the library; returns whether it succeeded.
  ///
  /// `make` opens the new device, and may take long. `isAsked` is true where the program asked for the migration. With
  /// `turns`, the migration only happens if the device has not moved since that count. Call this without a lock.
  func carry(
    keepsTime: Bool,
    isAsked: Bool = false,
    after turns: Int? = nil,
    to make: (borrowing DeviceHandle) -> NextOutput?
  ) -> Bool {
    func carryOnce() -> Bool? {
      guard let next = make(handle) else { return false }
      // The return closes the previous device, after the waiting threads have gone on.
      return switch carry(to: next, keepsTime: keepsTime, isAsked: isAsked, after: turns) {
      case .done: true
      case .refused: false
      case .changed: nil
      }
    }
    // The replacement fails if a context comes or goes meanwhile.
    for _ in 0..<4 {
      if let isDone = carryOnce() { return isDone }
    }
    // This lock keeps new contexts away.
    return promisedSends.withLock { _ in
      while true {
        if let isDone = carryOnce() { return isDone }
      }
    }
  }

  private func carry(
    to next: borrowing NextOutput,
    keepsTime: Bool,
    isAsked: Bool,
    after turns: Int?
  ) -> DeviceHandle.Swap {
    carrying.withLock { _ in
      if let turns, turns != outputChoice.withLock({ $0.turns }) { return .refused }
      // An automatic move has not taken the loss of the output into account, which may have to pause all sources.
      if turns != nil, next.name != nil, survivesLoss, !handle.isStandIn, !handle.isConnected { return .refused }
      let contexts = contexts.withLock { $0 }.compactMap(\.object)
      // Waiting for a stalled server happens without a context's lock.
      handle.stopTime()
      let outcome = carry(contexts[...], CarryingPlan(), next, isAsked: isAsked)
      handle.resumeAfterSwap(keepsTime: keepsTime)
      handle.endSwap()
      return outcome
    }
  }

  /// Takes the contexts' locks one after the other, replaces the device, then resumes each context.
  private func carry(
    _ contexts: ArraySlice<AudioContext>,
    _ plan: CarryingPlan,
    _ next: borrowing NextOutput,
    isAsked: Bool
  ) -> DeviceHandle.Swap {
    guard let context = contexts.first else {
      handle.beginSwap()
      plan.read()
      let outcome = handle.swap(with: next, contextCount: plan.contexts.count)
      if outcome == .done {
        outputChoice.withLock { choice in
          guard let name = next.name else { return choice.leave() }
          choice.arrive(on: name, by: next.openedName, isAsked: isAsked)
        }
      }
      return outcome
    }
    return context.state.withLock { state in
      let place = plan.append(context.beginCarrying(state))
      let outcome = carry(contexts.dropFirst(), plan, next, isAsked: isAsked)
      if outcome == .done {
        context.endCarrying(plan.contexts[place], &state)
        if handle.isStandIn { context.noteDeparture(&state) } else { context.noteArrival(&state) }
      }
      return outcome
    }
  }
}

/// The migrated contexts of a device; used by one thread.
private final class CarryingPlan {
  private(set) var contexts: [CarriedContext] = []

  func append(_ context: CarriedContext) -> Int {
    contexts.append(context)
    return contexts.count - 1
  }

  func read() { for index in contexts.indices { contexts[index].read() } }
}
