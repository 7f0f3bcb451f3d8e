extension AudioDevice {
  /// Brings all contexts, with all that they play, to another device of the library; says whether that was possible.
  ///
  /// `make` opens it, and may take long. Called without a lock.
  func carry(keepsTime: Bool = true, to make: (borrowing DeviceHandle) -> NextOutput?) -> Bool {
    carrying.withLock { _ in
      // A context that comes or goes meanwhile lets it fail.
      for _ in 0..<8 {
        guard let next = make(handle) else { return false }
        let contexts = contexts.withLock { $0 }.compactMap(\.context)
        let plan = CarryingPlan()
        let outcome = carry(contexts[...], plan, next)
        handle.resumeAfterSwap(keepsTime: keepsTime)
        handle.endSwap()
        // What was there before is closed now, when those who waited have gone on.
        if outcome != .changed { return outcome == .done }
      }
      return false
    }
  }

  /// Takes the contexts' locks one after the other; with all of them, swaps; then has each go on.
  private func carry(
    _ contexts: ArraySlice<AudioContext>,
    _ plan: CarryingPlan,
    _ next: borrowing NextOutput
  ) -> DeviceHandle.Swap {
    guard let context = contexts.first else {
      handle.beginSwap()
      plan.read()
      return handle.swap(with: next)
    }
    return context.state.withLock { state in
      let place = plan.append(context.beginCarrying(state))
      let outcome = carry(contexts.dropFirst(), plan, next)
      if outcome == .done { context.endCarrying(plan.contexts[place], &state) }
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
