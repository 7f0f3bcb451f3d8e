internal import Spatial3D

// Each call of the game is a value. The recordings receive the value, and then the state applies it.
//
// The functions for emitters, players and buses are inlined into the setters. A setter passes a case that the compiler
// knows, so that the switch is gone from it, and the call is built only where something records.

extension WorldState {
  /// Applies a call; a make of an emitter or a player returns an identity, and has a function of its own.
  mutating func apply(_ call: WorldCall) {
    switch call {
    case .emitter(let subject, let call): return apply(call, to: subject)
    case .player(let subject, let call): return apply(call, toPlayer: subject)
    case .bus(let index, let call):
      apply(call, to: index)
      return
    case .makeBus(_, let name, let parent, let isDirect):
      _ = makeBus(name, in: parent, isDirect: isDirect)
      return
    case .release(let subject): if !playback.scene.emitters.has(subject) { return }
    case .otherAudio(let isPlaying): if isPlaying == playback.scene.mixer.isOtherAudioPlaying { return }
    default: break
    }
    playback.log.record(call)
    switch call {
    case .emitter, .player, .bus, .makeBus: break
    case .release(let subject): release(subject)
    case .move(let moved):
      for (subject, position) in moved.moves { playback.scene.emitters.setPosition(position, of: subject.slot) }
    case .apply(let snapshot, let fade):
      carryOut(playback.scene.mixer.apply(snapshot, fade, at: playback.scene.time.mix))
    case .listener(let listener): playback.scene.space.listeners.setFirst(listener)
    case .listeners(let listeners):
      if playback.scene.space.listeners.set(listeners) {
        playback.voices.leaveRemovedListeners(in: &playback.scene)
      }
    case .zones(let zones): playback.setZones(zones)
    case .portals(let portals):
      for diagnostic in playback.scene.space.setPortals(portals) { playback.outbox.report(diagnostic) }
    case .wallOcclusion(let level): playback.scene.space.setWall(level.rawValue)
    case .rays(let answers):
      playback.scene.space.rays.countCall()
      for answer in answers { playback.apply(answer) }
    case .seed(let seed): playback.scene.sounds.setSeed(seed)
    case .streamLimit(let count): playback.voices.streamLimit = count
    case .rateConversion(let converts): playback.scene.sounds.convertsRates = converts
    case .openUpdate: playback.scene.time.beginUpdate()
    case .closeUpdate: playback.scene.time.endUpdate()
    case .playTogether(let players, let moment):
      for player in players { playPlayer(player.slot, at: playback.scene.frames(in: moment)) }
    case .keepSamples(let bank): playback.scene.sounds.addBank(bank)
    case .pausePlayers: pauseAllPlayers()
    case .beginInterruption(let isStanding): pauseAllPlayers(byInterruption: true, fades: !isStanding)
    case .endInterruption(let shouldResume, let rewind): resumeInterrupted(shouldResume: shouldResume, rewind: rewind)
    case .otherAudio(let isPlaying): playback.scene.mixer.setOtherAudio(isPlaying, at: playback.scene.time.mix)
    case .limiter(let limiter): playback.scene.mixer.setLimiter(limiter)
    case .loudnessTarget(let target): playback.scene.mixer.setLoudnessTarget(target)
    }
  }

  /// Applies a call for the first listener, without memory for a `WorldCall`.
  @inline(__always)
  mutating func apply(_ listener: Listener) {
    playback.log.record(.listener(listener))
    playback.scene.space.listeners.setFirst(listener)
  }

  /// Applies a call of an emitter.
  @inline(__always)
  mutating func apply(_ call: EmitterCall, to id: EmitterKey) {
    playback.log.record(.emitter(id, call))
    let slot = id.slot
    switch call {
    case .make: break
    case .follow(let leader): playback.scene.follow(leader, by: slot)
    case .play(let moment): play(slot, at: moment)
    case .stop(let fade): stop(slot, fade)
    case .pause(let fade): pause(slot, fade)
    case .fade(let gain, let fade): playback.complete(playback.scene.beginFade(of: slot, .gain, to: gain, fade))
    case .seek(let time): seek(slot, to: time)
    case .position(let position): playback.scene.emitters.setPosition(position, of: slot)
    case .velocity(let velocity): playback.scene.emitters.store(slot) { $0.velocity = velocity }
    case .derivesVelocity(let derives): playback.scene.setDerivesVelocity(derives, of: slot)
    case .gain(let gain): setGain(gain, of: slot)
    case .pitch(let pitch): setPitch(pitch, of: slot)
    case .priority(let priority): setPriority(priority, of: slot)
    case .repeats(let repeats): playback.setRepeats(repeats, of: slot)
    case .behavior(let behavior): playback.scene.setBehavior(behavior, of: slot)
    case .direction(let direction): playback.scene.emitters.changeRare(slot) { $0.direction = direction }
    case .cone(let cone): playback.scene.emitters.changeRare(slot) { $0.cone = cone }
    case .radius(let radius): playback.scene.emitters.changeRare(slot) { $0.radius = radius }
    case .occlusion(let level): playback.scene.emitters.changeRare(slot) { $0.occlusion = level }
    case .obstruction(let level): playback.scene.emitters.changeRare(slot) { $0.obstruction = level }
    case .bus(let index): playback.setBus(index, of: slot)
    case .send(let effect, let gain, let fade):
      playback.complete(playback.scene.send(slot, to: effect.unit, gain: gain, fade))
    }
  }

