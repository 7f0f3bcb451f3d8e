internal import AudioSupport

extension AudioContext {
  /// The room of the context; `nil`, the default, is none.
  ///
  /// The ``SoundSource/reverbSendLevel`` of a source sets its share of the room. Sounds cross over from an old room to
  /// a new one without a click, within one mix, and the tail of the old room rings out: up to four rooms sound at once.
  /// A fifth cuts off one of them, of two the one that would be silent sooner. The change is audible at once, also
  /// inside ``withDeferredUpdates(_:)``. A changed equaliser may take some milliseconds to fit. A value that is not
  /// finite changes nothing. Without ``Capabilities/effects`` the reverb is silent. A room that has rung out costs
  /// processor time until the next change.
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

  /// The actual reverb of the loaded library; `nil` without a ``reverb``, or if the library has no effects.
  public var reverbResolution: ReverbResolution? {
    let room = state.withLock { $0.scene.room }
    return room.resolution(handle.effectLimits)
  }

  private func set(_ reverb: Reverb) {
    let isDone = state.withLock { state in
      let room = state.scene.room
      // A reverb that found no free slots is tried again.
      guard let slot = room.slot, let plan = room.plan else { return false }
      guard let old = room.reverb, old.room == reverb.room, old.equalizer == reverb.equalizer else { return false }
      if old.level != reverb.level { handle.setGain(plan.slotGain(reverb.level), of: slot) }
      state.scene.room.setLevel(of: reverb)
      if plan.boost(old.level) != plan.boost(reverb.level) { routeRoom(&state) }
      return true
    }
    guard !isDone else { return }
    // The fit takes long and runs outside the lock.
    let plan = ReverbPlan(for: reverb, canChain: handle.canChainEffects, limits: handle.effectLimits)
    let error = state.withLock { state -> AudioError? in
      let clock = handle.clock
      let index = state.scene.room.index(at: clock)
      do throws(AudioError) {
        try fill(index, with: plan, reverb.level, &state)
        state.scene.room.feed(index, reverb, plan, at: clock)
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

  /// Loads a room and its equalisers into the slots of a unit that no source feeds.
  private func fill(_ index: Int, with plan: ReverbPlan, _ level: Decibels, _ state: inout State) throws(AudioError) {
    let operation = "set the reverb"
    var unit: RoomSlots.Unit
    if let old = state.scene.room.units[index] {
      unit = old
    } else {
      unit = .init(slot: try handle.createEffectSlot(operation))
    }
    state.scene.room.setUnit(unit, at: index)
    while unit.equalizers.count < plan.stages.count {
      unit.equalizers.append(try handle.createEffectSlot(operation))
      state.scene.room.setUnit(unit, at: index)
    }
    handle.load(plan.room, into: unit.slot)
    handle.setGain(plan.slotGain(level), of: unit.slot)
    handle.chain(unit.slot, unit.equalizers, plan.stages)
  }

  /// Clears the slots of rooms that have rung out.
  private func clearSilentRooms(at clock: Int64?, _ state: inout State) {
    for unit in state.scene.room.takeSilent(at: clock) {
      for slot in [unit.slot] + unit.equalizers { handle.clear(slot) }
    }
  }

  /// Applies the slots of the room to the sources.
  private func routeRoom(_ state: inout State) {
    let sources = state.scene.sources { $0.values.reverbSendLevel > 0 }
    handle.apply(.reverbSendLevel, of: sources, in: &state.scene)
  }
}
