internal import AudioSupport
internal import PCM
internal import Spatial3D

// A recorded call, carried out by the interface that the game has called.

extension Replay {
  func perform(_ call: WorldCall, in world: AudioWorld) {
    switch call {
    case .emitter(let id, let call): perform(call, of: id, in: world)
    case .player(let id, let call): perform(call, of: id, in: world)
    case .bus(let index, let call): perform(call, of: bus(index, in: world), in: world)
    case .release(let id): release(id)
    case .move(let ids, let places): move(ids, places, in: world)
    case .makeBus(let index, let name, let parent, let isDirect):
      let made = world.mixer.makeBus(BusName(name), in: bus(parent, in: world), kind: isDirect ? .direct : .spatial)
      objects.withLock { $0.buses[index] = made }
    case .apply(let snapshot, let fade): world.mixer.apply(snapshot, fade)
    case .listener(let listener): world.listener = listener
    case .listeners(let listeners): world.listeners = listeners
    case .zones(let zones): world.zones = zones
    case .portals(let portals): world.portals = portals
    case .wallOcclusion(let level): world.wallOcclusion = level
    case .rays(let answers): adopt(answers, in: world)
    case .space(let space): restore(space, in: world)
    case .duckers(let duckers): restore(duckers, in: world)
    case .fades(let fades): restore(fades, in: world)
    case .seed(let seed): world.seed = seed
    case .random(let seed, let random):
      world.seed = seed
      world.withState { $0.sounds.random = random }
    case .streamLimit(let count): world.streamLimit = count
    case .openUpdate: world.withState { $0.openUpdate() }
    case .closeUpdate: world.withState { $0.closeUpdate() }
    case .playTogether(let ids, let moment): SoundPlayer.play(ids.compactMap { player($0) }, at: moved(moment))
    case .keepSamples(let bank): world.withState { $0.sounds.banks[bank] = $0.sounds.banks[bank] ?? BankRecord() }
    case .pausePlayers: world.pausePlayers()
    case .beginInterruption(let isStanding): world.beginInterruption(isStanding: isStanding)
    case .endInterruption(let shouldResume, let rewind):
      world.endInterruption(shouldResume: shouldResume, resumingAfter: rewind)
    case .otherAudio(let isPlaying): world.act { $0.setOtherAudio(isPlaying) }
    }
  }

  private func emitter(_ id: Emitter.ID) -> Emitter? { objects.withLock { $0.emitters[id] } }

  private func player(_ id: Emitter.ID) -> SoundPlayer? { objects.withLock { $0.players[id] } }

  func bus(_ index: BusIndex, in world: AudioWorld) -> Bus {
    objects.withLock { $0.buses[index] } ?? world.mixer.main
  }

  /// Releases an emitter or a player without a lock.
  private func release(_ id: Emitter.ID) {
    let gone = objects.withLock { objects in
      (objects.emitters.removeValue(forKey: id), objects.players.removeValue(forKey: id))
    }
    withExtendedLifetime(gone) {}
  }

  private func move(_ ids: [Emitter.ID], _ places: [SIMD3<Float>], in world: AudioWorld) {
    var moved: [Emitter] = []
    var positions: [SIMD3<Float>] = []
    for (id, place) in zip(ids, places) {
      guard let emitter = emitter(id) else { continue }
      moved.append(emitter)
      positions.append(place)
    }
    world.move(moved, to: positions.span)
  }

  private func perform(_ call: EmitterCall, of id: Emitter.ID, in world: AudioWorld) {
    if case .make(let sound, let isPlaced, let bus, let isOnce) = call {
      let bus = self.bus(bus, in: world)
      let emitter = Emitter(sound, isPlaced: isPlaced, isOnce: isOnce, in: world, on: bus)
      objects.withLock { objects in
        objects.emitters[id] = emitter
        objects.ids[id] = emitter.id
      }
      return
    }
    guard let emitter = emitter(id) else { return performWithoutHandle(call, of: id, in: world) }
    switch call {
    case .make: break
    case .settings, .playback, .follow: performWithoutHandle(call, of: id, in: world)
    case .play(let moment): if let moment { emitter.play(at: moved(moment)) } else { emitter.play() }
    case .stop(let fade): emitter.stop(fade)
    case .pause(let fade): emitter.pause(fade)
    case .fade(let level, let fade): emitter.fade(to: level, fade)
    case .seek(let time): emitter.playbackTime = time
    case .position(let position): emitter.position = position
    case .velocity(let velocity): emitter.velocity = velocity
    case .derivesVelocity(let derives): emitter.derivesVelocity = derives
    case .gain(let gain): emitter.gain = gain
    case .pitch(let pitch): emitter.pitch = pitch
    case .priority(let priority): emitter.priority = priority
    case .repeats(let repeats): emitter.repeats = repeats
    case .behavior(let behavior): emitter.virtualBehavior = behavior
    case .direction(let direction): emitter.direction = direction
    case .cone(let cone): emitter.cone = cone
    case .radius(let radius): emitter.radius = radius
    case .occlusion(let level): emitter.occlusion = level
    case .obstruction(let level): emitter.obstruction = level
    case .rays(let answer): world.withState { $0.emitters.changeRare(emitter.slot) { $0.rays = answer } }
    case .bus(let index): emitter.bus = bus(index, in: world)
    case .send(let unit, let gain, let fade):
      if let own = makeUnit(for: unit) { emitter.send(to: own, gain: gain, fade) }
    }
  }

