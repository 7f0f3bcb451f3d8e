extension AudioDevice {
  /// Where the device goes when outputs come, go and change.
  ///
  /// Default: ``DevicePolicy/follow`` of a device that was opened as the default output, and ``DevicePolicy/stay`` of one that was
  /// opened by name. Of no effect on ``silent`` and offline devices.
  ///
  /// That another output has become the default, or that one was taken away from under what plays, is told by the system with
  /// ``Capabilities/systemEvents``. Without them, and from the loss of an output on until the system tells of one again, it is found
  /// within two seconds: a thread opens the output once more for a moment, which holds up no call of OpenAL Soft 1.19. Where that
  /// takes longer than two milliseconds it is done less often, a thousandth of the time. Only outputs of a sound server are looked
  /// for so: of those that OpenAL Soft reaches by itself (ALSA, OSS, JACK), there is no other.
  ///
  /// The OpenAL counterparts are `ALC_SOFT_reopen_device` and `ALC_SOFT_system_events`, whose one call back of a process this package
  /// takes when it opens the first output.
  public var policy: DevicePolicy {
    get { outputChoice.withLock { $0.policy } }
    set {
      outputChoice.withLock { $0.adopt(newValue) }
      if !isOffline, silence == nil { OutputWatch.all.look() }
    }
  }

  /// Whether time goes on while there is no output.
  ///
  /// `true`, the default: sounds go on unheard and end when they would have ended, loops and streams are where they would be, and
  /// ``AudioContext/clock`` goes on, so that nothing that a game has timed by its sounds waits for a cable. `false`: everything
  /// stays where it is, as after ``AudioContext/suspend(_:for:)``, until there is an output; a game that waits for a sound to end
  /// waits as long. What is played meanwhile begins at once, or then.
  ///
  /// There is no OpenAL counterpart.
  public var keepsTimeWithoutOutput: Bool {
    get { outputChoice.withLock { $0.keepsTime } }
    set {
      outputChoice.withLock { $0.keepsTime = newValue }
      // Whoever looks for an output brings it about: a server that hangs would hold up this thread.
      if !isOffline, silence == nil { keep() }
    }
  }

  /// Goes to another output with all contexts, which play on there.
  ///
  /// With ``Capabilities/deviceReopening`` the library takes everything along; without, all of it is made anew there, which takes as
  /// long as copying the sounds that are not ``SoundBuffer/Storage/borrowed``, and cuts off what still rings of a reverb. The
  /// ``policy`` stays what it is: one that follows leaves the output when the default changes the next time. The rate of the mix is
  /// kept where the output can have it.
  ///
  /// - Parameter name: One of ``outputNames``; `nil` for the default output.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or it would not open; the device stays
  ///   where it is then, and plays on. Also of a ``silent`` or an offline device, which has no output.
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
  /// Looks for an output from now on, where the one that there was is gone, or should be another.
  func keep(atOnce: Bool = true) { keeper.begin(for: self, atOnce: atOnce) }

  /// Whether it is heard.
  var isOnOutput: Bool { !handle.isStandIn && handle.isConnected }

  /// Has something done about the output, where a look finds that there is something to do; returns whether to look again after a
  /// time, without a reason.
  func look(_ look: inout OutputLook) -> Bool {
    if handle.isStandIn {
      // Who has lost it looks for another by itself, now if one may have come.
      keep(atOnce: look.isTold)
      return !keeper.isRunning
    }
    // A loss is told otherwise.
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

  /// Has a stand-in take the place of an output that is gone; says whether there is one.
  func standIn() -> Bool {
    while !handle.isStandIn, !handle.isConnected {
      let choice = outputChoice.withLock { $0 }
      let isCarried = carry(keepsTime: choice.keepsTime, after: choice.turns) { NextOutput(standingInFor: $0) }
      if isCarried {
        OutputWatch.all.doubt()
        if choice.policy == .pauseOnOutputLoss { pauseAll() }
      }
      keep()
      // Where it was brought elsewhere meanwhile, that may be gone again.
      if isCarried || choice.turns == outputChoice.withLock({ $0.turns }) { return isCarried }
    }
    return handle.isStandIn
  }

  /// Does what there is to do about the output; returns after how many nanoseconds to try again, `nil` where it is as it should be.
  ///
  /// By one thread, without a lock.
  func findOutput(_ search: inout OutputSearch) -> Int64? {
    defer { noteConnections() }
    // What a program moves or chooses meanwhile counts: nothing is done then by this.
    let choice = outputChoice.withLock { $0 }
    if handle.isStandIn {
      carrying.withLock { _ in handle.keepTime(choice.keepsTime) }
      // Before, so that a change that comes meanwhile is one.
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
      // With nobody on an output, a server may go unseen.
      OutputWatch.all.doubt()
      return leave(choice, &search)
    case .move(let pausing):
      if pausing {
        pauseOnce(choice, &search)
      } else if choice.policy == .pauseOnOutputLoss, let wait = search.doubt(at: monotonicTime()) {
        return wait
      }
      // Going there stops what plays, also where it would not open.
      guard look.opensDefault(), go(to: nil, after: choice.turns) else { return search.backoff.next() }
      noteArrival(finding, after: choice)
    }
    return nil
  }

  /// Goes to a stand-in: at once, because what plays must not be seen to have stopped.
  private func leave(_ choice: OutputChoice, _ search: inout OutputSearch) -> Int64? {
    let isCarried = carry(keepsTime: choice.keepsTime, after: choice.turns) { NextOutput(standingInFor: $0) }
    if isCarried, choice.policy == .pauseOnOutputLoss { pauseOnce(choice, &search) }
    // Where nothing can stand in, another output may still.
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

  /// Remembers the default output as it was before the device was brought to one, and has that looked at, unless something was chosen
  /// meanwhile.
  private func noteArrival(_ finding: OutputChoice.Finding, after choice: OutputChoice) {
    let names = finding.isListed ? Self.outputNames : []
    outputChoice.withLock { $0.noteArrival(finding, among: names, after: choice.turns + 1) }
    OutputWatch.all.look()
  }

  /// Brings everything to an output; says whether that would open, and the device was brought nowhere else meanwhile.
  ///
  /// `isAsked`: by the program.
  private func go(to name: String?, isAsked: Bool = false, after turns: Int? = nil) -> Bool {
    let isReopened = carrying.withLock { _ -> Bool? in
      if let turns, turns != outputChoice.withLock({ $0.turns }) { return false }
      // Not by a library that cannot, or on a stand-in.
      guard let isReopened = handle.reopen(named: name) else { return nil }
      if isReopened {
        let current = handle.name
        outputChoice.withLock { $0.arrive(on: current, by: name, isAsked: isAsked) }
        for context in livingContexts { context.noting { state in context.noteMove(&state) } }
        // The other output may have another rate.
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

  /// Has all contexts tell of what happened.
  private func noteConnections() {
    for context in livingContexts { context.noting { state in _ = context.noteConnection(&state) } }
    bell.ring()
  }

  private var livingContexts: [AudioContext] { contexts.withLock { $0 }.compactMap(\.context) }
}

extension AudioContext {
  /// Tells that a stand-in has taken the output's place.
  func noteDeparture(_ state: inout State) {
    guard state.watch.isConnected else { return }
    state.watch.isConnected = false
    post(.deviceLost, &state)
  }

  /// Tells that there is an output again, or another one.
  func noteArrival(_ state: inout State) {
    let isBack = !state.watch.isConnected
    state.watch.isConnected = true
    post(isBack ? .deviceReturned : .outputChanged, &state)
  }

  /// Tells that the output is another one, unless it is known to be gone again.
  fileprivate func noteMove(_ state: inout State) {
    state.mixLength = nil
    if state.watch.isConnected { post(.outputChanged, &state) }
  }

  /// Pauses all that plays or waits to, because of the device.
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
