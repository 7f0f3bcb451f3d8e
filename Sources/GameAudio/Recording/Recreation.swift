internal import PCM
internal import Spatial3D

/// The steps that make the state of a world again, in a new world.
struct Recreation: Sendable {
  private let scene: WorldScene
  private let voices: VoicePool

  init(of playback: borrowing WorldPlayback) { (scene, voices) = (playback.scene, playback.voices) }

  /// Whether the steps make the state to the bit: nothing has played, no slot was used twice, and no time has passed in
  /// a strip.
  var isExact: Bool {
    let beginOfStrip = scene.mixer.strip.begin ?? scene.now
    return beginOfStrip == scene.now
      && scene.emitters.lastOrder == 0 && voices.lastUse == 0 && scene.emitters.freeSlots.isEmpty
      && Int(scene.emitters.lastNumber) == scene.emitters.count && scene.sounds.areConvertedAlike
  }

  /// The steps, in their order: the buses, the emitters and players, and what they play.
  var steps: [BeginningStep] {
    var steps: [BeginningStep] = [
      .call(.listeners(scene.space.listeners.all)), .call(.streamLimit(voices.streamLimit)),
      .call(.rateConversion(scene.sounds.convertsRates)),
    ]
    // Voices may still belong to listeners that were removed.
    if !scene.space.listeners.removed.isEmpty {
      steps.insert(
        .call(.listeners(scene.space.listeners.all + scene.space.listeners.removed)),
        at: 0
      )
    }
    if let space { steps.append(space) }
    steps += scene.sounds.kept.bankNumbers.map { .call(.keepSamples(bank: $0)) }
    for index in scene.mixer.buses.indices {
      let bus = scene.mixer.buses[index]
      guard let parent = bus.parent else { continue }
      steps.append(.call(.makeBus(index: index, bus.name, parent: parent, isDirect: bus.isDirect)))
    }
    if scene.mixer.isOtherAudioPlaying { steps.append(.call(.otherAudio(isPlaying: true))) }
    steps += scene.mixer.buses.indices.map { .settingsOfBus($0, scene.mixer.buses[$0]) }
    steps += stripCalls.map { .call($0) }
    if !scene.mixer.duckers.isEmpty { steps.append(.duckers(scene.mixer.duckers)) }
    let slots = scene.emitters.indices.filter { scene.emitters[$0].isUsed }
    for slot in slots { steps += calls(thatMake: slot).map { .call($0) } }
    for slot in scene.emitters.followers.keys {
      if let leader = scene.emitters[rare: slot].leader, scene.emitters.has(leader) {
        steps.append(.call(.emitter(scene.emitters.id(of: slot), .follow(leader))))
      }
    }
    steps += slots.compactMap { slot in settings(of: slot).map { .settings(scene.emitters.id(of: slot), $0) } }
    if let fades { steps.append(fades) }
    for slot in slots.sorted(by: { scene.emitters.order(of: $0) < scene.emitters.order(of: $1) }) {
      steps += playbackSteps(of: slot)
    }
    for slot in slots where !scene.emitters[slot].hasHandle {
      steps.append(.call(.release(scene.emitters.id(of: slot))))
    }
    // The plays of above have drawn random numbers.
    steps.append(.random(seed: scene.sounds.variations.seed, scene.sounds.variations.random))
    steps += Array(repeating: .call(.openUpdate), count: scene.time.openUpdates)
    return steps
  }

  /// The calls that set the processors of buses and of the mix.
  private var stripCalls: [WorldCall] {
    // The first settings of a strip move the gain of the main bus to its fader, and it stays there.
    let hasFader = scene.mixer.strip.hasFader
    var calls: [WorldCall] = hasFader ? [.limiter(Insert.Limiter())] : []
    for bus in scene.mixer.buses.stems.dropFirst() { calls.append(.bus(bus, .process)) }
    for index in scene.mixer.buses.indices {
      if let inserts = scene.mixer.buses[index].inserts { calls.append(.bus(index, .inserts(inserts, .none))) }
    }
    let strip = scene.mixer.strip
    if let target = strip.loudnessTarget { calls.append(.loudnessTarget(target)) }
    if hasFader || strip.limiter != nil { calls.append(.limiter(strip.limiter)) }
    return calls
  }

