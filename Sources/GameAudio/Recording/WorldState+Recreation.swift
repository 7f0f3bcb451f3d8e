internal import PCM
internal import Spatial3D

// The steps that make a copy of a world.

extension WorldState {
  /// Whether a replay can make the present state to the bit: nothing has played, and no slot was used twice.
  var isRecreatedExactly: Bool {
    emitters.lastOrder == 0 && voices.lastUse == 0 && emitters.freeSlots.isEmpty
      && Int(emitters.lastNumber) == emitters.count
  }

  /// The steps that make the present state in a new world: its buses, its emitters and players, and what they play.
  var recreation: [BeginningStep] {
    var steps: [BeginningStep] = [
      .call(.listeners(space.listeners.all)), .call(.streamLimit(voices.streamLimit)),
    ]
    // Voices may still belong to listeners that were removed.
    if !space.listeners.removed.isEmpty {
      steps.insert(.call(.listeners(space.listeners.all + space.listeners.removed)), at: 0)
    }
    if let space = recreationOfSpace { steps.append(space) }
    steps += sounds.kept.bankNumbers.map { .call(.keepSamples(bank: $0)) }
    for index in mixer.buses.indices {
      let bus = mixer.buses[index]
      guard let parent = bus.parent else { continue }
      steps.append(.call(.makeBus(index: index, bus.name, parent: parent, isDirect: bus.isDirect)))
    }
    if mixer.isOtherAudioPlaying { steps.append(.call(.otherAudio(isPlaying: true))) }
    steps += mixer.buses.indices.map { .settingsOfBus($0, mixer.buses[$0]) }
    if !mixer.duckers.isEmpty { steps.append(.duckers(mixer.duckers)) }
    let slots = emitters.indices.filter { emitters[$0].isUsed }
    for slot in slots { steps += recreation(of: slot).map { .call($0) } }
    for slot in emitters.followers.keys {
      if let leader = emitters[rare: slot].leader, emitters.has(leader) {
        steps.append(.call(.emitter(CallSubject(emitters.id(of: slot)), .follow(CallSubject(leader)))))
      }
    }
    steps += slots.compactMap { slot in settings(of: slot).map { .settings(emitters.id(of: slot), $0) } }
    if let fades = recreationOfFades { steps.append(fades) }
    for slot in slots.sorted(by: { emitters.order(of: $0) < emitters.order(of: $1) }) {
      steps += recreation(ofPlayback: slot)
    }
    for slot in slots where !emitters[slot].hasHandle {
      steps.append(.call(.release(CallSubject(emitters.id(of: slot)))))
    }
    // The plays of above have drawn random numbers.
    steps.append(.random(seed: sounds.variations.seed, sounds.variations.random))
    steps += Array(repeating: .call(.openUpdate), count: time.openUpdates)
    return steps
  }

  private func recreation(of slot: EmitterSlot) -> [WorldCall] {
    let (record, id) = (emitters[slot], emitters.id(of: slot))
    if let playlist = playlist(of: slot) { return recreation(of: playlist, id, record) }
    guard let sound = sound(of: slot) else { return [] }
    let bus = emitters.bus(of: slot)
    return [.emitter(CallSubject(id), .make(sound, isPlaced: record.hasPlace, bus: bus, isOnce: record.isOnce))]
  }

  /// The settings of an emitter; `nil` for a player.
  private func settings(of slot: EmitterSlot) -> EmitterSettings? {
    guard !emitters[slot].isPlayer else { return nil }
    var rare = emitters[rare: slot]
    rare.observers = Observers()
    return EmitterSettings(
      position: emitters.position(of: slot),
      record: emitters[slot],
      rare: rare,
      derivesVelocity: emitters.derivesVelocity(of: slot)
    )
  }

  private func recreation(of playlist: Playlist, _ id: Emitter.ID, _ record: EmitterRecord) -> [WorldCall] {
    var calls: [WorldCall] = []
    func set(_ call: PlayerCall) { calls.append(.player(CallSubject(id), call)) }
    set(.make(playlist.current.sound.definition, bus: emitters.bus(of: id.slot)))
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
          .at(time(ofFrames: scheduledSound.begin)),
          scheduledSound.entry.repeats
        )
      )
    }
    return calls
  }

  /// The fades of buses, and the fades of emitters and players that do not end them.
  private var recreationOfFades: BeginningStep? {
    let ofEmitters = fades.running.filter { $0.key.kind != .level }
      .map { (emitter: emitters.id(of: $0.key.slot), fade: $0) }
    return mixer.fades.isEmpty && ofEmitters.isEmpty
      ? nil : .fades(FadeRecord(ofBuses: mixer.fades.running, ofEmitters: ofEmitters))
  }

  private func recreation(ofPlayback slot: EmitterSlot) -> [BeginningStep] {
    let (record, id) = (emitters[slot], emitters.id(of: slot))
    let moment = record.began > now ? time(ofFrames: record.began) : nil
    if let playlist = playlist(of: slot) {
      let format = playlist.current.sound.format
      let time = format.duration(ofFrames: playlist.frame(at: playerPosition(of: slot)))
      var steps: [BeginningStep] = time > .zero ? [.call(.player(CallSubject(id), .seek(time)))] : []
      if record.status == .playing || record.status == .pausing {
        steps.append(.call(.player(CallSubject(id), .play(at: moment))))
      }
      return steps
    }
    guard record.status != .idle else { return [] }
    var steps: [BeginningStep] = []
    if record.began <= now, let sound = sounds[Int(record.sound)].loaded {
      let place = record.clock.place(at: now) / Double(max(sound.sampleRate, 1))
      let family = emitters.use(of: slot).family
      let variation = family.flatMap { sounds.members(of: $0).firstIndex(of: Int(record.sound)) }
      let (gain, pitch) = emitters.drawn(slot)
      let playback = EmitterPlayback(record: record, place: place, variation: variation, gain: gain, pitch: pitch)
      steps.append(.playback(id, playback))
    } else {
      steps.append(.call(.emitter(CallSubject(id), .play(at: moment))))
    }
    // The play waits for a first answer of its own.
    let rays = emitters[rare: slot].rays
    if rays != RayAnswer() { steps.append(.rays(id, rays)) }
    switch record.status {
    case .paused: steps.append(.call(.emitter(CallSubject(id), .pause(.none))))
    case .pausing: steps.append(.call(.emitter(CallSubject(id), .pause(.declick))))
    case .stopping: steps.append(.call(.emitter(CallSubject(id), .stop(.declick))))
    case .idle, .loading, .playing: break
    }
    return steps
  }

  /// The description of an emitter's sound; `nil` for a sound whose samples are gone.
  private func sound(of slot: EmitterSlot) -> Sound? {
    let use = emitters.use(of: slot)
    let contents = sounds.contents(of: use)
    return contents.isEmpty ? nil : sounds.sound(of: use, contents)
  }
}
