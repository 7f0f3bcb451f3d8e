extension AudioContext {
  /// What the scene is suspended for, and how, for each reason that holds.
  ///
  /// All contexts of a device are suspended together.
  public var suspensions: [SuspensionReason: SuspensionMode] { device.suspensions.modes }

  /// Whether the scene is suspended, for any reason.
  public var isSuspended: Bool { !suspensions.isEmpty }

  /// Suspends the scene until the reason no longer holds: by default time stands still, as the user has paused the game.
  ///
  /// All contexts of the device are suspended together. Of several reasons the strongest ``SuspensionMode`` applies, and the
  /// scene goes on when none is left. Suspending twice for one reason is suspending once, in the later mode. An
  /// ``OfflineRenderer`` renders silence while time stands still. Without ``Capabilities/suspension`` it does not stand still, and
  /// only ``SuspensionMode/mute`` suspends.
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

  /// Lets the scene go on, unless another reason holds; does nothing for a reason that does not hold.
  ///
  /// The OpenAL counterpart is `alcDeviceResumeSOFT`.
  public func resume(from reason: SuspensionReason = .userPause) {
    device.changeSuspensions { $0.resume(from: reason) }
  }
}

extension AudioDevice {
  /// Whether time stands still.
  var isSuspended: Bool { suspensions.isFrozen }

  /// What holds now.
  var suspensions: Suspensions { heldSuspensions.withLock { $0 } }

  /// Changes what holds, and brings the library and all contexts there.
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
    // Sources are told before time goes on.
    let references = contexts.withLock { $0 }
    for reference in references { reference.context?.settleSuspension() }
    // A thread that tells some still lets time go on when it has: the last one finds all settled.
    guard references.allSatisfy({ $0.context?.isSettled ?? true }) else { return }
    stopping.withLock { isStopped in
      // Another thread may have suspended it again.
      if !isSuspended, isStopped {
        isStopped = false
        thaw()
      }
    }
  }

  private func freeze() {
    handle.suspend()
    silence?.setSuspended(true)
  }

  private func thaw() {
    handle.resume()
    silence?.setSuspended(false)
    // While time stands still nobody looks.
    if !isOffline { bell.ring() }
  }
}
