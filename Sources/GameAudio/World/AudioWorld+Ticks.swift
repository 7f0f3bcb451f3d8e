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
    let revives = context.device.playsOnOutput && context.device.policy == .pauseOnOutputLoss
    let (isNeeded, work, logs) = state.withLock { state -> (Bool, Outbox.Work, [CallLog]) in
      state.playback.voices.revives = revives
      state.playback.log.setMoment(physics.moment)
      let logs = state.playback.log.recordTick(state.playback.scene.time.ticks)
      state.tick(physics)
      return (state.needsTicks, state.takeWork(), logs)
    }
    // Another reference to the commands would copy their memory.
    Carrier(world: self).carryOut(consume work)
    updateStems()
    if !logs.isEmpty { addSnapshot(to: logs) }
    reportReverbOfContext()
    reportOlderWorld()
    reportDelays()
    if !isNeeded { updateTicks() }
  }

  /// Hands a copy of the state to recordings; another thread turns it into a snapshot, offline the present thread.
  ///
  /// The copy follows the work of the tick: offline the work opens the streams that begin, and the level of a player is
  /// known from then on.
  private func addSnapshot(to logs: [CallLog]) {
    state.withLock { state in
      // A handler or another thread may have ended a recording, whose last snapshot is the snapshot of its end.
      let running = logs.filter { state.playback.log.isRunning($0) }
      guard !running.isEmpty else { return }
      let copy = WorldCopy(state)
      for log in running { log.add(copy) }
    }
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
