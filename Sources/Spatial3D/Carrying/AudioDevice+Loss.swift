internal import AudioSupport

extension AudioDevice {
  /// The choice of the output when outputs come, go and change.
  ///
  /// Default: ``DevicePolicy/follow`` of a device that was opened as the default output, and ``DevicePolicy/stay`` of
  /// one that was opened by name. The policy has no effect on ``silent`` and offline devices.
  ///
  /// With ``Capabilities/systemEvents`` the system reports a new default output, and the removal of an output in use.
  /// Without them, the device detects both within two seconds, by polling. It also polls from the loss of an output
  /// until the system reports one again. To poll, a thread opens the output once more for a moment, which holds up no
  /// call of OpenAL Soft 1.19. If that takes longer than two milliseconds, the thread polls less often, for a
  /// thousandth of the time. Only outputs of a sound server are polled: the outputs of OpenAL Soft's own backends
  /// (ALSA, OSS, JACK) have no alternative.
  ///
  /// The OpenAL counterparts are `ALC_SOFT_reopen_device` and `ALC_SOFT_system_events`. The latter has one callback per
  /// process, which this package takes when it opens the first output.
  public var policy: DevicePolicy {
    get { outputChoice.withLock { $0.policy } }
    set {
      outputChoice.withLock { $0.adopt(newValue) }
      if !isOffline, silence == nil { OutputWatch.all.look() }
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
    get { outputChoice.withLock { $0.keepsTime } }
    set {
      outputChoice.withLock { $0.keepsTime = newValue }
      // The thread that looks for an output applies the change: a stalled server would block this thread.
      if !isOffline, silence == nil { keep() }
    }
  }

  /// Moves all contexts to another output, with their playback.
  ///
  /// With ``Capabilities/deviceReopening`` the library moves everything in place. Without it, the package creates all
  /// objects anew on the output. This takes as long as copying the sounds that are not
  /// ``SoundBuffer/Storage/borrowed``, and cuts off the tail of a reverb. The ``policy`` stays the same: unless
  /// it is ``DevicePolicy/stay``, the device leaves the output at the next change of the default. The rate of the mix
  /// stays the same where the output supports it.
  ///
  /// - Parameter name: One of ``outputNames``; `nil` for the default output.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or it would not open:
  ///   the device then stays on its output and plays on. Also on a ``silent`` or an offline device, which has no
  ///   output.
  ///
  /// The OpenAL counterpart is `alcReopenDeviceSOFT`.
  public func move(to name: String?) throws(AudioError) {
    guard !isOffline, silence == nil else { throw .noOutput(of: self.name) }
    try DeviceHandle.checkKnown(name, "move to an audio device")
    guard go(to: name, isAsked: true) else { throw .noOutput(named: name, "move to an audio device") }
    noteConnections()
    OutputWatch.all.look()
  }
}

extension AudioDevice {
  /// Starts the search for an output, where the present one is lost or should be another.
  func keep(atOnce: Bool = true) { keeper.begin(for: self, atOnce: atOnce) }

  /// Whether the device is on a connected output.
  var isOnOutput: Bool { !handle.isStandIn && handle.isConnected }

  /// Polls the output, and starts a search where the device has to move; returns whether to poll again after a time.
  func look(_ look: inout OutputLook) -> Bool {
    if handle.isStandIn {
      // A device on a placeholder searches by itself; a system event makes it search at once.
      keep(atOnce: look.isTold)
      return !keeper.isRunning
    }
    // The poll of the contexts reports a loss.
    guard isOnOutput else { return false }
    let choice = outputChoice.withLock { $0 }
    let finding = look.finding(for: choice)
    if choice.step(for: finding) == .stay {
      outputChoice.withLock { $0.note(finding, after: choice.turns) }
    } else {
      keep()
    }
    return look.isAsked(of: choice.current)
  }

  /// Replaces a lost output with a placeholder; returns whether the device is on one.
  func standIn() -> Bool {
    while !handle.isStandIn, !handle.isConnected {
      let choice = outputChoice.withLock { $0 }
      let isCarried = carry(keepsTime: choice.keepsTime, after: choice.turns) { NextOutput(standingInFor: $0) }
      if isCarried {
        OutputWatch.all.doubt()
        if choice.policy == .pauseOnOutputLoss { pauseAll() }
      }
      keep()
      // If the device has moved meanwhile, its new output may be lost again.
      if isCarried || choice.turns == outputChoice.withLock({ $0.turns }) { return isCarried }
    }
    return handle.isStandIn
  }

  /// Moves the device where necessary; returns the nanoseconds until the next try, `nil` where the output is as it
  /// should be.
  ///
  /// One thread calls it, without a lock.
  func findOutput(_ search: inout OutputSearch) -> Int64? {
    defer { noteConnections() }
    // A move or a new policy by the program takes precedence: this snapshot is outdated then.
    let choice = outputChoice.withLock { $0 }
    if handle.isStandIn {
      carrying.withLock { _ in handle.keepTime(choice.keepsTime) }
      // The read precedes the move, so that a later change of the default counts as a change.
      let isTold = OutputWatch.all.hearing == .told
      let listed = choice.wanted == nil && isTold ? Self.defaultOutputName : nil
      guard go(to: choice.wanted, after: choice.turns) else { return search.backoff.next() }
      noteArrival(OutputChoice.Finding(defaultName: listed, isListed: true), after: choice)
      return nil
    }
    if !handle.isConnected {
      OutputWatch.all.doubt()
      return leave(choice, &search)
    }
    var look = OutputLook(OutputWatch.all.hearing)
    let finding = look.finding(for: choice)
    switch choice.step(for: finding) {
    case .stay:
      outputChoice.withLock { $0.note(finding, after: choice.turns) }
    case .leave:
      // Without a device on an output, the restart of a server may go undetected.
      OutputWatch.all.doubt()
      return leave(choice, &search)
    case .move(let pausing):
      if pausing {
        pauseOnce(choice, &search)
      } else if choice.policy == .pauseOnOutputLoss, let wait = search.doubt(at: monotonicTime()) {
        return wait
      }
      // The move stops playback, also where the output would not open.
      guard look.opensDefault(), go(to: nil, after: choice.turns) else { return search.backoff.next() }
      noteArrival(finding, after: choice)
    }
    return nil
  }