  /// The calls that make an emitter or player; none for a sound whose samples are gone.
  private func calls(thatMake slot: EmitterSlot) -> [WorldCall] {
    let (record, id) = (scene.emitters[slot], scene.emitters.id(of: slot))
    if let playlist = scene.playlist(of: slot) { return calls(thatMake: playlist, id, record) }
    guard let sound = sound(of: slot) else { return [] }
    let bus = scene.emitters.bus(of: slot)
    return [.emitter(id, .make(sound, isPlaced: record.hasPosition, bus: bus, isOnce: record.isOnce))]
  }

  /// The settings of an emitter; `nil` for a player.
  private func settings(of slot: EmitterSlot) -> EmitterSettings? {
    guard !scene.emitters[slot].isPlayer else { return nil }
    var rare = scene.emitters[rare: slot]
    rare.observers = Observers()
    return EmitterSettings(
      position: scene.emitters.position(of: slot),
      record: scene.emitters[slot],
      rare: rare,
      derivesVelocity: scene.emitters.derivesVelocity(of: slot)
    )
  }

  private func calls(thatMake playlist: Playlist, _ id: EmitterKey, _ record: EmitterRecord) -> [WorldCall] {
    var calls: [WorldCall] = []
    func set(_ call: PlayerCall) { calls.append(.player(id, call)) }
    set(.make(playlist.current.sound.definition, bus: scene.emitters.bus(of: id.slot)))
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
          .at(scene.time(ofFrames: scheduledSound.begin)),
          scheduledSound.entry.repeats
        )
      )
    }
    return calls
  }

  /// The fades of buses, and the fades of emitters and players that do not end them.
  private var fades: BeginningStep? {
    let ofEmitters = scene.fades.running.filter { $0.key.kind != .level }
      .map { (emitter: scene.emitters.id(of: $0.key.slot), fade: $0) }
    return scene.mixer.fades.isEmpty && ofEmitters.isEmpty
      ? nil : .fades(FadeRecord(ofBuses: scene.mixer.fades.running, ofEmitters: ofEmitters))
  }

  /// The step that makes the zones and the portals as they are; `nil` for a world without them.
  private var space: BeginningStep? {
    guard !scene.space.isDefault else { return nil }
    // The effects belong to the context, and the paths of emitters to their slots.
    var zones = scene.space.zones
    zones.forgetEffects()
    let units = (0..<ZonePool.capacity).compactMap { index in
      scene.space.zones.effects[index].map { unit in
        SpaceRecord.Unit(
          index: index,
          number: unit.number,
          firstFrame: unit.firstFrame,
          effect: unit.effect,
          gain: unit.gain
        )
      }
    }
    return .space(SpaceRecord(zones: zones, units: units, portals: scene.space.portalsWithoutPaths))
  }

  /// The steps by which an emitter or player plays as it does.
  private func playbackSteps(of slot: EmitterSlot) -> [BeginningStep] {
    let (record, id) = (scene.emitters[slot], scene.emitters.id(of: slot))
    let moment = record.began > scene.now ? scene.time(ofFrames: record.began) : nil
    if let playlist = scene.playlist(of: slot) {
      let format = playlist.current.sound.format
      let time = format.duration(ofFrames: playlist.frame(at: scene.playerPosition(of: slot)))
      var steps: [BeginningStep] = time > .zero ? [.call(.player(id, .seek(time)))] : []
      if record.status == .playing || record.status == .pausing {
        steps.append(.call(.player(id, .play(at: moment))))
      }
      return steps
    }
    guard record.status != .idle else { return [] }
    var steps: [BeginningStep] = []
    if record.began <= scene.now, let sound = scene.sounds[record.sound].loaded {
      let place = record.clock.place(at: scene.now) / Double(max(sound.sampleRate, 1))
      let family = scene.emitters.use(of: slot).family
      let variation = family.flatMap {
        scene.sounds.members(of: $0).firstIndex {
          $0 == record.sound || $0 == scene.sounds[record.sound].successor
        }
      }
      let (gain, pitch) = scene.emitters.drawn(slot)
      let recorded = EmitterPlayback(record: record, place: place, variation: variation, gain: gain, pitch: pitch)
      steps.append(.playback(id, recorded))
    } else {
      steps.append(.call(.emitter(id, .play(at: moment))))
    }
    // The play waits for a first answer of its own.
    let rays = scene.emitters[rare: slot].rays
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
    let use = scene.emitters.use(of: slot)
    let contents = scene.sounds.contents(of: use)
    return contents.isEmpty ? nil : scene.sounds.sound(of: use, contents)
  }
}
