internal import AudioSupport

extension AudioDevice {
  /// Whether time is stopped.
  var isSuspended: Bool { heldSuspensions.withLock { $0.isFrozen } }

  /// The current suspensions.
  ///
  /// They share no memory with the suspensions of the device: the thread sanitizer misses the references of a copy.
  var suspensions: Suspensions { heldSuspensions.withLock { $0.unshared } }

  /// Changes the suspensions, and updates the library and all contexts.
  func changeSuspensions(_ body: (inout Suspensions) -> Void) {
    let hasStopped = stopping.withLock { isStopped in
      let isFrozen = heldSuspensions.withLock { suspensions in
        body(&suspensions)
        return suspensions.isFrozen
      }
      return !isFrozen || setStopped(true, &isStopped)
    }
    if !hasStopped { applyLater() }
    // Sources perform their deferred calls before time resumes.
    let references = contexts.withLock { $0 }
    for reference in references { reference.object?.applySuspension() }
    // If another thread still performs deferred calls, it resumes time afterwards: the last thread passes this guard.
    guard references.allSatisfy({ $0.object?.hasAppliedSuspension ?? true }) else { return }
    // Another thread may have suspended the device again.
    let hasStarted = stopping.withLock { isStopped in isSuspended || setStopped(false, &isStopped) }
    if !hasStarted { applyLater() }
    // The thread of the watchdog ends in a suspension, where no source plays. A server that hangs keeps time from being
    // stopped, so that this call may have nothing to start.
    if isMixedByLibrary, !isSuspended { ClockWatchdog.all.begin() }
  }

  /// Stops or starts time in the library; returns `false` while the server of the output hangs, and does nothing then.
  ///
  /// The library would wait for the server, and most calls of other threads with it.
  private func setStopped(_ stops: Bool, _ isStopped: inout Bool) -> Bool {
    guard stops != isStopped else { return true }
    guard !waitsForServer(atMost: SoundServers.shortPatience) else { return false }
    isStopped = stops
    if stops { freeze() } else { thaw() }
    return true
  }

  private func waitsForServer(atMost nanoseconds: Int64) -> Bool {
    isMixedByLibrary && isOnOutput && serverAnswer(within: nanoseconds) == .hangs
  }

  /// Lets a thread stop or start time when the server answers.
  private func applyLater() {
    let reference = Weak(self)
    suspensionLoop.begin {
      reference.object.map { $0.applySuspensions() ? .end : .after(Backoff.shortest) } ?? .end
    }
  }

  /// Stops or starts time as the suspensions ask; returns `false` if it has to be tried again.
  private func applySuspensions() -> Bool {
    // A call of the program may wait for the lock: the long wait comes before it.
    guard !waitsForServer(atMost: SoundServers.patience) else { return false }
    let mayStart = livingContexts.allSatisfy(\.hasAppliedSuspension)
    return stopping.withLock { isStopped in
      let isFrozen = isSuspended
      return (isFrozen || mayStart) && setStopped(isFrozen, &isStopped)
    }
  }

  private func freeze() {
    // The output stops before its mix does: it has what it asks for until then.
    output?.changeSuspensions { $0.suspend(.freeze, for: .processedMix) }
    outputMixer?.setSuspended(true)
    handle.suspend()
    clockMixer?.setSuspended(true)
  }

  private func thaw() {
    handle.resume()
    clockMixer?.setSuspended(false)
    outputMixer?.setSuspended(false)
    output?.changeSuspensions { $0.resume(from: .processedMix) }
    // No polls happen while time is stopped.
    wakeMonitor()
    tickLoop.signal()
  }
}
