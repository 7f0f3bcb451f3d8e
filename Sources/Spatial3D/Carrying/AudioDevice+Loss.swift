extension AudioDevice {
  /// Looks for an output from now on, as the one that there was is gone.
  func keep() { keeper.begin(for: self) }

  /// Does what there is to do without an output; returns after how many nanoseconds to try again, `nil` where there is one.
  ///
  /// By one thread, without a lock.
  func findOutput(_ backoff: inout Backoff) -> Int64? {
    defer { noteConnections() }
    if !handle.isStandIn {
      if handle.isConnected { return nil }
      // At once: what plays must not be seen to have stopped.
      _ = carry { NextOutput(standingInFor: $0) }
      return backoff.next()
    }
    let name = openedName
    guard carry(to: { NextOutput(for: $0, named: name) }) else { return backoff.next() }
    heldName.withLock { $0 = handle.name }
    return nil
  }

  /// Has all contexts tell of what happened.
  private func noteConnections() {
    for context in contexts.withLock({ $0 }) {
      guard let context = context.context else { continue }
      context.noting { state in _ = context.noteConnection(&state) }
    }
    Lookout.all.bell.ring()
  }
}
