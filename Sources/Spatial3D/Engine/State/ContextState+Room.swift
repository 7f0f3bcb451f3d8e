internal import AudioSupport

extension ContextState {
  /// Feeds no room from now on.
  mutating func leaveRoom() {
    let clock = handle.clock
    scene.room.stop(at: clock)
    routeRoom()
    clearSilentRooms(at: clock)
  }

  /// Changes the level alone, if the present room differs in nothing else; returns whether it did.
  mutating func changeLevel(to reverb: Reverb) -> Bool {
    // A reverb that found no free slots is tried again.
    guard let slot = scene.room.slot, let plan = scene.room.plan, let old = scene.room.reverb else { return false }
    guard old.room == reverb.room, old.equalizer == reverb.equalizer else { return false }
    if old.level != reverb.level { handle.setGain(plan.slotGain(reverb.level), of: slot) }
    scene.room.setLevel(of: reverb)
    if plan.boost(old.level) != plan.boost(reverb.level) { routeRoom() }
    return true
  }

  /// Feeds another room from now on.
  mutating func enter(_ reverb: Reverb, by plan: ReverbPlan) throws(AudioError) {
    let clock = handle.clock
    let index = scene.room.index(at: clock)
    do throws(AudioError) {
      try fill(index, with: plan, reverb.level)
    } catch {
      scene.room.fail(reverb, at: clock)
      routeRoom()
      throw error
    }
    scene.room.feed(index, reverb, plan, at: clock)
    routeRoom()
    clearSilentRooms(at: clock)
  }

  /// Loads a room and its equalisers into the slots of a unit that no source feeds.
  private mutating func fill(_ index: Int, with plan: ReverbPlan, _ level: Decibels) throws(AudioError) {
    let operation = "set the reverb"
    var unit: RoomSlots.Unit
    if let old = scene.room.units[index] {
      unit = old
    } else {
      unit = .init(slot: try handle.createEffectSlot(operation))
    }
    scene.room.setUnit(unit, at: index)
    while unit.equalizers.count < plan.stages.count {
      unit.equalizers.append(try handle.createEffectSlot(operation))
      scene.room.setUnit(unit, at: index)
    }
    handle.load(plan.room, into: unit.slot)
    handle.setGain(plan.slotGain(level), of: unit.slot)
    handle.chain(unit.slot, unit.equalizers, plan.stages)
  }

  /// Clears the slots of rooms that have rung out.
  private mutating func clearSilentRooms(at clock: Int64) {
    for unit in scene.room.takeSilent(at: clock) {
      for slot in [unit.slot] + unit.equalizers { handle.clear(slot) }
    }
  }

  /// Ends all sends to an effect slot, before its deletion.
  mutating func endSends(to slot: UInt32) {
    let senders = records.keys { $0.scene.effectSends.sends.contains { $0.slot == slot } }
    for key in senders { records[key].scene.effectSends.forget(slot) }
    apply(.reverbBlend, of: senders)
    shortFades.endings.endSends(limit: scene.sendLimit, by: handle)
  }

  /// Applies the slots of the room to the sources.
  private mutating func routeRoom() {
    apply(.reverbBlend, of: records.keys { $0.scene.values.reverbBlend > 0 })
  }
}
