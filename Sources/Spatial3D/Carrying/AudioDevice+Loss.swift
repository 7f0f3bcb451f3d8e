extension AudioDevice {
  /// Where the device goes when outputs come, go and change.
  ///
  /// Default: ``DevicePolicy/follow`` of a device that was opened as the default output, and ``DevicePolicy/stay`` of one that was
  /// opened by name. Whether another output has become the default is told by the system with ``Capabilities/systemEvents``. Without,
  /// a program that sets the policy has it asked for each two seconds, which holds up all calls of OpenAL Soft 1.19 for a millisecond
  /// or two; one that does not is brought to the default output when its own is lost. Of no effect on ``silent`` and offline devices.
  ///
  /// The OpenAL counterparts are `ALC_SOFT_reopen_device` and `ALC_SOFT_system_events`.
  public var policy: DevicePolicy {
    get { outputChoice.withLock { $0.policy } }
    set {
      outputChoice.withLock { choice in
        choice.policy = newValue
        choice.isAsked = newValue != .stay
      }
      followIfNeeded()
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
    guard go(to: name) else { throw .noOutput(named: name, "move to an audio device") }
    outputChoice.withLock { $0.name = name }
    if name == nil { noteDefault() }
    noteConnections()
  }
}

extension AudioDevice {
  /// Looks for an output from now on, where the one that there was is gone, or should be another.
  func keep() { keeper.begin(for: self) }

  /// Has the default output looked at, where the policy asks for that.
  func followIfNeeded() {
    guard !isOffline, silence == nil, policy != .stay else { return }
    OutputWatch.all.watch(self)
  }

  /// Whether the device is to be brought to another default output while it has one.
  func follows(whereTold isTold: Bool) -> Bool {
    outputChoice.withLock { $0.policy != .stay && (isTold || $0.isAsked) }
  }

  /// Does what there is to do about the output; returns after how many nanoseconds to try again, `nil` where it is as it should be.
  ///
  /// By one thread, without a lock.
  func findOutput(_ backoff: inout Backoff) -> Int64? {
    defer { noteConnections() }
    let choice = outputChoice.withLock { $0 }
    if handle.isStandIn {
      carrying.withLock { _ in handle.keepTime(choice.keepsTime) }
      guard go(to: choice.wanted(last: name)) else { return backoff.next() }
      noteDefault()
      return nil
    }
    guard handle.isConnected else {
      // At once: what plays must not be seen to have stopped.
      let isCarried = carry(keepsTime: choice.keepsTime) { NextOutput(standingInFor: $0) }
      if isCarried, choice.policy == .pauseOnOutputLoss { pauseAll() }
      return backoff.next()
    }
    guard follows(whereTold: OutputWatch.all.isTold) else { return nil }
    let defaultName = Self.defaultOutputName
    if case .move(let other, let pausing) = choice.step(on: name, default: defaultName, known: Self.outputNames) {
      // Once: a player may have them play on while the other output would not open.
      if pausing, backoff.isFirst { pauseAll() }
      guard go(to: other) else { return backoff.next() }
    }
    outputChoice.withLock { $0.knownDefault = defaultName }
    return nil
  }

  /// Takes the default output as the one that the device was brought to.
  private func noteDefault() {
    let name = Self.defaultOutputName
    outputChoice.withLock { $0.knownDefault = name }
  }

  /// Brings everything to an output; says whether that would open.
  private func go(to name: String?) -> Bool {
    let isReopened = carrying.withLock { _ in handle.reopen(named: name) }
    let keepsTime = outputChoice.withLock { $0.keepsTime }
    let isDone = isReopened ?? carry(keepsTime: keepsTime) { NextOutput(for: $0, named: name) }
    guard isDone else { return false }
    heldName.withLock { $0 = handle.name }
    for context in livingContexts { context.noting { state in context.noteMove(&state) } }
    return true
  }

  private func pauseAll() {
    for context in livingContexts { context.noting { state in context.pauseAll(&state) } }
  }

  /// Has all contexts tell of what happened.
  private func noteConnections() {
    for context in livingContexts { context.noting { state in _ = context.noteConnection(&state) } }
    Lookout.all.bell.ring()
  }

  private var livingContexts: [AudioContext] { contexts.withLock { $0 }.compactMap(\.context) }
}

extension AudioContext {
  /// Tells that the output is another one.
  fileprivate func noteMove(_ state: inout State) {
    // One that was lost tells that it is back.
    state.mixLength = nil
    guard state.watch.isConnected else { return }
    post(.outputChanged, &state)
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
