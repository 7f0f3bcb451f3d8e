extension AudioContext {
  /// The room that the scene plays in; `nil`, the default, is none.
  ///
  /// A source is heard in it as far as its ``SoundSource/reverbSendLevel`` says. Sounds go over from an old room to a new one
  /// without a click, within one mix, and what the old one still has rings out: up to four rooms sound at once. A fifth cuts off
  /// one of them, of two the one that would be silent sooner. The change is heard at once, also inside ``withDeferredUpdates(_:)``. An equaliser
  /// other than the old one may take some milliseconds to fit. A value that is not finite changes nothing. Without
  /// ``Capabilities/effects`` nothing is heard of it. A room that has rung out costs processor time until the next change.
  ///
  /// Apple's counterparts are `ALC_ASA_REVERB_ON` and its like.
  public var reverb: Reverb? {
    get { state.withLock { $0.scene.room.reverb } }
    set {
      guard let newValue else {
        return state.withLock { state in
          let clock = handle.clock
          state.scene.room.stop(at: clock)
          routeRoom(&state)
          clearSilentRooms(at: clock, &state)
        }
      }
      guard newValue.isFinite else { return complain(about: .reverb, "reverb", newValue) }
      set(newValue.clamped)
    }
  }

  /// What the loaded library made of the ``reverb``; `nil` while there is none, or where there are no effects.
  public var reverbResolution: ReverbResolution? {
    let room = state.withLock { $0.scene.room }
    return room.resolution(handle.effectLimits)
  }

  private func set(_ reverb: Reverb) {
    let isDone = state.withLock { state in
      let room = state.scene.room
      // One that there were no slots for is tried again.
      guard let slot = room.slot, let plan = room.plan else { return false }
      guard let old = room.reverb, old.room == reverb.room, old.equalizer == reverb.equalizer else { return false }
      if old.level != reverb.level { handle.setGain(plan.slotGain(reverb.level), of: slot) }
      state.scene.room.setLevel(of: reverb)
      if plan.boost(old.level) != plan.boost(reverb.level) { routeRoom(&state) }
      return true
    }
    guard !isDone else { return }
    // Takes its time: outside the lock.
    let plan = ReverbPlan(for: reverb, canChain: handle.canChainEffects, limits: handle.effectLimits)
    let error = state.withLock { state -> AudioError? in
      let clock = handle.clock
      let place = state.scene.room.place(at: clock)
      do throws(AudioError) {
        try fill(place, with: plan, reverb.level, &state)
        state.scene.room.feed(place, reverb, plan, at: clock)
        routeRoom(&state)
        clearSilentRooms(at: clock, &state)
        return nil
      } catch {
        state.scene.room.fail(reverb, at: clock)
        routeRoom(&state)
        return error
      }
    }
    if let error, error.code != .notInLibrary { report(.reverbUnavailable(error)) }
  }

  /// Puts a room and its equalisers into the slots of a place that nothing is fed into.
  private func fill(_ place: Int, with plan: ReverbPlan, _ level: Decibels, _ state: inout State) throws(AudioError) {
    let operation = "set the reverb"
    var unit: RoomSlots.Unit
    if let old = state.scene.room.units[place] {
      unit = old
    } else {
      unit = .init(slot: try handle.createEffectSlot(operation))
    }
    state.scene.room.setUnit(unit, at: place)
    while unit.equalizers.count < plan.stages.count {
      unit.equalizers.append(try handle.createEffectSlot(operation))
      state.scene.room.setUnit(unit, at: place)
    }
    handle.load(plan.room, into: unit.slot)
    handle.setGain(plan.slotGain(level), of: unit.slot)
    handle.chain(unit.slot, unit.equalizers, plan.stages)
  }

  /// Takes those rooms out of their slots that have rung out.
  private func clearSilentRooms(at clock: Int64?, _ state: inout State) {
    for unit in state.scene.room.takeSilent(at: clock) {
      for slot in [unit.slot] + unit.equalizers { handle.clear(slot) }
    }
  }

  /// Hands over which slots sources feed.
  private func routeRoom(_ state: inout State) {
    let sources = state.scene.sources { $0.values.reverbSendLevel > 0 }
    handle.apply(.reverbSendLevel, of: sources, in: &state.scene)
  }
}