  /// Applies a call of a player.
  @inline(__always)
  mutating func apply(_ call: PlayerCall, toPlayer id: EmitterKey) {
    playback.log.record(.player(id, call))
    let slot = id.slot
    switch call {
    case .make: break
    case .play(let moment): playPlayer(slot, at: moment.map { playback.scene.frames(in: $0) })
    case .pause: pausePlayer(slot)
    case .stop: stopPlayer(slot)
    case .prepare: preparePlayer(slot)
    case .crossfade(let other, let fade):
      fadeOutPlayer(slot, fade)
      playPlayer(other.slot, fadingIn: fade)
    case .fadeOut(let fade): fadeOutPlayer(slot, fade)
    case .fadeIn(let fade): playPlayer(slot, fadingIn: fade)
    case .fade(let volume, let fade): playback.complete(playback.scene.beginFade(of: slot, .gain, to: volume, fade))
    case .seek(let time): seekPlayer(slot, to: time)
    case .schedule: playback.changePlaylist(of: slot) { $0.beginOpening() }
    case .volume(let volume): setGain(volume, of: slot)
    case .pan(let pan):
      let isPair = playback.scene.players.hasTwoLoudspeakers
      playback.changePlaylist(of: slot) { $0.setPan(pan, onTwoLoudspeakers: isPair) }
    case .pitch(let pitch): setPitch(pitch, of: slot)
    case .repeats(let repeats):
      playback.updateCurrentSound(slot)
      playback.changeTimeline(of: slot) { $0.setRepeats(repeats, at: $1, needing: $2) }
    case .loopRange(let range): playback.setLoopRange(range, ofPlayer: slot)
    case .priority(let priority): setPriority(priority, of: slot)
    case .bus(let index): playback.setBus(index, of: slot)
    }
  }

  /// Applies a call of a bus; returns `false` if the call had no effect because of a cycle of duckers.
  ///
  /// Only the call of the game uses the result, and reports the cycle. The recording has the call, whose replay has no
  /// effect either.
  @inline(__always)
  @discardableResult
  mutating func apply(_ call: BusCall, to index: BusIndex) -> Bool {
    playback.log.record(.bus(index, call))
    switch call {
    case .gain(let gain): carryOut(playback.scene.mixer.change(index, ending: .gain) { $0.gain = gain.rawValue })
    case .fade(let gain, let fade):
      carryOut(playback.scene.mixer.beginFade(of: index, .gain, to: .gain(gain), fade, at: playback.scene.time.mix))
    case .pitch(let pitch): carryOut(playback.scene.mixer.change(index, ending: .pitch) { $0.pitch = pitch })
    case .filter(let filter): carryOut(playback.scene.mixer.change(index, ending: .low, .high) { $0.filter = filter })
    case .mute(let isMuted): carryOut(playback.scene.mixer.change(index) { $0.isMuted = isMuted })
    case .solo(let isSoloed): carryOut(playback.scene.mixer.change(index) { $0.isSoloed = isSoloed })
    case .limit(let limit):
      playback.scene.mixer.setLimit(limit, of: index)
      // A higher limit may have room for emitters that wait.
      playback.scene.limits.setHasRoom()
    case .pause(let fade): carryOut(playback.scene.mixer.pause(index, fade, at: playback.scene.time.mix))
    case .resume(let fade): resumeBus(index, fade)
    case .send(let effect, let gain, let fade):
      carryOut(playback.scene.mixer.send(index, to: effect.unit, gain: gain, fade, at: playback.scene.time.mix))
    case .duck(let other, let ducking): return playback.scene.mixer.duck(index, under: other, ducking)
    case .mutesWithOtherAudio(let mutes):
      playback.scene.mixer.setMutesWithOtherAudio(mutes, of: index, at: playback.scene.time.mix)
    case .inserts(let inserts, _): playback.scene.mixer.setInserts(inserts, of: index)
    // The world gives the bus a stem behind the call.
    case .process: break
    }
    return true
  }
}

// MARK: - Calls that make something

extension WorldState {
  /// Makes an emitter.
  mutating func makeEmitter(_ sound: Sound, isPlaced: Bool, isOnce: Bool, bus: BusIndex) -> EmitterKey {
    let id = playback.add(sound, isPlaced: isPlaced, bus: bus)
    if isOnce { playback.scene.emitters.store(id.slot) { $0.occupant = .oneShot } }
    playback.log.record(.emitter(id, .make(sound, isPlaced: isPlaced, bus: bus, isOnce: isOnce)))
    return id
  }

