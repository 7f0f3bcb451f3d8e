extension AudioDevice {
  /// Brings all contexts, with all that they play, to another device of the library; says whether that was possible.
  ///
  /// `make` opens it, and may take long; `isAsked`: because the program wants it. Called without a lock. With a number of turns, only
  /// where the device was brought nowhere since there were so many.
  func carry(
    keepsTime: Bool,
    isAsked: Bool = false,
    after turns: Int? = nil,
    to make: (borrowing DeviceHandle) -> NextOutput?
  ) -> Bool {
    func carryOnce() -> Bool? {
      guard let next = make(handle) else { return false }
      // What was there before is closed when this returns, and those who waited have gone on.
      return switch carry(to: next, keepsTime: keepsTime, isAsked: isAsked, after: turns) {
      case .done: true
      case .refused: false
      case .changed: nil
      }
    }
    // A context that comes or goes meanwhile lets it fail.
    for _ in 0..<4 {
      if let isDone = carryOnce() { return isDone }
    }
    // So that none comes any more.
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
      // Who goes elsewhere by itself has not seen that the output was lost since, which may pause what plays.
      if turns != nil, next.name != nil, survivesLoss, !handle.isStandIn, !handle.isConnected { return .refused }
      let contexts = contexts.withLock { $0 }.compactMap(\.context)
      // A server that hangs is waited for without a context's lock.
      handle.stopTime()
      let outcome = carry(contexts[...], CarryingPlan(), next, isAsked: isAsked)
      handle.resumeAfterSwap(keepsTime: keepsTime)
      handle.endSwap()
      return outcome
    }
  }

  /// Takes the contexts' locks one after the other; with all of them, swaps; then has each go on.
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

/// What is carried of all contexts of a device; of one thread.
private final class CarryingPlan {
  private(set) var contexts: [CarriedContext] = []

  func append(_ context: CarriedContext) -> Int {
    contexts.append(context)
    return contexts.count - 1
  }

  func read() { for index in contexts.indices { contexts[index].read() } }
}
