internal import PCM
internal import Spatial3D

// The steps that make a copy of a world.

extension WorldState {
  /// Whether a replay can make the present state to the bit: nothing has played, and no slot was used twice.
  var isRecreatedExactly: Bool {
    playback.scene.emitters.lastOrder == 0 && playback.voices.lastUse == 0 && playback.scene.emitters.freeSlots.isEmpty
      && Int(playback.scene.emitters.lastNumber) == playback.scene.emitters.count
  }

  /// The steps that make the present state in a new world: its buses, its emitters and players, and what they play.
  var recreation: [BeginningStep] {
    var steps: [BeginningStep] = [
      .call(.listeners(playback.scene.space.listeners.all)), .call(.streamLimit(playback.voices.streamLimit)),
    ]
    // Voices may still belong to listeners that were removed.
    if !playback.scene.space.listeners.removed.isEmpty {
      steps.insert(
        .call(.listeners(playback.scene.space.listeners.all + playback.scene.space.listeners.removed)),
        at: 0
      )
    }
    if let space = recreationOfSpace { steps.append(space) }
    steps += playback.scene.sounds.kept.bankNumbers.map { .call(.keepSamples(bank: $0)) }
    for index in playback.scene.mixer.buses.indices {
      let bus = playback.scene.mixer.buses[index]
      guard let parent = bus.parent else { continue }
      steps.append(.call(.makeBus(index: index, bus.name, parent: parent, isDirect: bus.isDirect)))
    }
    if playback.scene.mixer.isOtherAudioPlaying { steps.append(.call(.otherAudio(isPlaying: true))) }
    steps += playback.scene.mixer.buses.indices.map { .settingsOfBus($0, playback.scene.mixer.buses[$0]) }
    if !playback.scene.mixer.duckers.isEmpty { steps.append(.duckers(playback.scene.mixer.duckers)) }
    let slots = playback.scene.emitters.indices.filter { playback.scene.emitters[$0].isUsed }
    for slot in slots { steps += recreation(of: slot).map { .call($0) } }
    for slot in playback.scene.emitters.followers.keys {
      if let leader = playback.scene.emitters[rare: slot].leader, playback.scene.emitters.has(leader) {
        steps.append(.call(.emitter(playback.scene.emitters.id(of: slot), .follow(leader))))
      }
    }
    steps += slots.compactMap { slot in settings(of: slot).map { .settings(playback.scene.emitters.id(of: slot), $0) } }
    if let fades = recreationOfFades { steps.append(fades) }
    for slot in slots.sorted(by: { playback.scene.emitters.order(of: $0) < playback.scene.emitters.order(of: $1) }) {
      steps += recreation(ofPlayback: slot)
    }
    for slot in slots where !playback.scene.emitters[slot].hasHandle {
      steps.append(.call(.release(playback.scene.emitters.id(of: slot))))
    }
    // The plays of above have drawn random numbers.
    steps.append(.random(seed: playback.scene.sounds.variations.seed, playback.scene.sounds.variations.random))
    steps += Array(repeating: .call(.openUpdate), count: playback.scene.time.openUpdates)
    return steps
  }

  private func recreation(of slot: EmitterSlot) -> [WorldCall] {
    let (record, id) = (playback.scene.emitters[slot], playback.scene.emitters.id(of: slot))
    if let playlist = playback.scene.playlist(of: slot) { return recreation(of: playlist, id, record) }
    guard let sound = sound(of: slot) else { return [] }
    let bus = playback.scene.emitters.bus(of: slot)
    return [.emitter(id, .make(sound, isPlaced: record.hasPosition, bus: bus, isOnce: record.isOnce))]
  }

  /// The settings of an emitter; `nil` for a player.
  private func settings(of slot: EmitterSlot) -> EmitterSettings? {
    guard !playback.scene.emitters[slot].isPlayer else { return nil }
    var rare = playback.scene.emitters[rare: slot]
    rare.observers = Observers()
    return EmitterSettings(
      position: playback.scene.emitters.position(of: slot),
      record: playback.scene.emitters[slot],
      rare: rare,
      derivesVelocity: playback.scene.emitters.derivesVelocity(of: slot)
    )
  }

