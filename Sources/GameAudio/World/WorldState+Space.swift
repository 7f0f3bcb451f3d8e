internal import Spatial3D

// The space, with what it reads of emitters and voices, and the commands that it asks for.

// MARK: - Listeners

extension WorldState {
  /// Replaces the listeners; an emitter without a voice leaves a listener that was removed.
  mutating func setListeners(_ listeners: [Listener]) {
    guard space.listeners.set(listeners) else { return }
    let count = space.listeners.count
    for slot in emitters.indices where emitters[slot].listener.position >= count && !isHeard(slot) {
      emitters.store(slot) { $0.listener = 0 }
    }
  }

  /// Lets an emitter without a voice belong to the listener at which it is loudest.
  mutating func updateListener(of slot: EmitterSlot) {
    guard space.listeners.count > 1, let emitter = emitters.placed(slot) else { return }
    let listener = loudestListener(of: emitter)
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
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let slot = voices[index].slot, emitters[slot].voice == index, let emitter = emitters.placed(slot) else {
        continue
      }
      let listener = loudestListener(of: emitter)
      guard listener != emitter.listener else { continue }
      let isStream = voices[index].isStream
      let isFree = voices.hasFree
      if !isStream, !isFree, voices.hasFreeSoon {
        if emitter.listener.position >= space.listeners.count { isRemovedInUse = true }
        continue
      }
      emitters.store(slot) { $0.listener = listener }
      // The voice does not glide from the path to the old listener.
      updatePath(of: slot)
      if !isStream, isFree { changeVoice(of: slot) }
    }
    if !isRemovedInUse { space.listeners.forgetRemoved() }
  }

  private mutating func loudestListener(of emitter: PlacedEmitter) -> ListenerIndex {
    var scores = InlineArray<4, Float>(repeating: 0)
    space.updateRoom(of: emitter)
    for position in 0..<space.listeners.count {
      let index = ListenerIndex(position)
      let (distance, occlusion) = space.arrival(of: emitter, at: index)
      var gain = space.listeners[index].gain.rawValue
      if occlusion < 0 { gain *= Audibility.loudness(ofOcclusion: Decibels(occlusion)) }
      gain *= sounds[Int(emitters[emitter.slot].sound)].attenuation(at: distance, model: time.physics.distanceModel)
      // Beyond the reach of all, the nearest one counts.
      let reach = Audibility.reach(at: distance, of: emitters.reach(of: emitter.slot))
      scores[position] = gain * reach + 1e-12 / (1 + distance)
    }
    return ListenerChoice.listener(scores, count: space.listeners.count, current: emitter.listener)
  }
}

extension VoiceValues {
  /// Moves the values from around the listener of the emitter to around the first one.
  mutating func moveToFirst(of listeners: ListenerSet, from index: ListenerIndex) {
    listeners.moveToFirst(
      from: index,
      gain: &gain,
      position: &position,
      velocity: &velocity,
      direction: &direction
    )
  }
}

// MARK: - Paths

extension WorldState {
  /// Finds the path of an emitter; with a voice, it glides from the last path by some ticks.
  mutating func updatePath(of slot: EmitterSlot, glides: Bool = false, ticks: Float = 0) {
    if let emitter = emitters.placed(slot) { space.updatePath(of: emitter, glides: glides, ticks: ticks) }
  }
}

extension EmitterTable {
  /// An emitter as the space reads it; `nil` for an emitter without a position.
  @inline(__always)
  func placed(_ slot: EmitterSlot) -> PlacedEmitter? {
    guard self[slot].isPlaced else { return nil }
    return PlacedEmitter(slot: slot, position: position(of: slot), listener: self[slot].listener)
  }
}

extension RareSettings {
  /// The occlusion that the game has set, plus the occlusion by the rays.
  @inline(__always)
  var wholeOcclusion: Decibels { max(occlusion + Decibels(rays.occlusion), -100) }
  @inline(__always)
  var wholeObstruction: Decibels { max(obstruction + Decibels(rays.obstruction), -100) }

