internal import Spatial3D

// The work of one tick: everything that depends on the time of the mix.

extension WorldState {
  /// Whether a tick of the context is a tick of the world: a replay has ticks of its own.
  ///
  /// Ticks that end and begin again may come twice at a frame. On an output they may not: a task that plays and waits
  /// for a deferred end would run as often as it can until the next mix.
  func isTickDue(at frame: Int, mayRepeat: Bool) -> Bool {
    !playback.log.isReplayed(frame)
      && (mayRepeat || playback.scene.time.ticks == 0 || frame != playback.scene.time.lastTick)
  }

  /// Advances the world to the present frame of the mix.
  mutating func tick(_ physics: MixPhysics) {
    adopt(physics)
    playback.scene.time.countTick()
    playback.outbox.events.beginRound()
    stepFades()
    stepBuses()
    stepPlayers()
    endSounds()
    playback.scene.releaseLimited()
    playback.scene.stepCopies()
    for slot in playback.scene.emitters.observed.keys { playback.postLaps(of: slot) }
    if playback.scene.sounds.hasSuccessors { playback.changeOver() }
    playback.scene.time.passTick()
    playback.collectVoices()
    if playback.scene.time.waitsForUpdate() { return }
    playback.followLeaders()
    if playback.scene.time.ticks.isMultiple(of: 64) { playback.scene.sounds.purge() }
    if playback.scene.time.ticks.isMultiple(of: 2) {
      playback.scene.deriveVelocities()
      playback.scene.space.searchRoutes()
      playback.updateListeners()
      playback.scene.updateShifts()
      choose()
    }
    playback.scene.updatePitches()
    let step = playback.scene.ticksToMove
    playback.stepZones(by: step)
    playback.flush(step)
  }

  /// Ends the sounds that are over.
  private mutating func endSounds() {
    guard playback.scene.emitters.nextEnd <= playback.now else { return }
    for slot in playback.scene.emitters.indices where playback.scene.emitters.end(of: slot) <= playback.now {
      if playback.scene.emitters[slot].isPlayer { playback.endTimeline(slot) } else { playback.end(slot, .played) }
    }
    playback.scene.emitters.updateNextEnd(after: playback.now)
  }

  /// Whether anything needs the next tick.
  var needsTicks: Bool { isBusy || playback.scene.space.zones.pool.isRinging || playback.outbox.events.needsTick }

  /// Whether the context is to call the world at ticks: a replay has ticks of its own, and another tick would end a
  /// piece of the mix.
  var wantsTicks: Bool { needsTicks && !playback.log.isReplaying }

  /// Whether anything but the end of a reverb and an event needs the next tick.
  var isBusy: Bool {
    playback.scene.emitters.activeCount > 0 || !playback.scene.fades.isEmpty || playback.scene.mixer.isMoving
      || playback.voices.isBusy
      || playback.scene.players.needsTicks
  }
}
