internal import AudioSupport

extension AudioDevice {
  /// The choice of the output when outputs come, go and change.
  ///
  /// Default: ``DevicePolicy/follow`` for a device that was opened as the default output, and ``DevicePolicy/stay`` for
  /// a device that was opened by name. The policy has no effect on ``silent`` and offline devices.
  /// A ``processed`` device has the policy of its ``output``.
  ///
  /// With ``Capabilities/systemEvents`` the system reports a new default output, and the removal of an output in use.
  /// Without them, the device detects both within two to four seconds, by polling. It also polls from the loss of an
  /// output until the system reports one again. To poll, a thread opens the output once more for a moment, which holds
  /// up no call of OpenAL Soft 1.19. If that takes longer than 20 milliseconds, the thread polls less often, for a
  /// hundredth of the time. Only outputs of a sound server are polled: the outputs of OpenAL Soft's own backends (ALSA,
  /// OSS, JACK) have no alternative.
  ///
  /// The OpenAL counterparts are `ALC_SOFT_reopen_device` and `ALC_SOFT_system_events`. The latter has one callback per
  /// process, which this package takes when it opens the first output.
  public var policy: DevicePolicy {
    get { (output ?? self).outputSelection.withLock { $0.policy } }
    set {
      if let output { return output.policy = newValue }
      outputSelection.withLock { $0.adopt(newValue) }
      if isMixedByLibrary { OutputMonitor.all.poll() }
    }
  }

  /// Whether time goes on while there is no output.
  ///
  /// `true`, the default: sounds go on inaudibly and end on time, loops and streams advance, and ``AudioContext/clock``
  /// goes on. Nothing that a game times by its sounds waits for a cable. `false`: everything stands still until there
  /// is an output, as after ``AudioContext/suspend(_:for:)``; a game that waits for a sound to end waits as long. A
  /// sound that is played meanwhile begins at once with `true`, and with the output with `false`.
  ///
  /// There is no OpenAL counterpart.
  public var keepsTimeWithoutOutput: Bool {
    get { (output ?? self).outputSelection.withLock { $0.keepsTime } }
    set {
      if let output { return output.keepsTimeWithoutOutput = newValue }
      outputSelection.withLock { $0.keepsTime = newValue }
      // The thread that looks for an output applies the change: a stalled server would block this thread.
      if isMixedByLibrary { reconnect() }
    }
  }

  /// Moves all contexts to another output, with their playback.
  ///
  /// With ``Capabilities/deviceReopening`` the library moves the device with all its objects. Without it, the package
  /// creates all objects anew on the output. This takes as long as copying the sounds that are not
  /// ``SoundBuffer/Storage/borrowed``, and cuts off the tail of a reverb. The ``policy`` stays the same: unless it is
  /// ``DevicePolicy/stay``, the device leaves the output at the next change of the default. The rate of the mix stays
  /// the same where the output supports it.
  ///
  /// - Parameter name: One of ``outputNames``; `nil` for the default output.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or it would not open:
  ///   the device then stays on its output and plays on. Also on a ``silent`` or an offline device, which has no
  ///   output.
  ///
  /// The OpenAL counterpart is `alcReopenDeviceSOFT`.
  public func move(to name: String?) throws(AudioError) {
    if let output { return try output.move(to: name) }
    guard isMixedByLibrary else { throw .noOutput(of: self.name) }
    try DeviceHandle.checkKnown(name, "move to an audio device")
    let isMoved = go(to: name, isAsked: true)
    // A move that failed may have found the present output lost.
    updateConnections()
    guard isMoved else { throw .noOutput(named: name, "move to an audio device") }
    OutputMonitor.all.poll()
  }
}

extension AudioDevice {
  /// Starts the search for an output, where the present one is lost or should be another.
  func reconnect(atOnce: Bool = true) { reconnectLoop.begin(for: self, atOnce: atOnce) }

  /// Whether the device is on a connected output.
  var isOnOutput: Bool { !handle.isPlaceholder && handle.isConnected }

  /// The answer of the servers of this machine within some nanoseconds, for an output that one of them may play.
  func serverAnswer(within nanoseconds: Int64 = SoundServers.patience) -> SoundServers.Answer {
    OutputProbe.mayBeOpened(name) ? SoundServers.answer(within: nanoseconds) : .unknown
  }

