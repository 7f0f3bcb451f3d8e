internal import PCM
internal import Spatial3D

// The life of an emitter or a player, from its addition to its removal.

// MARK: - The addition

extension WorldPlayback {
  /// Adds an emitter; returns its slot and generation.
  mutating func add(_ sound: Sound, isPlaced: Bool, bus: BusIndex) -> EmitterKey {
    let id = scene.addSlot(isPlaced: isPlaced, bus: bus)
    let slot = id.slot
    let (use, jobs) = scene.sounds.add(sound, isPlaced: scene.emitters[slot].isPlaced, in: scene.stem(of: slot))
    scene.emitters.setUse(use, of: slot)
    outbox.load(jobs)
    scene.setLaw(of: slot)
    return id
  }

  /// Adds a player; returns the slot of its values.
  mutating func addPlayer(_ opened: OpenedSound, bus: BusIndex) -> EmitterKey {
    let id = scene.addSlot(isPlaced: false, bus: bus)
    let slot = id.slot
    let playlist = Playlist(opened, slot: slot, onTwoLoudspeakers: scene.players.hasTwoLoudspeakers)
    let index = scene.sounds.addTimeline(playlist.loaded)
    scene.emitters.setUse(SoundTable.Use(index: index), of: slot)
    let player = scene.players.add(playlist)
    scene.setLaw(of: slot)
    scene.modify(slot) { ($0.occupant, $0.priority) = (.player(player), .mustBeHeard) }
    return id
  }
}

// MARK: - The beginning

extension WorldPlayback {
  /// Starts the clock of an emitter whose sound is loaded, and gives it a voice if one is free.
  mutating func begin(_ slot: EmitterSlot) {
    let index = scene.emitters[slot].sound
    switch scene.sounds[index].state {
    case .loading: scene.sounds.addWaiting(slot, for: index)
    case .released:
      scene.sounds.addWaiting(slot, for: index)
      if let job = scene.sounds.job(for: index) { outbox.load(job) }
    case .failed: return end(slot, .failed)
    case .ready:
      guard let sound = scene.sounds[index].loaded else { return }
      let repeats = scene.emitters[slot].clock.course.repeats
      let course = LogicalClock.Course(frameCount: sound.frameCount, loopRange: sound.loopRange, repeats: repeats)
      // The clock of a sound that came late has run since its play.
      let isLate = scene.sounds[index].runsWhileLoading && !scene.emitters[slot].behavior.stopsClock
      let start = isLate ? scene.emitters[slot].began : max(scene.emitters[slot].began, now)
      if let fault = sound.fault(ofPosition: scene.emitters[slot].start) {
        outbox.report(firstReport(of: fault, slot))
      }
      let shift = scene.currentShift(of: slot)
      scene.emitters.store(slot) { $0.shift = shift }
      let (step, place, now) = (scene.step(of: slot), scene.startFrame(of: slot, in: sound), now)
      scene.modify(slot) {
        $0.status = .playing
        $0.clock = LogicalClock(course, at: start, place: place, step: 0)
        $0.clock.setStep(step, at: start)
        ($0.began, $0.switched) = (start, max(start, now))
      }
      if scene.sounds[index].isCompensated { scene.compensate(slot) }
      if start - now <= scene.frames(ofMilliseconds: WorldScene.reservation) { takeFreeVoice(slot) }
      scene.stopClockIfVirtual(of: slot)
    }
  }
}

// MARK: - Changes

extension WorldPlayback {
  mutating func setRepeats(_ repeats: Repeats, of slot: EmitterSlot) {
    postLaps(of: slot)
    let now = now
    scene.modify(slot) {
      $0.clock.setRepeats(repeats, at: now)
      $0.laps = Int32(clamping: $0.clock.laps(at: now))
    }
    guard let voice = scene.emitters[slot].voice, voices.isSounding(voice),
      let loaded = scene.sounds[scene.emitters[slot].sound].loaded
    else {
      return
    }
    // A queue of copies has a fixed number of them: another voice goes on with the new one.
    guard voices[voice].sound != nil || voices[voice].isStream else { return changeVoice(of: slot) }
    let plan = LoopPlan(scene.emitters[slot].clock, at: now, sampleRate: loaded.sampleRate, isStream: true)
    voices.setLooping(plan.isLooping, of: voice, &outbox.commands)
  }

  /// Moves an emitter to another bus.
  mutating func setBus(_ index: BusIndex, of slot: EmitterSlot) {
    let old = scene.emitters.bus(of: slot)
    guard index != old else { return }
    scene.moveCount(of: slot, toBus: index)
    scene.emitters.setBus(index, isDirect: scene.mixer.buses[index].isDirect, of: slot)
    scene.updateCount(of: slot)
    scene.setLaw(of: slot)
    updateForm(of: slot)
    scene.emitters.markPitch(of: slot)
    if scene.mixer.buses[old].totals.isPaused != scene.mixer.buses[index].totals.isPaused { applyBusPause(of: slot) }
  }

