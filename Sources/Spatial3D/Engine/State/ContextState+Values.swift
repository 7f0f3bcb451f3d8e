internal import AudioSupport

// The transfer of changed values to the library.

extension ContextState {
  /// Applies properties of a source.
  mutating func apply(_ properties: SourceProperties, of key: SourceKey) {
    guard properties.isDisjoint(with: .routing) else { return apply(properties, of: [key]) }
    handle.apply(properties, of: &records[key].library.sceneSource, under: scene.distanceModel)
  }

  /// Applies properties of several sources in the same mix.
  mutating func apply(_ properties: SourceProperties, of keys: [SourceKey]) {
    records.apply(properties, of: keys, in: scene, by: handle)
  }

  /// Applies all changes of a batch in the same mix.
  ///
  /// Returns the sounds that are not audible from the positions of their sources.
  mutating func apply(_ batch: inout Batch.Storage) -> [MultichannelWarning] {
    var unplaced = batch.takeUnplaced()
    var transaction = SceneTransaction(handle, in: scene)
    records.withRecords { records in
      batch.takeSources { key, properties, values in
        // The source may be gone by now.
        guard records[key.slot].generation == key.generation else { return }
        let changed = records[key.slot].library.sceneSource.values.adopt(properties, of: values)
        guard changed.rawValue != 0 else { return }
        if let sound = records[key.slot].library.sceneSource.takeUnplacedSound() { unplaced.append(sound) }
        transaction.apply(changed, of: &records[key.slot].library.sceneSource)
      }
    }
    transaction.end(with: batch.takeListener(into: &scene), ofListenerIn: scene)
    return unplaced
  }

  /// Stores the format of a source's new sound.
  mutating func setFormat(_ format: PCMFormat?, of key: SourceKey) {
    let factor = handle.channelFactor(of: format)
    let changes = records[key].scene.setSound(format?.layout, channelFactor: factor, on: output.loudspeakers)
    if !changes.isEmpty { apply(changes, of: key) }
  }

  /// Reads the loudspeakers of the output, which decide where direct channels go.
  mutating func updateLoudspeakers() {
    output.loudspeakers = handle.loudspeakers(ofSilentDevice: device.clockMixer?.layout)
    for key in records.keys {
      let changes = records[key].scene.setOutput(output.loudspeakers)
      if !changes.isEmpty { apply(changes, of: key) }
    }
  }

  /// Stores the new sound of a source if it is only placed on request.
  ///
  /// The position in the calling thread's batch counts, and not the position of the last sound.
  mutating func setMultichannelWarning(_ sound: MultichannelWarning?, of source: SoundSource) {
    records[source.key].scene.setMultichannelWarning(nil)
    if sound != nil { handOverBatch(of: source) }
    records[source.key].scene.setMultichannelWarning(sound)
  }

  /// Applies the calling thread's batched values of a source and of the listener.
  mutating func handOverBatch(of source: SoundSource) {
    guard let batch = unsafe Batch.ofThread(at: UnsafeRawPointer(bitPattern: batches.contextAddress)) else { return }
    // The batch is this thread's own, and open.
    let properties = unsafe batch.pointee.take(source.key, into: &records[source.key].scene.values)
    if !properties.isEmpty { apply(properties, of: source.key) }
    if let sound = records[source.key].scene.takeUnplacedSound() { unsafe batch.pointee.add(unplaced: sound) }
    if observation.isPlaying {
      let next = unsafe batch.pointee.scene(after: scene)
      observation.prepareChange(to: next, in: &records, scene, &output)
    }
    let parts = unsafe batch.pointee.takeListener(into: &scene)
    if !parts.isEmpty { handle.apply(parts, ofListenerIn: scene) }
  }
}

// MARK: - Changes of speed

// A change of a value may make a looping source faster or slower: the loops before it are counted with the old values.

extension ContextState {
  /// Prepares the change of a source's property by a closure that returns whether the value changes.
  @inline(__always)
  mutating func prepareChange(
    _ properties: SourceProperties,
    of key: SourceKey,
    _ body: (inout SourceValues) -> Bool
  ) {
    guard !observation.isEmpty, !properties.isDisjoint(with: .pace), records.isObserved(key) else { return }
    guard records[observed: key].countsLoops else { return }
    var values = records[key].scene.values
    if body(&values) { observation.prepareChange(of: key, to: values, in: scene, &records, scene, &output) }
  }

  /// Changes the properties that all sources share.
  mutating func changingScene<Result>(_ change: (inout Scene) -> Result) -> Result {
    if observation.isPlaying {
      var next = scene
      _ = change(&next)
      observation.prepareChange(to: next, in: &records, scene, &output)
    }
    return change(&scene)
  }

  /// Prepares the handover of a batch.
  mutating func prepareHandover(_ batch: Batch.Storage) {
    guard observation.isPlaying else { return }
    observation.prepareChange(to: batch.scene(after: scene), in: &records, scene, &output) { key, values in
      batch.bring(key, into: &values)
    }
  }
}

extension SourceProperties {
  /// The properties that may change the speed of a loop.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}

// MARK: - The room

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
