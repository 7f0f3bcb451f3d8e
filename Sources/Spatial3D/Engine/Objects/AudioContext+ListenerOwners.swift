internal import AudioSupport
internal import Synchronization

// A layer above that sets the listener from a listener of its own, such as a world, is an owner of the listener.

extension AudioContext {
  /// Whether the context belongs to the process that forked this process.
  package var isInherited: Bool { handle.isInherited }

  /// Adds an owner of the listener; returns its number.
  ///
  /// The context reports the diagnostic when the program sets the listener beside its owner, once for each context.
  package func addListenerOwner(reporting diagnostic: Diagnostic) -> Int {
    state.withLock { state in
      let number = state.listenerOwners.add(reporting: diagnostic)
      reportsListener.store(state.listenerOwners.awaitsReport, ordering: .relaxed)
      return number
    }
  }

  package func removeListenerOwner(_ number: Int) {
    state.withLock { state in
      state.listenerOwners.remove(number)
      reportsListener.store(state.listenerOwners.awaitsReport, ordering: .relaxed)
    }
  }

  /// Whether an owner of the listener is left that was added before an owner.
  package func hasOlderListenerOwner(than number: Int) -> Bool {
    state.withLock { $0.listenerOwners.hasOlder(than: number) }
  }

  /// Reports once that the program sets a listener with an owner, unless the value is the present one.
  @inline(never)
  func reportOwnedListener(_ newValue: Listener) {
    guard newValue != listener else { return }
    let diagnostic = state.withLock { state in
      let diagnostic = state.listenerOwners.takeReport()
      reportsListener.store(false, ordering: .relaxed)
      return diagnostic
    }
    if let diagnostic { report(diagnostic) }
  }
}