  /// Chooses the form of the sound for the emitter's placement, mono with a position and as stored without, and the
  /// stem of its bus.
  ///
  /// A sound that plays keeps its placement until it begins again. It moves to another stem when its samples are there.
  mutating func updateForm(of slot: EmitterSlot) {
    guard !scene.emitters[slot].isPlayer else { return }
    scene.sounds.removeMove(of: slot)
    let status = scene.emitters[slot].status
    let (load, stem) = (scene.sounds[scene.emitters[slot].sound].loadKey, scene.stem(of: slot))
    guard status == .idle || status == .loading else {
      if load.stem != stem { beginMove(slot, to: stem) }
      return
    }
    let isPlaced = scene.emitters[slot].isPlaced
    guard load.isPlaced != isPlaced || load.stem != stem else { return }
    let (other, jobs) = scene.sounds.change(scene.emitters.use(of: slot), isPlaced: isPlaced, in: stem)
    scene.emitters.setUse(other, of: slot)
    outbox.load(jobs)
    if status == .loading { begin(slot) }
  }

  /// Stops the clock of an emitter whose bus is paused now, or lets it continue.
  mutating func applyBusPause(of slot: EmitterSlot) {
    guard scene.emitters[slot].isSounding else { return }
    let isPaused = scene.mixer.buses[scene.emitters.bus(of: slot)].totals.isPaused
    if isPaused { scene.emitters.store(slot) { $0.keepsPosition = true } }
    if scene.emitters[slot].isPlayer {
      if isPaused {
        keepOneVoice(slot)
      } else if scene.emitters[slot].status == .playing, scene.emitters[slot].voice != nil {
        resumeVoice(slot)
      }
    }
    guard scene.emitters[slot].voice != nil || !scene.emitters[slot].behavior.stopsClock else { return }
    if isPaused, scene.emitters[slot].voice != nil { leaveVoice(slot, adopts: !scene.time.mixesByFrames) }
    let (step, now) = (scene.step(of: slot), now)
    // The weight stays: a player that fades in competes with its full level.
    scene.emitters.modify(slot) { $0.clock.setStep(step, at: max(now, $0.began)) }
  }

  /// Moves the emitters that follow another emitter.
  mutating func followLeaders() {
    for slot in scene.emitters.followers.keys {
      guard let leader = scene.emitters[rare: slot].leader, scene.emitters.has(leader) else { continue }
      let from = leader.slot
      scene.emitters.setPosition(scene.emitters.position(of: from), of: slot)
      let bus = scene.emitters.bus(of: from)
      setBus(bus, of: slot)
      let velocity = scene.emitters[from].velocity
      scene.emitters.store(slot) { $0.velocity = velocity }
      let (occlusion, obstruction) = (scene.emitters[rare: from].occlusion, scene.emitters[rare: from].obstruction)
      if occlusion != 0 || obstruction != 0 || scene.emitters[rare: slot].occlusion != occlusion
        || scene.emitters[rare: slot].obstruction != obstruction
      {
        scene.emitters.changeRare(slot) { ($0.occlusion, $0.obstruction) = (occlusion, obstruction) }
      }
    }
  }

  /// Carries out what follows from a fade that is over.
  mutating func complete(_ fade: EmitterFades.Running?) {
    guard let fade else { return }
    let slot = fade.key.slot
    switch (fade.completion, fade.key.kind) {
    case (.end, _): end(slot, .stopped)
    case (.pause, _): completePause(of: slot)
    case (.removeSend, .send(let unit)):
      // The release of an effect takes the lock of the context.
      for send in scene.emitters[rare: slot].sends where ObjectIdentifier(send.unit) == unit {
        outbox.release(send.unit)
      }
      scene.emitters.changeSends(of: slot) { $0.removeAll { ObjectIdentifier($0.unit) == unit } }
      scene.updateWeight(of: slot)
    case (.none, _), (.removeSend, _): break
    }
  }
}

// MARK: - The pause

extension WorldPlayback {
  /// Completes the pause of an emitter: its clock stops, and its voice is free for others.
  mutating func completePause(of slot: EmitterSlot) {
    let now = now
    scene.modify(slot) {
      ($0.status, $0.fade) = (.paused, 1)
      $0.clock.setStep(0, at: now)
    }
    if scene.emitters[slot].voice != nil { leaveVoice(slot, adopts: false) }
  }