  /// Performs a call that has no public one, or that a bank makes for an emitter that the game does not keep.
  private func performWithoutHandle(_ call: EmitterCall, of id: Emitter.ID, in world: AudioWorld) {
    let ids = objects.withLock { $0.ids }
    guard let own = ids[id] else { return }
    let slot = Int(own.slot)
    switch call {
    case .settings(let settings):
      let sends = sends(for: settings.rare.sends)
      world.act { $0.restore(settings, of: slot, leader: settings.rare.leader.flatMap { ids[$0] }, sends: sends) }
    case .playback(let playback): world.act { $0.restore(playback, of: slot, after: shift) }
    case .follow(let leader):
      guard let leader = ids[leader] else { return }
      world.withState { state in
        state.note(.emitter(own, .follow(leader)))
        state.follow(leader, by: slot)
      }
    case .stop, .seek:
      world.act { state in
        guard state.emitters.has(own) else { return }
        state.note(.emitter(own, call))
        if case .stop(let fade) = call { state.stop(slot, fade) }
        if case .seek(let time) = call { state.seek(slot, to: time) }
      }
    default: break
    }
  }

  private func make(_ sound: Sound, on bus: Bus, _ id: Emitter.ID, in world: AudioWorld) {
    do throws(GameAudioError) {
      let player = try SoundPlayer(playing: sound, in: world, on: bus)
      objects.withLock { objects in
        objects.players[id] = player
        objects.ids[id] = player.id
      }
    } catch {
      world.context.report(.soundUnavailable(error.message))
    }
  }

  private func perform(_ call: PlayerCall, of id: Emitter.ID, in world: AudioWorld) {
    if case .make(let sound, let bus) = call {
      make(sound, on: self.bus(bus, in: world), id, in: world)
      return
    }
    guard let player = player(id) else { return }
    switch call {
    case .make: break
    case .play(let moment): if let moment { player.play(at: moved(moment)) } else { player.play() }
    case .pause: player.pause()
    case .stop: player.stop()
    case .prepare: world.act { $0.preparePlayer(player.slot) }
    case .crossfade(let other, let fade): if let other = self.player(other) { player.crossfade(to: other, fade) }
    case .fadeOut(let fade): world.act { $0.fadeOutPlayer(player.slot, fade) }
    case .fadeIn(let fade): world.act { $0.playPlayer(player.slot, fadingIn: fade) }
    case .fade(let volume, let fade): player.fade(to: volume, fade)
    case .seek(let time): player.playbackTime = time
    case .schedule(let sound, let place, let repeats):
      player.schedule(sound, slot(for: place), repeats: repeats)
    case .volume(let volume): player.volume = volume
    case .pan(let pan): player.pan = pan
    case .pitch(let pitch): player.pitch = pitch
    case .repeats(let repeats): player.repeats = repeats
    case .loopRange(let range): player.loopRange = range
    case .priority(let priority): player.priority = priority
    case .bus(let index): player.bus = bus(index, in: world)
    }
  }

  private func perform(_ call: BusCall, of bus: Bus, in world: AudioWorld) {
    switch call {
    case .settings(let record):
      let sends = sends(for: record.sends)
      world.act { $0.restore(record, ofBus: bus.index, sends: sends) }
    case .gain(let gain): bus.gain = gain
    case .fade(let gain, let fade): bus.fade(to: gain, fade)
    case .pitch(let pitch): bus.pitch = pitch
    case .filter(let filter): bus.filter = filter
    case .mute(let isMuted): bus.isMuted = isMuted
    case .solo(let isSoloed): bus.isSoloed = isSoloed
    case .limit(let limit): bus.limit = limit
    case .pause(let fade): bus.pause(fade)
    case .resume(let fade): bus.resume(fade)
    case .send(let unit, let gain, let fade): if let own = makeUnit(for: unit) { bus.send(to: own, gain: gain, fade) }
    case .duck(let other, let ducking): bus.duck(under: self.bus(other, in: world), ducking)
    case .mutesWithOtherAudio(let mutes): bus.mutesWithOtherAudio = mutes
    }
  }
}

extension Replay {
  /// A moment of the recording, at the frame of the mix that stands for its own.
  fileprivate func moved(_ moment: Duration) -> Duration {
    let frame = PCMFormat.mono(sampleRate: rate).frameCount(in: moment)
    return PCMFormat.mono(sampleRate: ownRate).duration(ofFrames: self.frame(for: frame))
  }

  fileprivate func slot(for place: RecordedSchedulePosition) -> SoundPlayer.SchedulePosition {
    switch place {
    case .afterQueue: .afterQueue
    case .now: .now
    case .atLoopEnd: .atLoopEnd
    case .at(let moment): .at(moved(moment))
    }
  }
}
