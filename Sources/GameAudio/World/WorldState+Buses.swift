internal import Spatial3D

// The buses, and the emitters that follow from their changes.

extension WorldState {
  /// Hands changed totals of buses to the emitters, and effects that are no longer used to the release queue.
  ///
  /// A gain needs no work for each emitter: the choice and the voices read the totals.
  mutating func carryOut(_ change: MixerChange) {
    for unit in change.released { outbox.release(unit) }
    guard !change.totals.isEmpty else { return }
    var isAnyResumed = false
    for slot in emitters.indices where emitters[slot].isUsed {
      let bus = emitters.bus(of: slot)
      if mixer.buses.isPitchChanged(of: bus) { emitters.notePitch(of: slot) }
      guard mixer.buses.isPauseChanged(of: bus) else { continue }
      updateCount(of: slot)
      adoptPause(of: slot)
      if !mixer.buses[bus].totals.isPaused, emitters[slot].isSounding { isAnyResumed = true }
    }
    if change.totals.contains(.pause) { limits.setHasRoom() }
    // The emitters go on from the positions at which they were paused, not from the positions at the next choice.
    if isAnyResumed { choose() }
  }

  /// Stops the clock of an emitter whose bus is paused now, or lets it go on.
  private mutating func adoptPause(of slot: EmitterSlot) {
    guard emitters[slot].isSounding else { return }
    let isPaused = mixer.buses[emitters.bus(of: slot)].totals.isPaused
    if isPaused { emitters.store(slot) { $0.keepsPosition = true } }
    if emitters[slot].isPlayer {
      if isPaused {
        cancelSecondVoices(slot)
      } else if emitters[slot].status == .playing, emitters[slot].voice != nil {
        wake(slot)
      }
    }
    guard emitters[slot].voice != nil || !emitters[slot].behavior.stands else { return }
    if isPaused, emitters[slot].voice != nil { leaveVoice(slot, adopts: !time.mixesByFrames) }
    let (step, now) = (step(of: slot), now)
    // The weight stays: a player that fades in competes with its full level.
    emitters.modify(slot) { $0.clock.setStep(step, at: max(now, $0.began)) }
  }

  /// Moves an emitter to another bus.
  mutating func setBus(_ index: BusIndex, of slot: EmitterSlot) {
    let old = emitters.bus(of: slot)
    guard index != old else { return }
    moveCount(of: slot, toBus: index)
    emitters.setBus(index, isDirect: mixer.buses[index].isDirect, of: slot)
    updateCount(of: slot)
    setLaw(of: slot)
    adoptForm(of: slot)
    emitters.notePitch(of: slot)
    if mixer.buses[old].totals.isPaused != mixer.buses[index].totals.isPaused { adoptPause(of: slot) }
  }

  /// Takes the form of the sound that the bus plays: mono with a position, as stored without.
  ///
  /// A sound that plays keeps its form until it begins again.
  mutating func adoptForm(of slot: EmitterSlot) {
    let status = emitters[slot].status
    guard status == .idle || status == .loading else { return }
    let index = Int(emitters[slot].sound)
    guard sounds[index].isPlaced != emitters[slot].isPlaced else { return }
    let (other, jobs) = sounds.change(emitters.use(of: slot), isPlaced: emitters[slot].isPlaced)
    emitters.setUse(other, of: slot)
    outbox.load(jobs)
    if status == .loading { begin(slot) }
  }

  /// The sends of an emitter and of its buses.
  func sends(of slot: EmitterSlot) -> [VoiceSend] {
    emitters[rare: slot].sends.joined(inheriting: mixer.buses[emitters.bus(of: slot)].totals.sends)
  }

  /// The power of all sends of an emitter, against its direct path.
  func sendPower(of slot: EmitterSlot) -> Float {
    if mixer.buses[emitters.bus(of: slot)].totals.sends.isEmpty { return emitters[rare: slot].sends.power }
    return sends(of: slot).power
  }
}