  private func recreation(of playlist: Playlist, _ id: EmitterKey, _ record: EmitterRecord) -> [WorldCall] {
    var calls: [WorldCall] = []
    func set(_ call: PlayerCall) { calls.append(.player(id, call)) }
    set(.make(playlist.current.sound.definition, bus: playback.scene.emitters.bus(of: id.slot)))
    if record.gain != 1 { set(.volume(Gain(record.gain))) }
    if record.pitch != 1 { set(.pitch(record.pitch)) }
    if playlist.pan != 0 { set(.pan(playlist.pan)) }
    if record.priority != .mustBeHeard { set(.priority(record.priority)) }
    if playlist.current.repeats != 0 { set(.repeats(playlist.current.repeats)) }
    if let range = playlist.current.loopRange { set(.loopRange(range)) }
    for entry in playlist.entries.dropFirst() { set(.schedule(entry.sound.definition, .afterQueue, entry.repeats)) }
    for scheduledSound in playlist.scheduledSounds {
      set(
        .schedule(
          scheduledSound.entry.sound.definition,
          .at(playback.scene.time(ofFrames: scheduledSound.begin)),
          scheduledSound.entry.repeats
        )
      )
    }
    return calls
  }

  /// The fades of buses, and the fades of emitters and players that do not end them.
  private var recreationOfFades: BeginningStep? {
    let ofEmitters = playback.scene.fades.running.filter { $0.key.kind != .level }
      .map { (emitter: playback.scene.emitters.id(of: $0.key.slot), fade: $0) }
    return playback.scene.mixer.fades.isEmpty && ofEmitters.isEmpty
      ? nil : .fades(FadeRecord(ofBuses: playback.scene.mixer.fades.running, ofEmitters: ofEmitters))
  }

  private func recreation(ofPlayback slot: EmitterSlot) -> [BeginningStep] {
    let (record, id) = (playback.scene.emitters[slot], playback.scene.emitters.id(of: slot))
    let moment = record.began > playback.now ? playback.scene.time(ofFrames: record.began) : nil
    if let playlist = playback.scene.playlist(of: slot) {
      let format = playlist.current.sound.format
      let time = format.duration(ofFrames: playlist.frame(at: playback.scene.playerPosition(of: slot)))
      var steps: [BeginningStep] = time > .zero ? [.call(.player(id, .seek(time)))] : []
      if record.status == .playing || record.status == .pausing {
        steps.append(.call(.player(id, .play(at: moment))))
      }
      return steps
    }
    guard record.status != .idle else { return [] }
    var steps: [BeginningStep] = []
    if record.began <= playback.now, let sound = playback.scene.sounds[record.sound].loaded {
      let place = record.clock.place(at: playback.now) / Double(max(sound.sampleRate, 1))
      let family = playback.scene.emitters.use(of: slot).family
      let variation = family.flatMap { playback.scene.sounds.members(of: $0).firstIndex(of: record.sound) }
      let (gain, pitch) = playback.scene.emitters.drawn(slot)
      let recorded = EmitterPlayback(record: record, place: place, variation: variation, gain: gain, pitch: pitch)
      steps.append(.playback(id, recorded))
    } else {
      steps.append(.call(.emitter(id, .play(at: moment))))
    }
    // The play waits for a first answer of its own.
    let rays = playback.scene.emitters[rare: slot].rays
    if rays != RayAnswer() { steps.append(.rays(id, rays)) }
    switch record.status {
    case .paused, .pausedBeforeStart: steps.append(.call(.emitter(id, .pause(.none))))
    case .pausing: steps.append(.call(.emitter(id, .pause(.declick))))
    case .stopping: steps.append(.call(.emitter(id, .stop(.declick))))
    case .idle, .loading, .playing: break
    }
    return steps
  }

  /// The description of an emitter's sound; `nil` for a sound whose samples are gone.
  private func sound(of slot: EmitterSlot) -> Sound? {
    let use = playback.scene.emitters.use(of: slot)
    let contents = playback.scene.sounds.contents(of: use)
    return contents.isEmpty ? nil : playback.scene.sounds.sound(of: use, contents)
  }
}