  /// Polls the output, and starts a search where the device has to move; returns whether to poll again after a time.
  func poll(_ probe: inout OutputProbe) -> Bool {
    if handle.isPlaceholder {
      // A device on a placeholder searches by itself; a system event makes it search at once.
      reconnect(atOnce: probe.hasEvents)
      return !reconnectLoop.isRunning
    }
    // The poll of the contexts reports a loss.
    guard isOnOutput else { return false }
    let choice = outputSelection.withLock { $0 }
    let finding = probe.finding(for: choice)
    if choice.step(for: finding) == .stay {
      outputSelection.withLock { $0.store(finding, after: choice.generation) }
    } else {
      reconnect()
    }
    return probe.isAsked(of: choice.current)
  }

  /// Replaces a lost output with a placeholder; returns whether the device is on one.
  func placeholder() -> Bool {
    while !handle.isPlaceholder, !handle.isConnected {
      let choice = outputSelection.withLock { $0 }
      let isMigrated = migrateToPlaceholder(choice)
      if isMigrated {
        OutputMonitor.all.doubt()
        // An audio session has a rule of its own for an output that is unplugged (pulled out): `SessionPolicy` reports
        // it, and `SessionLink.loseOutput` of GameAudio pauses players.
        if choice.policy == .pauseOnOutputLoss { pauseAll() }
      }
      reconnect()
      // If the device has moved meanwhile, its new output may be lost again.
      if isMigrated || choice.generation == outputSelection.withLock({ $0.generation }) { return isMigrated }
    }
    return handle.isPlaceholder
  }

  /// Moves the device where necessary; returns the nanoseconds until the next try, `nil` where the output is as it
  /// should be.
  ///
  /// One thread calls it, without a lock.
  func findOutput(_ search: inout OutputSearch) -> Int64? {
    defer { updateConnections() }
    // A move or a new policy by the program takes precedence: this snapshot is outdated then.
    let choice = outputSelection.withLock { $0 }
    // An output that is lost is left at once: no server takes part in that.
    if handle.isPlaceholder || handle.isConnected, serverAnswer() == .hangs { return search.backoff.next() }
    if handle.isPlaceholder {
      migrationLock.withLock { _ in handle.keepTime(choice.keepsTime) }
      // The read precedes the move, so that a later change of the default counts as a change.
      let hasEvents = OutputMonitor.all.eventSource == .live
      let listed = choice.wanted == nil && hasEvents ? Self.defaultOutputName : nil
      guard go(to: choice.wanted, after: choice.generation) else { return search.backoff.next() }
      adoptArrival(OutputSelection.Finding(defaultName: listed, isListed: true), after: choice)
      return nil
    }
    if !handle.isConnected {
      OutputMonitor.all.doubt()
      return leave(choice, &search)
    }
    var probe = OutputProbe(OutputMonitor.all.eventSource)
    let finding = probe.finding(for: choice)
    switch choice.step(for: finding) {
    case .stay:
      outputSelection.withLock { $0.store(finding, after: choice.generation) }
    case .leave:
      // Without a device on an output, the restart of a server may go undetected.
      OutputMonitor.all.doubt()
      return leave(choice, &search)
    case .reopen:
      guard go(to: choice.current, after: choice.generation) else { return search.backoff.next() }
      outputSelection.withLock { $0.store(finding, after: choice.generation + 1) }
    case .move(let pausing):
      if pausing {
        pauseOnce(choice, &search)
      } else if choice.policy == .pauseOnOutputLoss, let wait = search.doubt(at: monotonicTime()) {
        return wait
      }
      // The move stops playback, also where the output would not open.
      guard probe.opensDefault(), go(to: nil, after: choice.generation) else { return search.backoff.next() }
      adoptArrival(finding, after: choice)
    }
    return nil
  }

  private func migrateToPlaceholder(_ choice: OutputSelection) -> Bool {
    migrate(keepsTime: choice.keepsTime, after: choice.generation) { ReplacementDevice(placeholderFor: $0) }
  }

  /// Moves to a placeholder at once: sources must not appear to have stopped.
  private func leave(_ choice: OutputSelection, _ search: inout OutputSearch) -> Int64? {
    let isMigrated = migrateToPlaceholder(choice)
    if isMigrated, choice.policy == .pauseOnOutputLoss { pauseOnce(choice, &search) }
    // Without a placeholder, the device may still move to another output.
    if !isMigrated, go(to: choice.wanted, after: choice.generation) {
      adoptArrival(OutputSelection.Finding(), after: choice)
      return nil
    }
    return search.backoff.next()
  }

