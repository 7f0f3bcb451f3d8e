internal import Spatial3D

// The listener of each emitter: each emitter belongs to one listener, and is rendered around the first.

extension WorldState {
  /// Replaces the listeners; an emitter without a voice leaves a listener that was removed.
  mutating func setListeners(_ listeners: [Listener]) {
    guard space.listeners.set(listeners) else { return }
    let count = space.listeners.count
    for slot in emitters.indices where emitters[slot].listener.position >= count && !isHeard(slot) {
      emitters.store(slot) { $0.listener = 0 }
    }
  }

  /// The listener that an emitter belongs to.
  func listener(of slot: EmitterSlot) -> Listener { space.listeners[emitters[slot].listener] }

  /// Lets an emitter without a voice belong to the listener at which it is loudest.
  mutating func updateListener(of slot: EmitterSlot) {
    guard space.listeners.count > 1, emitters[slot].isPlaced else { return }
    let listener = loudestListener(of: slot)
    emitters.store(slot) { $0.listener = listener }
  }

  /// Lets each emitter with a voice belong to the listener at which it is loudest.
  ///
  /// An emitter that moves to another listener goes on with another voice, because a source that jumps clicks. While no
  /// voice is free and one will be, the emitter stays with its listener. A stream moves at once: a second reader would
  /// leave a gap.
  mutating func updateListeners() {
    guard space.listeners.countWithRemoved > 1 else { return }
    var isRemovedInUse = false
    for index in voices.voices.indices
    where voices.voices[index].state == .sounding && voices.voices[index].role == .plain {
      let slot = voices.voices[index].slot
      guard emitters[slot].isPlaced, Int(emitters[slot].voice) == index else { continue }
      let listener = loudestListener(of: slot)
      guard listener != emitters[slot].listener else { continue }
      let isStream = voices.voices[index].isStream
      let isFree = voices.voices.contains { $0.state == .free }
      if !isStream, !isFree, voices.voices.contains(where: { !$0.isTaken }) {
        if emitters[slot].listener.position >= space.listeners.count { isRemovedInUse = true }
        continue
      }
      emitters.store(slot) { $0.listener = listener }
      // The voice does not glide from the path to the old listener.
      updatePath(of: slot)
      if !isStream, isFree { changeVoice(of: slot) }
    }
    if !isRemovedInUse { space.listeners.forgetRemoved() }
  }

  private mutating func loudestListener(of slot: EmitterSlot) -> ListenerIndex {
    var scores = InlineArray<4, Float>(repeating: 0)
    let hasPaths = updateRoom(of: slot)
    for index in 0..<space.listeners.count {
      let listener = space.listeners[ListenerIndex(index)]
      var (position, gain) = (emitters.position(of: slot), listener.gain.rawValue)
      if hasPaths {
        let path = way(of: slot, to: index)
        position = path.place
        if path.muffling < 0 { gain *= Audibility.loudness(ofOcclusion: Decibels(path.muffling)) }
      }
      let distance = (position - listener.position).length
      gain *= sounds[Int(emitters[slot].sound)].attenuation(at: distance, model: time.physics.distanceModel)
      // Beyond the reach of all, the nearest one counts.
      scores[index] = gain * Audibility.reach(at: distance, of: emitters.columns.reach[slot]) + 1e-12 / (1 + distance)
    }
    return ListenerChoice.listener(scores, count: space.listeners.count, current: emitters[slot].listener)
  }

  /// Moves the values of a source from around its listener to around the first one.
  func moveToFirst(_ values: inout VoiceValues, of slot: EmitterSlot) {
    space.listeners.moveToFirst(
      from: emitters[slot].listener,
      gain: &values.gain,
      position: &values.position,
      velocity: &values.velocity,
      direction: &values.direction
    )
  }
}
