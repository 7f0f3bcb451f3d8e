internal import AudioSupport

extension AudioContext {
  /// The reasons of the suspension, each with its mode.
  ///
  /// All contexts of a device are suspended together.
  public var suspensions: [SuspensionReason: SuspensionMode] { device.suspensions.modes }

  /// Whether the context is suspended, for any reason.
  public var isSuspended: Bool { !suspensions.isEmpty }

  /// Suspends the context for a reason; by default time stops, because the user has paused the game.
  ///
  /// All contexts of the device are suspended together. The strongest ``SuspensionMode`` of all reasons applies, and
  /// the context resumes when no reason is left. A second suspension for the same reason replaces the mode. An
  /// ``OfflineRenderer`` renders silence while time is stopped. Without ``Capabilities/suspension`` time does not stop,
  /// and only ``SuspensionMode/mute`` suspends.
  ///
  /// ```swift
  /// context.suspend(.mute, for: .interruption)
  /// context.suspend(.queue, for: .background)
  /// context.resume(from: .interruption)
  /// ```
  ///
  /// The OpenAL counterpart is `alcDevicePauseSOFT`; `alcSuspendContext` is ``withDeferredUpdates(_:)``.
  public func suspend(_ mode: SuspensionMode = .freeze, for reason: SuspensionReason = .userPause) {
    device.changeSuspensions { $0.suspend(mode, for: reason) }
  }

  /// Ends the suspension for a reason; does nothing for a reason that does not hold.
  ///
  /// The context stays suspended while another reason holds.
  ///
  /// The OpenAL counterpart is `alcDeviceResumeSOFT`.
  public func resume(from reason: SuspensionReason = .userPause) {
    device.changeSuspensions { $0.resume(from: reason) }
  }
}

extension AudioDevice {
  /// Whether time is stopped.
  var isSuspended: Bool { suspensions.isFrozen }

  /// The current suspensions.
  var suspensions: Suspensions { heldSuspensions.withLock { $0 } }

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
    for reference in references { reference.object?.settleSuspension() }
    // If another thread still performs deferred calls, it resumes time afterwards: the last thread finds all contexts
    // settled.
    guard references.allSatisfy({ $0.object?.isSettled ?? true }) else { return }
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
    // No polls happen while time is stopped.
    wakeMonitor()
  }
}
