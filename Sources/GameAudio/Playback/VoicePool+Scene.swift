internal import Spatial3D

// The emitters of the voices of a pool.

extension VoicePool {
  /// The emitter that has faded out furthest, of the emitters that fade to their ends; `nil` for none.
  func quietestStopping(in emitters: borrowing EmitterTable) -> EmitterSlot? {
    var quietest: EmitterSlot?
    for voice in indices where self[voice].state == .sounding && self[voice].role == .plain {
      guard let slot = self[voice].slot, emitters[slot].status == .stopping else { continue }
      if let known = quietest, emitters[known].fade <= emitters[slot].fade { continue }
      quietest = slot
    }
    return quietest
  }

  /// Predicts the power of each bus, including the buses inside it.
  func predictPowers(in scene: inout WorldScene) {
    scene.mixer.beginPowers()
    for index in indices {
      guard let slot = emitterOfFirst(index, in: scene.emitters) else { continue }
      scene.mixer.addPower(scene.power(of: slot), to: scene.emitters.bus(of: slot))
    }
    scene.mixer.endPowers()
  }

  /// The predicted level of a bus, including the buses inside it.
  func level(ofBus index: BusIndex, in scene: borrowing WorldScene) -> Decibels {
    var sum: Float = 0
    for voice in indices {
      guard let slot = emitterOfFirst(voice, in: scene.emitters) else { continue }
      if scene.mixer.buses.isBus(scene.emitters.bus(of: slot), inside: index) { sum += scene.power(of: slot) }
    }
    // 160 dB below full scale is silence, as for ``MeterReading``.
    return max(Decibels(factor: sum.squareRoot()), -160)
  }

  /// The emitter whose first voice a voice is, if it sounds: the second voice of a player is silent, or waits.
  @inline(__always)
  private func emitterOfFirst(_ voice: VoiceIndex, in emitters: borrowing EmitterTable) -> EmitterSlot? {
    guard self[voice].state == .sounding, let slot = self[voice].slot else { return nil }
    return emitters[slot].voice == voice ? slot : nil
  }

  /// Lets each emitter without a voice leave a listener that was removed.
  func leaveRemovedListeners(in scene: inout WorldScene) {
    let count = scene.space.listeners.count
    for slot in scene.emitters.indices
    where scene.emitters[slot].listener.position >= count && !isSounding(scene.emitters[slot].voice) {
      scene.emitters.store(slot) { $0.listener = 0 }
    }
  }

  /// Moves the sends of a voice to the zones to the shares that its emitter is to have.
  mutating func moveFeeds(of voice: VoiceIndex, in scene: inout WorldScene, _ commands: inout [VoiceCommand]) {
    let old = self[voice].feeds
    guard scene.space.zones.isInUse || old != VoiceFeeds(), let slot = self[voice].slot else { return }
    let step = FeedStep(
      from: old,
      to: scene.feeds(of: slot),
      room: scene.space.zones.sendLimit - scene.ownSendCount(of: slot),
      endTicks: scene.time.mixesByFrames ? 1 : 2,
      exists: { scene.space.zones.effects[$0.position] != nil }
    )
    for index in 0..<step.changeCount {
      guard let change = step.changes[index], let effect = scene.space.zones.effect(of: change.unit) else { continue }
      commands.append(change.gain.map { .feed(voice, effect, $0) } ?? .endFeed(voice, effect))
    }
    setFeeds(step.feeds, of: voice)
  }
}
