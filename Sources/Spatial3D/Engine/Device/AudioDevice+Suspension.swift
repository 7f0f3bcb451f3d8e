internal import AudioSupport

extension AudioDevice {
  /// Whether time is stopped.
  var isSuspended: Bool { heldSuspensions.withLock { $0.isFrozen } }

  /// The current suspensions.
  ///
  /// They share no memory with those of the device: the thread sanitizer does not observe the references of a copy.
  var suspensions: Suspensions { heldSuspensions.withLock { $0.unshared } }

  /// Changes the suspensions, and updates the library and all contexts.
  func changeSuspensions(_ body: (inout Suspensions) -> Void) {
    stopping.withLock { isStopped in
      let isFrozen = heldSuspensions.withLock { suspensions in
        body(&suspensions)
        return suspensions.isFrozen
      }
      if isFrozen, !isStopped {
        isStopped = true
        freeze()
      }
    }
    // Sources perform their deferred calls before time resumes.
    let references = contexts.withLock { $0 }
    for reference in references { reference.object?.applySuspension() }
    // If another thread still performs deferred calls, it resumes time afterwards: the last thread passes this guard.
    guard references.allSatisfy({ $0.object?.hasAppliedSuspension ?? true }) else { return }
    stopping.withLock { isStopped in
      // Another thread may have suspended the device again.
      if !isSuspended, isStopped {
        isStopped = false
        thaw()
      }
    }
  }

  private func freeze() {
    handle.suspend()
    clockMixer?.setSuspended(true)
  }

  private func thaw() {
    handle.resume()
    clockMixer?.setSuspended(false)
    if !isOffline, clockMixer == nil { ClockWatchdog.all.begin() }
    // No polls happen while time is stopped.
    wakeMonitor()
    tickLoop.signal()
  }
}