  /// Moves to a placeholder at once: sources must not appear to have stopped.
  private func leave(_ choice: OutputChoice, _ search: inout OutputSearch) -> Int64? {
    let isCarried = carry(keepsTime: choice.keepsTime, after: choice.turns) { NextOutput(standingInFor: $0) }
    if isCarried, choice.policy == .pauseOnOutputLoss { pauseOnce(choice, &search) }
    // Without a placeholder, the device may still move to another output.
    if !isCarried, go(to: choice.wanted, after: choice.turns) {
      noteArrival(OutputChoice.Finding(), after: choice)
      return nil
    }
    return search.backoff.next()
  }

  private func pauseOnce(_ choice: OutputChoice, _ search: inout OutputSearch) {
    guard search.pausedTurns != choice.turns else { return }
    search.pausedTurns = choice.turns
    pauseAll()
  }

  /// Stores the default output from before the move and polls it, unless the program has moved the device meanwhile.
  private func noteArrival(_ finding: OutputChoice.Finding, after choice: OutputChoice) {
    let names = finding.isListed ? Self.outputNames : []
    outputChoice.withLock { $0.noteArrival(finding, among: names, after: choice.turns + 1) }
    OutputWatch.all.look()
  }

  /// Moves everything to an output; returns false if it would not open, or if the device has moved elsewhere meanwhile.
  ///
  /// `isAsked` is true where the program asked for the move.
  private func go(to name: String?, isAsked: Bool = false, after turns: Int? = nil) -> Bool {
    let isReopened = carrying.withLock { _ -> Bool? in
      if let turns, turns != outputChoice.withLock({ $0.turns }) { return false }
      // Reopening fails without library support, and on a placeholder.
      guard let isReopened = handle.reopen(named: name) else { return nil }
      if isReopened {
        let current = handle.name
        outputChoice.withLock { $0.arrive(on: current, by: name, isAsked: isAsked) }
        for context in livingContexts { context.noting { state in context.noteMove(&state) } }
        // The new output may have another rate.
        reloadEffects()
      }
      return isReopened
    }
    if let isReopened { return isReopened }
    let keepsTime = keepsTimeWithoutOutput
    return carry(keepsTime: keepsTime, isAsked: isAsked, after: turns) { NextOutput(for: $0, named: name) }
  }

  private func pauseAll() {
    for context in livingContexts { context.noting { state in context.pauseAll(&state) } }
  }

  /// Updates the connection state of all contexts.
  private func noteConnections() {
    for context in livingContexts { context.noting { state in _ = context.noteConnection(&state) } }
    wakeMonitor()
  }

  private var livingContexts: [AudioContext] { contexts.withLock { $0 }.compactMap(\.object) }
}

extension AudioContext {
  /// Reports that a placeholder has replaced the output.
  func noteDeparture(_ state: inout State) {
    guard state.watch.isConnected else { return }
    state.watch.isConnected = false
    post(.deviceLost, &state)
  }

  /// Reports a returned output, or a different one.
  func noteArrival(_ state: inout State) {
    let isBack = !state.watch.isConnected
    state.watch.isConnected = true
    post(isBack ? .deviceReturned : .outputChanged, &state)
  }

  /// Reports a different output, unless a loss of it was already reported.
  fileprivate func noteMove(_ state: inout State) {
    state.mixLength = nil
    if state.watch.isConnected { post(.outputChanged, &state) }
  }

  /// Pauses all sources that play or wait, with the device as the cause.
  fileprivate func pauseAll(_ state: inout State) {
    performing(&state) { state in
      var ids: [UInt32] = []
      for (key, id, _) in state.scene.sources {
        let place = state.watch.place(of: key)
        if let place { catchUp(place, &state) }
        if let stream = place.flatMap({ state.watch[$0].stream }) {
          if stream.state.withLock({ $0.pause() }).verb != nil { ids.append(id) }
        } else if handle.state(id) == .playing {
          ids.append(id)
        }
        state.schedule.pause(key)
      }
      handle.perform(.pause, ids)
    }
    state.kept.pauseForDevice()
    for (key, id, _) in state.scene.sources {
      mark(key, id, &state)
      guard let place = state.watch.place(of: key) else { continue }
      if let stream = state.watch[place].stream {
        noteState(of: stream, place, at: nil, by: .device, &state)
      } else {
        let changes = state.watch[place].tracker.found(finding(place, currentState(of: place, state), state))
        post(changes, of: place, at: nil, by: changes.after == .paused ? .device : nil, &state)
        settle(place, &state)
      }
    }
  }
}

extension AudioError {
  fileprivate static func noOutput(of name: String) -> AudioError {
    AudioError(
      code: .deviceUnavailable,
      operation: "move to an audio device",
      message: "the device is \(name), which has no output to leave. Create a context on an AudioDevice that has one.",
      underlying: nil
    )
  }
}
