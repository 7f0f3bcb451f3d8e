internal import AudioSupport
internal import Synchronization

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

// MARK: - Deferred calls

extension AudioContext {
  /// Whether no deferred calls are running or due.
  var hasAppliedSuspension: Bool {
    state.withLock { !$0.deferred.isRunning && ($0.deferred.queued.isEmpty || device.suspensions.defersCommands) }
  }

  /// Applies the suspension of the device to the context, except for work that another thread is doing.
  func applySuspension() {
    state.withLock { state in
      let suspensions = device.suspensions
      handle.setMuted(suspensions.isMuted, listenerGain: state.scene.listener.gain.rawValue)
      // The positions of all sources for the time of the suspension.
      if suspensions.isFrozen { PositionRecords.recordAll(in: &state.records, by: handle) }
      guard suspensions.defersCommands else { return }
      state.deferred.isOn = true
      defersCommands.store(true, ordering: .releasing)
    }
    var hasRun = false
    while let sources = takeDeferredCalls(hasRun: hasRun) {
      for (reference, playback) in sources {
        guard let source = reference.object else { continue }
        for call in playback.calls { source.performDeferred(call) }
        // A one-shot that never begins sends no notification that would release it: its play call was cancelled, or
        // failed. A source that began is not `initial` again, however short its sound is.
        if playback.state == .stopped || source.state == .initial { dropOneShot(ObjectIdentifier(source)) }
      }
      hasRun = true
    }
  }

  /// The next deferred calls to perform, for one thread at a time.
  ///
  /// `hasRun` is whether the thread has performed earlier calls. Returns `nil` if no calls are left; from then on calls
  /// run at once.
  private func takeDeferredCalls(hasRun: Bool) -> [DeferredCallQueue.Run]? {
    state.withLock { state in
      if hasRun, let pauses = state.deferred.takePauses(in: &state.records) { return pauses }
      if hasRun { state.deferred.endRun(in: &state.records) }
      guard state.deferred.isOn, !state.deferred.isRunning, !device.suspensions.defersCommands else { return nil }
      guard state.deferred.queued.isEmpty else { return state.deferred.run(in: &state.records) }
      state.deferred.isOn = false
      defersCommands.store(false, ordering: .releasing)
      return nil
    }
  }

  /// Defers a call; returns whether it did.
  @inline(__always)
  func defers(_ call: DeferredPlayback.Call, of source: SoundSource) -> Bool {
    defersCommands.load(ordering: .acquiring) && deferIfSuspended(call, of: source)
  }

  private func deferIfSuspended(_ call: DeferredPlayback.Call, of source: SoundSource) -> Bool {
    let reference = Weak(source)
    // The state does not change during the suspension, except that the loss of a device pauses.
    let now = DeferredPlayback(state: source.ownState, frame: source.ownPosition)
    return state.withLock { state in
      guard state.deferred.isOn else { return false }
      state.deferred.add(call, of: (source.key, reference), now: now, to: &state.records)
      return true
    }
  }

  /// The future state of a source with deferred calls; `nil` without any.
  @inline(__always)
  func deferredPlayback(of source: SoundSource) -> DeferredPlayback? {
    guard defersCommands.load(ordering: .acquiring) else { return nil }
    return state.withLock { $0.records[source.key].deferred.playback }
  }
}

extension SoundSource {
  /// Performs a deferred call.
  fileprivate func performDeferred(_ call: DeferredPlayback.Call) {
    switch call {
    case .play: perform(.play)
    case .playAt(let time): context.perform([self], at: time)
    case .pause: perform(.pause)
    case .stop: perform(.stop)
    case .rewind: perform(.rewind)
    case .seek(let frame): seek(to: frame)
    // The combined calls have parted it.
    case .playFrom(let frame):
      seek(to: frame)
      perform(.play)
    }
  }
}
