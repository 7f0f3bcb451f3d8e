extension AudioDevice {
  /// What is noted of an output that the device has come to, which is called so.
  typealias Arrival = (inout OutputChoice, String) -> Void

  /// Brings all contexts, with all that they play, to another device of the library; says whether that was possible.
  ///
  /// `make` opens it, and may take long. Called without a lock. With a number of turns, only where the device was brought nowhere since
  /// there were so many.
  func carry(
    keepsTime: Bool,
    after turns: Int? = nil,
    noting arrival: Arrival = { $0.arrive(on: $1) },
    to make: (borrowing DeviceHandle) -> NextOutput?
  ) -> Bool {
    // A context that comes or goes meanwhile lets it fail.
    for _ in 0..<4 {
      if let isDone = carryOnce(keepsTime, turns, arrival, make) { return isDone }
    }
    // So that none comes any more.
    return promisedSends.withLock { _ in
      while true {
        if let isDone = carryOnce(keepsTime, turns, arrival, make) { return isDone }
      }
    }
  }

  /// The same, or `nil` where a context came or went meanwhile.
  private func carryOnce(
    _ keepsTime: Bool,
    _ turns: Int?,
    _ arrival: Arrival,
    _ make: (borrowing DeviceHandle) -> NextOutput?
  ) -> Bool? {
    guard let next = make(handle) else { return false }
    let outcome = carrying.withLock { _ -> DeviceHandle.Swap in
      if let turns, turns != outputChoice.withLock({ $0.turns }) { return .refused }
      let contexts = contexts.withLock { $0 }.compactMap(\.context)
      // May wait for a server that hangs, and nothing else does.
      handle.stopTime()
      let outcome = carry(contexts[...], CarryingPlan(), next, arrival)
      handle.resumeAfterSwap(keepsTime: keepsTime)
      handle.endSwap()
      return outcome
    }
    // What was there before is closed now, when those who waited have gone on.
    return outcome == .changed ? nil : outcome == .done
  }

  /// Takes the contexts' locks one after the other; with all of them, swaps; then has each go on.
  private func carry(
    _ contexts: ArraySlice<AudioContext>,
    _ plan: CarryingPlan,
    _ next: borrowing NextOutput,
    _ arrival: Arrival
  ) -> DeviceHandle.Swap {
    guard let context = contexts.first else {
      handle.beginSwap()
      plan.read()
      let outcome = handle.swap(with: next, contextCount: plan.contexts.count)
      if outcome == .done {
        outputChoice.withLock { choice in
          if let name = next.name { arrival(&choice, name) } else { choice.leave() }
        }
      }
      return outcome
    }
    return context.state.withLock { state in
      let place = plan.append(context.beginCarrying(state))
      let outcome = carry(contexts.dropFirst(), plan, next, arrival)
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
