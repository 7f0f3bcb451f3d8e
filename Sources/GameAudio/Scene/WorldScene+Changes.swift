internal import PCM
internal import Spatial3D

// The changes of an emitter, and what follows from each of them.

extension WorldScene {
  mutating func setDerivesVelocity(_ derives: Bool, of slot: EmitterSlot) {
    guard derives != emitters.derivesVelocity(of: slot) else { return }
    emitters.setDerivesVelocity(derives, of: slot)
    emitters.changeRare(slot) { $0.derivedAt = nil }
  }

  mutating func setBehavior(_ behavior: VirtualBehavior, of slot: EmitterSlot) {
    emitters.setBehavior(behavior, of: slot)
    guard emitters[slot].status == .playing, emitters[slot].voice == nil else { return }
    let (step, now) = (behavior.stopsClock ? 0 : step(of: slot), now)
    modify(slot) { $0.clock.setStep(step, at: now) }
  }

  /// Lets an emitter follow another emitter.
  mutating func follow(_ leader: EmitterKey, by slot: EmitterSlot) {
    let from = leader.slot
    emitters.setPosition(emitters.position(of: from), of: slot)
    let velocity = emitters[from].velocity
    emitters.store(slot) { $0.velocity = velocity }
    let (occlusion, obstruction) = (emitters[rare: from].occlusion, emitters[rare: from].obstruction)
    emitters.changeRare(slot) { ($0.leader, $0.occlusion, $0.obstruction) = (leader, occlusion, obstruction) }
    emitters.setFollowing(slot)
  }

  /// Stores the beginning of an emitter for the spacings of its sound and of its buses.
  mutating func storeBegin(of slot: EmitterSlot) {
    let begin = emitters[slot].began
    sounds.change(playsOf: sounds[emitters[slot].sound].identity) { $0.lastBegin = begin }
    mixer.setBegin(begin, on: emitters.bus(of: slot))
  }

  /// Changes an emitter, and then all that follows from its values: its end, its weight, and the counts of the limits.
  @inline(__always)
  mutating func modify(_ slot: EmitterSlot, _ body: (inout EmitterRecord) -> Void) {
    emitters.modify(slot, body)
    updateWeight(of: slot)
    updateCount(of: slot)
  }

  /// Stores the largest score of an emitter, after a change of its sound, its sends or the model of distance.
  mutating func updateWeight(of slot: EmitterSlot) {
    let index = emitters[slot].sound
    let peak = emitters.isWaitingForVoice(slot) ? sounds[index].peak(in: time.physics.distanceModel) : nil
    emitters.updateWeight(of: slot, peak)
  }

  /// Counts an emitter for the limits, or no longer, after a change of its state.
  ///
  /// One on a paused bus does not count.
  mutating func updateCount(of slot: EmitterSlot) {
    let bus = emitters.bus(of: slot)
    let change = emitters.updateCount(of: slot, isBusPaused: mixer.buses[bus].totals.isPaused)
    guard change != 0 else { return }
    sounds.change(playsOf: sounds[emitters[slot].sound].identity) { $0.counted += change }
    mixer.count(change, on: bus)
    if change < 0 { limits.setHasRoom() }
  }

  /// Moves the count of an emitter to another bus, before the emitter.
  mutating func moveCount(of slot: EmitterSlot, toBus bus: BusIndex) {
    guard emitters[slot].isCounted else { return }
    mixer.count(-1, on: emitters.bus(of: slot))
    mixer.count(1, on: bus)
    limits.setHasRoom()
  }

  /// Stops the clock of an emitter that waits for its voice.
  mutating func stopClockIfVirtual(of slot: EmitterSlot) {
    guard emitters[slot].voice == nil, emitters[slot].behavior.stopsClock else { return }
    let now = now
    modify(slot) { $0.clock.setStep(0, at: max(now, $0.began)) }
  }

  /// Draws the variation of a play that the limits have admitted.
  mutating func drawVariation(of slot: EmitterSlot) {
    if let family = emitters.use(of: slot).family { emitters.setDraw(sounds.draw(from: family), of: slot) }
  }

  /// The indices of the sounds that emitters play.
  var playedSounds: Set<SoundIndex> {
    Set(emitters.records.lazy.filter { $0.isUsed && $0.status != .idle }.map(\.sound))
  }

  /// Goes over to newer samples of the sound, if there are any; returns the older samples.
  mutating func moveToSuccessor(_ slot: EmitterSlot) -> LoadedSound? {
    guard sounds.hasSuccessors, sounds[emitters[slot].sound].successor != nil else { return nil }
    let old = sounds[emitters[slot].sound].loaded
    emitters.setUse(sounds.moveToSuccessor(emitters.use(of: slot)), of: slot)
    return old
  }

  /// Adds a slot without a sound.
  mutating func addSlot(isPlaced: Bool, bus: BusIndex) -> EmitterKey {
    let id = emitters.add(hasPosition: isPlaced, bus: bus, isDirect: mixer.buses[bus].isDirect)
    space.forgetPath(of: id.slot)
    return id
  }

  /// Copies the law of distance of an emitter's sound into the columns.
  mutating func setLaw(of slot: EmitterSlot) {
    emitters.setLaw(of: sounds[emitters[slot].sound], in: time.physics.distanceModel, slot)
  }
}