  /// Makes a player of a sound that was opened.
  mutating func makePlayer(_ sound: Sound, _ opened: OpenedSound, bus: BusIndex) -> EmitterKey {
    let id = playback.addPlayer(opened, bus: bus)
    playback.log.record(.player(id, .make(sound, bus: bus)))
    playback.outbox.report(playback.outbox.soundReports.cut(opened.definition.loopRange, of: opened))
    return id
  }

  /// Makes a bus, or returns the index of the bus of the name.
  mutating func makeBus(_ name: String, in parent: BusIndex, isDirect: Bool) -> BusIndex {
    let count = playback.scene.mixer.buses.count
    let index = playback.scene.mixer.makeBus(name, in: parent, isDirect: isDirect)
    if playback.scene.mixer.buses.count > count {
      playback.log.record(.makeBus(index: index, name, parent: parent, isDirect: isDirect))
    }
    return index
  }
}

// MARK: - The effects of calls

extension WorldState {
  /// Hands changed totals of buses to the emitters, and effects that are no longer used to the release queue.
  ///
  /// A gain needs no work for each emitter: the choice and the voices read the totals.
  mutating func carryOut(_ change: MixerChange) {
    for unit in change.released { playback.outbox.release(unit) }
    guard !change.totals.isEmpty else { return }
    var isAnyResumed = false
    for slot in playback.scene.emitters.indices where playback.scene.emitters[slot].isUsed {
      let bus = playback.scene.emitters.bus(of: slot)
      if playback.scene.mixer.buses.isPitchChanged(of: bus) { playback.scene.emitters.markPitch(of: slot) }
      guard playback.scene.mixer.buses.isPauseChanged(of: bus) else { continue }
      playback.scene.updateCount(of: slot)
      playback.applyBusPause(of: slot)
      if !playback.scene.mixer.buses[bus].totals.isPaused, playback.scene.emitters[slot].isSounding {
        isAnyResumed = true
      }
    }
    if change.totals.contains(.pause) { playback.scene.limits.setHasRoom() }
    // The emitters go on from the positions at which they were paused, not from the positions at the next choice.
    if isAnyResumed { choose() }
  }

  /// Lets the next tick change strips as they were prepared; at once where nothing plays.
  mutating func changeStrips(of stems: [StemIndex]) {
    for stem in stems { playback.scene.mixer.setStripChanged(of: stem) }
    guard playback.scene.emitters.activeCount == 0 else { return }
    carryOut(playback.scene.mixer.moveGainToFader(isPlaying: false))
    flushStrips()
  }

  /// Hands the strips to the mixer as they were prepared, and the gains of their faders.
  mutating func flushStrips() {
    for stem in playback.scene.mixer.allStems {
      if playback.scene.mixer.takeStripChange(of: stem) { playback.outbox.append(.changeStrip(stem)) }
      if let gain = playback.scene.mixer.takeFaderGain(of: stem) { playback.outbox.append(.moveFader(stem, gain)) }
    }
  }

  /// Gives a bus a stem, and lets its sounds move there; the graph of the strips has the stem already.
  mutating func addStem(of bus: BusIndex) {
    let (stem, change) = playback.scene.mixer.addStem(of: bus)
    carryOut(change)
    playback.outbox.append(.routeStems(playback.scene.mixer.buses.stemPlan))
    // Nothing of the stem has sounded: its fader has its gain at once.
    if let gain = playback.scene.mixer.takeFaderGain(of: stem) { playback.outbox.append(.moveFader(stem, gain)) }
    playback.moveToStems()
  }

  /// Takes one pause of a bus back; the last one lets the sounds go on, with a fade.
  private mutating func resumeBus(_ bus: BusIndex, _ fade: Fade) {
    guard playback.scene.mixer.takePause(of: bus) else { return }
    carryOut(playback.scene.mixer.beginFade(of: bus, .pause, to: .gain(.unity), fade, at: playback.scene.time.mix))
    carryOut(playback.scene.mixer.endPause(of: bus, at: playback.scene.time.mix, ahead: MixTime.tick))
  }

  @inline(__always)
  private mutating func setGain(_ gain: Gain, of slot: EmitterSlot) {
    playback.scene.removeFade(of: slot, .gain)
    playback.scene.emitters.setGain(gain.rawValue, of: slot)
  }

  @inline(__always)
  private mutating func setPitch(_ pitch: Float, of slot: EmitterSlot) {
    playback.scene.emitters.setPitch(pitch, of: slot)
  }

  private mutating func setPriority(_ priority: Priority, of slot: EmitterSlot) {
    playback.scene.modify(slot) { $0.priority = priority }
  }

  /// Moves a player to a time of its sound.
  private mutating func seekPlayer(_ slot: EmitterSlot, to time: Duration) {
    playback.updateCurrentSound(slot)
    guard let opened = playback.scene.playlist(of: slot)?.current.sound else { return }
    let frame = opened.format.frameCount(in: time)
    if let count = opened.frameCount, frame > count {
      let range = Duration.zero...opened.format.duration(ofFrames: count)
      if let fault = ValueFault("playbackTime", time, in: range) {
        playback.outbox.report(playback.firstReport(of: fault, slot))
      }
    }
    seekPlayer(slot, toFrame: frame)
  }
}
