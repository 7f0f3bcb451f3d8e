internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// Begins or ends the ticks: they cost nothing while nothing plays.
  func updateTicks() {
    ticks.withLock { ticks in
      let isNeeded = state.withLock { state in
        let isNeeded = state.wantsTicks
        state.playback.outbox.setTicks(isNeeded)
        return isNeeded
      }
      guard isNeeded != (ticks.token != nil) else { return }
      guard isNeeded else {
        ticks.token = nil
        return
      }
      ticks.began = UnkeptObject.time
      ticks.token = context.onTick(every: MixTime.tick) { [weak self] _ in self?.takeTick() }
    }
  }

  /// The tick of the context; a replay of a recording has ticks of its own instead.
  private func takeTick() {
    let physics = context.physics
    let mayRepeat = context.device.mixesByFrames
    if state.withLock({ $0.isTickDue(at: physics.frame, mayRepeat: mayRepeat) }) { tick(physics) }
  }

  /// Advances the world to the present frame of the mix.
  func tick(_ physics: MixPhysics) {
    let revives = !context.device.mixesByFrames && context.device.policy == .pauseOnOutputLoss
    let (isNeeded, work, copy) = state.withLock { state -> (Bool, Outbox.Work, (WorldCopy, [CallLog])?) in
      state.playback.voices.revives = revives
      state.playback.log.setMoment(physics.moment)
      let logs = state.playback.log.recordTick(state.playback.scene.time.ticks)
      state.tick(physics)
      let isNeeded = state.needsTicks
      // The snapshot comes before the work: no other thread waits with its calls while the snapshot is built.
      guard logs.isEmpty else { return (isNeeded, Outbox.Work(), (WorldCopy(state), logs)) }
      return (isNeeded, state.takeWork(), nil)
    }
    if let copy {
      addSnapshot(of: copy.0, to: copy.1)
      carryOut()
    } else {
      // Another reference to the commands would copy their memory.
      Carrier(world: self).carryOut(consume work)
    }
    reportReverbOfContext()
    reportOlderWorld()
    reportDelays()
    if !isNeeded { updateTicks() }
  }

  /// Hands a copy of the state to recordings; another thread turns it into a snapshot, offline the present thread.
  private func addSnapshot(of copy: WorldCopy, to logs: [CallLog]) {
    for log in logs { log.add(copy) }
    if context.device.mixesOnRequest {
      for log in logs { log.build { state.endCopy() } }
    } else {
      reporter.begin { [weak self] in
        self?.buildSnapshots()
        return .end
      }
    }
  }

  /// Builds the snapshots of all recordings that run; a recording that ends builds its own.
  private func buildSnapshots() {
    // Another thread changes the list in the memory of the state.
    let logs = state.withLock { $0.playback.log.logs.map(\.self) }
    for log in logs { log.build { state.endCopy() } }
  }
}
