internal import AudioSupport
internal import Spatial3D

// The values of the beginning of a recording, in the world of its replay.

extension Replay {
  /// Makes a part of the beginning.
  func perform(_ step: BeginningStep, in world: AudioWorld) {
    switch step {
    case .call(let call): perform(call, in: world)
    case .space(let record): restore(record, in: world)
    case .settingsOfBus(let index, let record):
      let (sends, own) = (sends(for: record.sends), own(index))
      world.act { state in
        state.carryOut(state.playback.scene.mixer.change(own) { $0.copySettings(of: record, sends: sends) })
      }
    case .duckers(let duckers): restore(duckers, in: world)
    case .settings(let id, let settings):
      guard let own = own(id, in: world) else { return }
      let (sends, leader) = (sends(for: settings.rare.sends), settings.rare.leader.flatMap { self.own($0, in: world) })
      world.act { settings.restore(to: own.slot, leader: leader, sends: sends, in: &$0.playback.scene) }
    case .fades(let record): restore(record, in: world)
    case .playback(let id, let playback):
      guard let own = own(id, in: world) else { return }
      world.act { $0.restore(playback, of: own.slot, after: shift) }
    case .rays(let id, let answer):
      guard let own = own(id, in: world) else { return }
      world.withState { state in state.playback.scene.emitters.changeRare(own.slot) { $0.rays = answer } }
    case .random(let seed, let random):
      world.perform(.seed(seed))
      world.withState { $0.playback.scene.sounds.setRandom(random) }
    }
  }

  /// The sends that stand for the sends of the recording.
  func sends(for sends: [VoiceSend]) -> [VoiceSend] {
    sends.compactMap { send in makeUnit(for: send.unit).map { VoiceSend(unit: $0, gain: send.gain) } }
  }

  func restore(_ duckers: [Ducker], in world: AudioWorld) {
    let moved = duckers.map { $0.moved(to: own($0.target), under: own($0.trigger)) }
    world.withState { $0.playback.scene.mixer.restore(moved) }
  }

  func restore(_ record: FadeRecord, in world: AudioWorld) {
    let (ids, units) = objects.withLock { ($0.ids, $0.units.mapValues { ObjectIdentifier($0) }) }
    let ofBuses = record.ofBuses.compactMap { fade -> BusFades.Running? in
      var value = fade.key.value
      if case .send(let unit) = value {
        guard let own = units[unit] else { return nil }
        value = .send(own)
      }
      return fade.moved(to: BusFade.Key(bus: own(fade.key.bus), value: value), after: shift)
    }
    let ofEmitters = record.ofEmitters.compactMap { id, fade -> EmitterFades.Running? in
      guard let own = ids[id] else { return nil }
      var kind = fade.key.kind
      if case .send(let unit) = kind {
        guard let other = units[unit] else { return nil }
        kind = .send(other)
      }
      return fade.moved(to: EmitterFade.Key(slot: own.slot, kind: kind), after: shift)
    }
    world.act { state in
      state.playback.scene.mixer.restore(ofBuses)
      for fade in ofEmitters { state.playback.scene.fades.begin(fade) }
    }
  }
}

extension WorldState {
  /// Plays an emitter from its position in the recording, with the same variation.
  fileprivate mutating func restore(_ recorded: EmitterPlayback, of slot: EmitterSlot, after shift: Int) {
    let (record, start) = (recorded.record, playback.scene.emitters[slot].start)
    playback.scene.emitters.store(slot) { $0.start = recorded.place }
    play(slot)
    playback.scene.emitters.store(slot) { $0.start = start }
    guard playback.scene.emitters[slot].isSounding else { return }
    var clock = record.clock
    clock.rebase(from: playback.now - shift, to: playback.now)
    var isOther = clock.course.repeats != 0 && clock.course.repeats != .forever
    if let variation = recorded.variation, let family = playback.scene.emitters.use(of: slot).family,
      playback.scene.sounds.members(of: family).indices.contains(variation)
    {
      let member = playback.scene.sounds.members(of: family)[variation]
      isOther = isOther || playback.scene.emitters[slot].sound != member
      playback.scene.emitters.setUse(SoundTable.Use(index: member), of: slot)
      playback.scene.emitters.changeRare(slot) { ($0.variation, $0.bend) = (recorded.gain, recorded.pitch) }
    }
    if let sound = playback.scene.sounds[playback.scene.emitters[slot].sound].loaded, !sound.hasFrames(of: clock.course)
    {
      // The samples are for another rate of the mix than in the recording.
      let repeats = clock.course.repeats
      let course = LogicalClock.Course(frameCount: sound.frameCount, loopRange: sound.loopRange, repeats: repeats)
      clock.change(to: course, place: recorded.place * Double(sound.sampleRate), at: playback.now)
    }
    clock.setStep(
      playback.scene.emitters[slot].voice == nil && record.behavior.stopsClock ? 0 : playback.scene.step(of: slot),
      at: playback.now
    )
    playback.scene.modify(slot) {
      ($0.clock, $0.laps) = (clock, record.laps)
      ($0.began, $0.switched) = (record.began + shift, record.switched + shift)
      ($0.hasSounded, $0.keepsPosition) = (record.hasSounded, record.keepsPosition)
    }
    // The voice has another sound, or repeats it another number of times.
    if isOther, playback.isHeard(slot) { playback.changeVoice(of: slot) }
  }
}

extension EmitterSettings {
  /// Applies the settings to an emitter that does not play.
  fileprivate func restore(to slot: EmitterSlot, leader: EmitterKey?, sends: [VoiceSend], in scene: inout WorldScene) {
    scene.emitters.setPosition(position, of: slot)
    let now = scene.now
    scene.modify(slot) {
      ($0.velocity, $0.gain, $0.pitch) = (record.velocity, record.gain, record.pitch)
      ($0.priority, $0.listener, $0.start) = (record.priority, record.listener, record.start)
      $0.clock.setRepeats(record.clock.course.repeats, at: now)
    }
    scene.emitters.setBehavior(record.behavior, of: slot)
    if derivesVelocity { scene.emitters.setDerivesVelocity(true, of: slot) }
    if record.hasRareSettings {
      scene.emitters.changeRare(slot) {
        let family = $0.family
        $0 = rare
        ($0.family, $0.leader, $0.sends) = (family, leader, sends)
      }
      scene.emitters.setSendsVersion(atLeast: rare.sendsVersion)
    }
    scene.updateWeight(of: slot)
  }
}