  /// The occlusion and obstruction by the game, the rays and a path; without the rays behind a wall.
  @inline(__always)
  func occlusion(on path: SoundPath?) -> (occlusion: Decibels, obstruction: Decibels) {
    let isBehindWall = path?.course == .wall
    let whole = Decibels(path?.muffling ?? 0) + (isBehindWall ? occlusion : wholeOcclusion)
    return (max(whole, -100), max(isBehindWall ? obstruction : wholeObstruction, -100))
  }
}

// MARK: - Zones

extension WorldState {
  /// Replaces the zones.
  mutating func setZones(_ new: [ReverbZone]) {
    let change = space.setZones(new)
    for diagnostic in change.diagnostics { outbox.report(diagnostic) }
    for unit in 0..<ZonePool.capacity {
      if let reverb = change.reverbs[unit], let effect = space.zones.effects[unit] {
        outbox.append(.setUnitReverb(effect, reverb))
      }
    }
    stepZones()
  }

  /// Moves the levels of the zones towards their values at the positions of the listeners, by some ticks.
  mutating func stepZones(by ticks: Float = 0) {
    let actions = space.zones.step(
      at: space.listeners,
      frame: now,
      sampleRate: time.physics.sampleRate,
      ticks: ticks,
      isSilent: emitters.activeCount == 0
    )
    for action in actions {
      switch action {
      case .open(let unit, _): outbox.append(.openZone(UnitIndex(unit)))
      case .setGain(let unit, let gain):
        if let effect = space.zones.effects[unit] { outbox.append(.setUnitGain(effect, gain)) }
      case .release(let unit): outbox.append(.closeZone(UnitIndex(unit)))
      }
    }
  }

  /// A unit was made with a reverb, or could not be; returns the effect if nothing needs it any more.
  mutating func zoneOpened(_ unit: UnitIndex, _ effect: EffectUnit?, _ reverb: Reverb, sendLimit: Int) -> EffectUnit? {
    switch space.zones.open(unit, effect, reverb, sendLimit: sendLimit) {
    case .unneeded: return effect
    case .opened(let change, let isLimitNew):
      if let effect, let change { outbox.append(.setUnitReverb(effect, change)) }
      if isLimitNew { outbox.report(.zonesLimited(sendLimit)) }
      return nil
    }
  }

  /// The shares of an emitter that go to the zones: of sounds with a position, beside the sends of the game.
  // A call of its own would copy the whole state, which takes longer than the shares of a voice.
  @inline(__always)
  func feeds(of slot: EmitterSlot) -> VoiceFeeds {
    guard let emitter = emitters.placed(slot) else { return VoiceFeeds() }
    return space.zones.feeds(of: emitter, besides: ownSendCount(of: slot))
  }

  /// The largest number of sends that the game has asked for.
  @inline(__always)
  private func ownSendCount(of slot: EmitterSlot) -> Int {
    emitters[rare: slot].sends.count + mixer.buses[emitters.bus(of: slot)].totals.sends.count
  }

  /// All sends of an emitter, with the sends to the zones.
  @inline(__always)
  func sends(of slot: EmitterSlot, with feeds: VoiceFeeds) -> [VoiceSend] {
    var sends = sends(of: slot)
    space.zones.append(feeds, to: &sends)
    return sends
  }

  /// Hands the shares of a voice that have moved, begun or ended to its source.
  mutating func flushFeeds(of voice: VoiceIndex) {
    let old = voices[voice].feeds
    guard space.zones.isInUse || old != VoiceFeeds(), let slot = voices[voice].slot else { return }
    let step = FeedStep(
      from: old,
      to: feeds(of: slot),
      room: space.zones.sendLimit - ownSendCount(of: slot),
      endTicks: time.mixesByFrames ? 1 : 2,
      exists: { space.zones.effects[$0.position] != nil }
    )
    for index in 0..<step.changeCount {
      guard let change = step.changes[index], let effect = space.zones.effect(of: change.unit) else { continue }
      outbox.append(change.gain.map { .feed(voice, effect, $0) } ?? .endFeed(voice, effect))
    }
    voices.setFeeds(step.feeds, of: voice)
  }
}