  private func pauseOnce(_ choice: OutputSelection, _ search: inout OutputSearch) {
    guard search.pausedGeneration != choice.generation else { return }
    search.pausedGeneration = choice.generation
    pauseAll()
  }

  /// Stores the default output from before the move and polls it, unless the program has moved the device meanwhile.
  private func adoptArrival(_ finding: OutputSelection.Finding, after choice: OutputSelection) {
    let names = finding.isListed ? Self.outputNames : []
    outputSelection.withLock { $0.adoptArrival(finding, among: names, after: choice.generation + 1) }
    OutputMonitor.all.poll()
  }

  /// Moves everything to an output; returns false if it would not open, or if the device has moved elsewhere meanwhile.
  ///
  /// `isAsked` is true where the program asked for the move.
  private func go(to name: String?, isAsked: Bool = false, after generation: Int? = nil) -> Bool {
    // The library would wait, and all other calls with it.
    serverAnswer() != .hangs && goUnasked(to: name, isAsked: isAsked, after: generation)
  }

  /// The same for a server that does not hang.
  private func goUnasked(to name: String?, isAsked: Bool, after generation: Int?) -> Bool {
    let isReopened = migrationLock.withLock { _ -> Bool? in
      if let generation, generation != outputSelection.withLock({ $0.generation }) { return false }
      // Reopening fails without library support, and on a placeholder.
      checkClock()
      guard let isReopened = handle.reopen(named: name) else { return nil }
      if isReopened {
        let current = handle.name
        outputSelection.withLock { $0.arrive(on: current, by: name, isAsked: isAsked) }
        for context in livingContexts { context.withState { state in state.postMove() } }
        // The new output may have another rate.
        reloadEffects()
      }
      return isReopened
    }
    if let isReopened { return isReopened }
    let keepsTime = keepsTimeWithoutOutput
    return migrate(keepsTime: keepsTime, isAsked: isAsked, after: generation) {
      ReplacementDevice(for: $0, named: name)
    }
  }

  func pauseAll() {
    playedMix.withLock { $0 }?.object?.pauseAll()
    for context in livingContexts {
      context.endFades(to: .stop)
      context.withState { state in state.pauseAll() }
    }
  }

  /// Opens an output again that goes on after its server hung.
  func reopenAfterHang() {
    let choice = outputSelection.withLock { $0 }
    guard reopen(choice) == false else { return }
    // The output plays on as it is. Another try would only interrupt it again.
    outputSelection.withLock { $0.storeHang(false, after: choice.generation) }
  }

  /// Opens an output again whose clock runs at a wrong rate, and reports that.
  func reopen(runningAt rate: Double) {
    let choice = outputSelection.withLock { $0 }
    guard let isOpened = reopen(choice) else { return }
    for context in livingContexts { context.report(.wrongRate(rate, of: choice.current, isOpened: isOpened)) }
  }

  /// Opens the present output again, and returns whether it opened.
  ///
  /// Returns `nil` if its server hangs, so that a later look tries it, and if the program moved the device meanwhile.
  private func reopen(_ choice: OutputSelection) -> Bool? {
    guard isOnOutput, serverAnswer() != .hangs else { return nil }
    let isOpened = goUnasked(to: choice.current, isAsked: false, after: choice.generation)
    updateConnections()
    // An output counts as removed only if a poll has found it since it was opened.
    if isOpened { OutputMonitor.all.poll() }
    return isOpened || choice.generation == outputSelection.withLock({ $0.generation }) ? isOpened : nil
  }

  /// Takes an output as lost that still stands still, and looks for another.
  ///
  /// A move since the `generation` has replaced that output.
  func takeStalledOutputAsLost(after generation: Int, if stillStands: () -> Bool) {
    let isLost = migrationLock.withLock { _ in
      guard generation == outputSelection.withLock({ $0.generation }), stillStands() else { return false }
      handle.setStalled()
      return true
    }
    guard isLost else { return }
    OutputMonitor.all.doubt()
    updateConnections()
    reconnect()
  }

  /// Updates the connection state of all contexts.
  private func updateConnections() {
    for context in livingContexts { context.withState { state in _ = state.observation.updateConnection() } }
    wakeMonitor()
  }
}

extension AudioError {
  fileprivate static func noOutput(of name: String) -> AudioError {
    AudioError(
      code: .deviceUnavailable,
      operation: "move to an audio device",
      message: "the device is \(name), which has no output to leave. Create a context on an AudioDevice that has one."
    )
  }
}
