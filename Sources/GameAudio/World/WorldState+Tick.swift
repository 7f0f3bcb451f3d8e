internal import Spatial3D

// The order of a tick. Each step reads what the steps before it have written, and its comment has the reason for its
// position.

extension WorldState {
  /// Advances the world to the present frame of the mix.
  mutating func tick(_ physics: MixPhysics) {
    // Each step counts from the present frame, and in the frames of the present rate.
    adopt(physics)
    playback.scene.time.countTick()
    // Events that were deferred to this tick are posted behind it. Events that a step below defers wait for the next.
    playback.outbox.events.beginRound()

    // Fades come first: the loudness of an emitter contains them, and the duckers and the choice read it. A fade may
    // end or pause its emitter, which the players and the ends below then skip.
    playback.scene.moveFades()
    while let ended = playback.scene.nextEndedFade() { playback.complete(ended) }

    // Buses follow: a ducker reads the power of the emitters with their new fades. They precede the players and the
    // ends, because a pause that begins stops the clocks of its emitters, which then do not end in this tick.
    if !playback.scene.mixer.duckers.isEmpty { playback.voices.predictPowers(in: &playback.scene) }
    carryOut(playback.scene.mixer.step(at: playback.scene.time.mix, ahead: MixTime.tick))
    carryOut(playback.scene.mixer.moveGainToFader(isPlaying: playback.scene.emitters.activeCount > 0))

    // Players precede the ends: the length of a timeline may have grown since the last tick, and a pause or another
    // voice that is due has precedence over the end that the clock still has.
    stepPlayers()

    // Ends precede all steps that give something to another emitter: room in limits, levels of copies, and voices.
    endSounds()

    // Limits follow the ends, which make the room. They precede the choice, which gives a voice to a released emitter.
    playback.scene.releaseLimited()

    // Copies follow the ends: a planned beginning of an emitter that has ended does not count. They precede the choice
    // and the values of the sources, which read the level of a copy.
    playback.scene.stepCopies()

    // Laps follow the ends, which have posted the laps up to an end themselves. They precede the newer samples, whose
    // clocks count other laps.
    for slot in playback.scene.emitters.observed.keys { playback.postLaps(of: slot) }

    // Newer samples begin with a lap, found by the laps at the frame of the last tick. The ends above have compared
    // that frame with the beginning of a sound, to defer an end that no tick has seen. From here on, this tick is the
    // last.
    if playback.scene.sounds.hasSuccessors { playback.changeOver() }
    playback.scene.time.passTick()

    // Voices are collected behind all steps above that give voices up, and before the choice, which gives away what is
    // free then. An open update does not delay it: a voice that has faded out is needed by others.
    playback.collectVoices()

    // The steps below read positions that the game sets. In the middle of an update, half of them belong to the last
    // frame of the game, so that these steps wait for a later tick.
    if playback.scene.time.waitsForUpdate() { return }

    // Followers take the position and the bus of their leaders before a step reads either.
    playback.followLeaders()

    // 64 ticks are 0.7 s at 48,000 Hz. Chosen: a purge looks at all sounds, and its delay costs only memory.
    if playback.scene.time.ticks.isMultiple(of: 64) { playback.scene.sounds.purge() }

    // The choice is the step whose cost grows with the number of all emitters. Every second tick is 21 ms at 48,000 Hz,
    // which is about one frame of a game: the positions rarely change more often.
    if playback.scene.time.ticks.isMultiple(of: 2) {
      // Velocities follow from the positions since the last choice; the Doppler effect below reads them.
      playback.scene.deriveVelocities()
      // Routes belong to the present positions of the listeners; all paths below read them.
      playback.scene.space.searchRoutes()
      // An emitter may move to another listener, with another voice: its loudness and its Doppler effect change, and
      // one free voice is gone.
      playback.updateListeners()
      // The Doppler effect changes the clocks of virtual emitters, and the choice reads the level of a sound there.
      playback.scene.updateShifts()
      choose()
    }

    // Pitches change the clocks in the tick that hands them to the sources below, so that the two stay together.
    playback.scene.updatePitches()

    // The last flush has stored the frame that this counts from, and the flush below stores the present frame.
    let ticks = playback.scene.ticksToMove

    // Zones precede the flush, which reads the levels of their units for the sends of each voice.
    playback.stepZones(by: ticks)

    // The flush is the last step: the values of a source contain what all steps above have written. The gain of the
    // main bus moves to its fader in the same tick in which the sources lose it.
    flushStrips()
    playback.flush(ticks)
  }
}

extension WorldState {
  /// Gives the voices to the emitters with the highest scores, and carries out what follows.
  mutating func choose() {
    selector.begin(streamLimit: playback.voices.streamLimit)
    while let tooQuiet = selector.gather(playback.voices, in: playback.scene) {
      playback.demote(tooQuiet, isStolen: false)
    }
    let free = max(playback.voices.limit - selector.takenCount, 0)
    let spares = playback.voices.freeCount
    selector.gatherWaiting(in: &playback.scene, free: free)
    selector.decide(free: free, spares: spares)
    // An emitter that fades out gives up its voice for an emitter that waits.
    if selector.lacksVoicesForEssentials, playback.voices.quietestStopping(in: playback.scene.emitters) == nil {
      selector.setReportedEssentials()
      playback.outbox.report(.tooManyEssentialSounds(voices: playback.voices.limit))
    }
    for slot in selector.choice.displaced { playback.demote(slot, isStolen: true) }
    for slot in selector.choice.promoted { playback.promote(slot) }
    // Emitters that fade out end early for emitters that must be heard, which get the voices in the next choice.
    var missing = selector.choice.waiting.count { $0.isEssential && playback.scene.emitters[$0.slot].voice == nil }
    while missing > 0, let slot = playback.voices.quietestStopping(in: playback.scene.emitters) {
      playback.end(slot, .stopped)
      missing -= 1
    }
    guard playback.scene.emitters.stoppingCount > 0 else { return }
    for slot in playback.scene.emitters.indices where playback.scene.endsWithoutVoice(slot) {
      playback.end(slot, .stolen)
    }
  }
}