  /// Completes the pause of a player: its clock and its source stop.
  mutating func completePlayerPause(of slot: EmitterSlot, keepsVoice: Bool) {
    postProgress(of: slot)
    let now = now
    scene.modify(slot) {
      ($0.status, $0.hasSounded, $0.fade) = (.paused, true, 1)
      let position = $0.clock.position(at: now)
      $0.clock = LogicalClock($0.clock.course, at: now, place: position, step: 0)
    }
    changePlaylist(of: slot) { $0.silentSince = nil }
    guard let voice = scene.emitters[slot].voice else { return }
    guard keepsVoice, voices.isSounding(voice) else { return giveUpVoice(slot, .cuts) }
    voices.rest(voice, &outbox.commands)
  }
}

// MARK: - The end

extension WorldPlayback {
  /// Ends an emitter for a reason, and frees the slot of an emitter that the program has released.
  ///
  /// A voice fades out in 10 ms, or stops at once.
  mutating func end(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason, isCut: Bool = false) {
    finish(slot, reason, isCut: isCut)
    if !scene.emitters[slot].hasHandle { removeSlot(slot) }
  }

  /// Ends all emitters and players, whose program has released them.
  mutating func endAll() {
    for slot in scene.emitters.indices where scene.emitters[slot].isUsed { end(slot, .stopped) }
  }

  /// Ends what an emitter or a player plays; its slot stays.
  mutating func finish(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason, isCut: Bool) {
    guard scene.emitters[slot].status != .idle else { return }
    if scene.emitters[slot].isPlayer { finishPlayer(slot, reason) }
    postLaps(of: slot)
    scene.modify(slot) { ($0.status, $0.hasEnded, $0.fade) = (.idle, true, 1) }
    scene.removeFade(of: slot, .level)
    if scene.emitters[slot].voice != nil { giveUpVoice(slot, reason == .played ? .drains : isCut ? .cuts : .fades) }
    moveToSuccessor(slot)
    scene.sounds.removeMove(of: slot)
    post(.ended(reason), of: slot)
    // The emitter has to leave the list of emitters that a limit keeps virtual.
    if scene.emitters[slot].isLimited { scene.limits.setHasRoom() }
    scene.modify(slot) { $0.isLimited = false }
  }

  /// Keeps the position of a player whose slot ends, and posts its end.
  private mutating func finishPlayer(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason) {
    guard scene.emitters[slot].isPlayer else { return }
    finishWaiting(slot)
    let position = scene.playerPosition(of: slot)
    let isOver = reason == .played
    postProgress(of: slot, until: isOver ? Playlist.end : position)
    keepOneVoice(slot)
    changePlaylist(of: slot) { $0.end(at: position, isOver: isOver) }
    if isOver { loadTimeline(of: slot) }
    guard let playlist = scene.playlist(of: slot), !playlist.awaitsOpening else { return }
    let reason = isOver && playlist.hasFailed ? EmitterEvent.Reason.failed : reason
    // See ``EmitterEvent/Reason/waitsForTick(began:lastTick:)``. A stop posts no event: no handler plays again on it.
    postEnd(reason, ofPlayer: slot, isDeferred: !isOver && reason != .stopped)
  }
}

// MARK: - The removal

extension WorldPlayback {
  /// Frees a slot whose emitter is idle.
  mutating func removeSlot(_ slot: EmitterSlot) {
    // The end of the voice of a player still reads the entry of its timeline.
    removePlayer(of: slot)
    scene.sounds.removeMove(of: slot)
    scene.sounds.removeUser(of: scene.emitters.use(of: slot))
    scene.removeFades(of: slot)
    if scene.emitters[slot].hasRareSettings {
      outbox.events.appendEnd(of: scene.emitters.id(of: slot), to: scene.emitters[rare: slot].observers)
      // The release of an effect takes the lock of the context.
      for send in scene.emitters[rare: slot].sends { outbox.release(send.unit) }
    }
    scene.emitters.remove(slot)
  }

  /// Frees the player of a slot.
  ///
  /// The closures of its sounds may hold objects of the program, and go to the release queue.
  private mutating func removePlayer(of slot: EmitterSlot) {
    guard let player = scene.emitters[slot].player else { return }
    keepOneVoice(slot)
    if scene.emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
    let record = scene.players.remove(player)
    if let playlist = record.playlist { outbox.release(playlist) }
    outbox.events.appendEnd(of: scene.emitters.id(of: slot), to: record.observers)
    outbox.events.appendEnd(of: scene.emitters.id(of: slot), to: record.ends)
    outbox.resume(record.waiting)
    scene.emitters.store(slot) { $0.occupant = .emitter }
  }
}
