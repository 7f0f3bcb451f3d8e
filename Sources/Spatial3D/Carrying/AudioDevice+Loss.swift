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
  /// ``policy`` stays what it is: one that follows may leave the output when the default changes. The rate of the mix is kept where
  /// the output can have it.
  ///
  /// - Parameter name: One of ``outputNames``; `nil` for the default output.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such output, or it would not open; the device stays
  ///   where it is then, and plays on. Also of a ``silent`` or an offline device, which has no output.
  ///
  /// The OpenAL counterpart is `alcReopenDeviceSOFT`.
  public func move(to name: String?) throws(AudioError) {
    guard !isOffline, silence == nil else { throw .noOutput(of: self.name) }
    try DeviceHandle.checkKnown(name, "move to an audio device")
    let isThere = go(to: name) { choice, current in choice.arrive(on: current, askedFor: name) }
    guard isThere else { throw .noOutput(named: name, "move to an audio device") }
    noteConnections()
    OutputWatch.all.look()
  }
}

extension AudioDevice {
  /// Looks for an output from now on, where the one that there was is gone, or should be another.
  func keep(atOnce: Bool = true) { keeper.begin(for: self, atOnce: atOnce) }

  /// Has something done about the output, where a look finds that there is something to do; returns whether to look again after a
  /// time, without a reason.
  func look(_ look: inout OutputLook) -> Bool {
    if handle.isStandIn {
      // Who has lost it looks for another by itself, now if one may have come.
      if look.isTold { keep() }
      return false
    }
    // A loss is told otherwise.
    guard handle.isConnected else { return false }
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
      let known = choice.wanted == nil && OutputWatch.all.hearing == .told ? Self.defaultOutputName : nil
      guard go(to: choice.wanted, after: choice.turns) else { return search.backoff.next() }
      noteOutput(default: known)
      return nil
    }
    if !handle.isConnected {
      OutputWatch.all.doubt()
      return leave(choice, &search)
    }
    var look = OutputLook(OutputWatch.all.hearing)
    let finding = look.finding(for: choice)
    switch choice.step(for: finding) {
    case .stay: break
    case .leave: return leave(choice, &search)
    case .move(let pausing):
      // Going there stops what plays, also where it would not open.
      guard look.opensDefault() else { return search.backoff.next() }
      if pausing {
        pauseOnce(&search)
      } else if choice.policy == .pauseOnOutputLoss, let wait = search.doubt(at: monotonicTime()) {
        return wait
      }
      guard go(to: nil, after: choice.turns) else { return search.backoff.next() }
    }
    noteOutput(default: finding.defaultName)
    return nil
  }

  /// Goes to a stand-in: at once, because what plays must not be seen to have stopped.
  private func leave(_ choice: OutputChoice, _ search: inout OutputSearch) -> Int64? {
    let isCarried = carry(keepsTime: choice.keepsTime, after: choice.turns) { NextOutput(standingInFor: $0) }
    if isCarried, choice.policy == .pauseOnOutputLoss { pauseOnce(&search) }
    // Where nothing can stand in, another output may still.
    if !isCarried, go(to: choice.wanted, after: choice.turns) {
      noteOutput()
      return nil
    }
    return search.backoff.next()
  }

  private func pauseOnce(_ search: inout OutputSearch) {
    guard !search.hasPaused else { return }
    search.hasPaused = true
    pauseAll()
  }

  /// Remembers the output that the device was brought to, and the default, as it was before if that is known.
  private func noteOutput(default known: String? = nil) {
    let choice = outputChoice.withLock { $0 }
    var look = OutputLook(OutputWatch.all.hearing)
    var finding = look.finding(for: choice)
    finding.defaultName = known ?? finding.defaultName
    outputChoice.withLock { $0.note(finding, after: choice.turns) }
    OutputWatch.all.look()
  }

  /// Brings everything to an output; says whether that would open, and the device was brought nowhere else meanwhile.
  private func go(to name: String?, after turns: Int? = nil, noting arrival: Arrival = { $0.arrive(on: $1) }) -> Bool {
    let isReopened = carrying.withLock { _ -> Bool? in
      if let turns, turns != outputChoice.withLock({ $0.turns }) { return false }
      let isReopened = handle.reopen(named: name)
      guard isReopened == true else { return isReopened }
      let name = handle.name
      outputChoice.withLock { arrival(&$0, name) }
      for context in livingContexts { context.noting { state in context.noteMove(&state) } }
      return true
    }
    if let isReopened { return isReopened }
    let keepsTime = keepsTimeWithoutOutput
    return carry(keepsTime: keepsTime, after: turns, noting: arrival) { NextOutput(for: $0, named: name) }
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
