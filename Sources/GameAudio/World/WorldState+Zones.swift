internal import Spatial3D

// The reverb zones: their levels at the listener, and the shares of the voices.

extension WorldState {
  /// Replaces the zones; those that were there before sound on with their units.
  ///
  /// An unusable zone stays in the list, has no weight and is no room.
  mutating func setZones(_ new: [ReverbZone]) {
    let old = space.zones.zones
    let zones = repair(new)
    space.zones.zones = zones
    let places = ZoneMatch.places(of: old, in: zones)
    let weights = ZoneWeights(zones, after: space.zones.weights, places: places)
    moveUnits(to: weights, places, from: old)
    space.zones.weights = weights
    space.zones.ringing = zones.map { $0.isUsable ? $0.ringing : 0 }
    rebuildRooms()
    stepZones()
  }

  /// Gives the units to the groups of the new zones; a unit follows the zone of its group with the largest part.
  private mutating func moveUnits(to weights: ZoneWeights, _ places: [Int], from old: [ReverbZone]) {
    let (zones, oldWeights) = (space.zones.zones, space.zones.weights)
    var groups = InlineArray<3, Int>(repeating: -1)
    // Units whose reverb stays come first, where two become one.
    for changes in [false, true] {
      for unit in 0..<ZonePool.capacity where space.zones.pool.units[unit].zone >= 0 && groups[unit] < 0 {
        let group = space.zones.pool.units[unit].zone
        let place = places[oldWeights.largest(in: group)]
        let next = place >= 0 ? weights.groups[place] : zones.firstIndex { $0.reverb == old[group].reverb } ?? -1
        guard next >= 0, zones[next].reverb.isFinite, next != groups[0], next != groups[1], next != groups[2] else {
          continue
        }
        guard (zones[next].reverb != old[group].reverb) == changes else { continue }
        groups[unit] = next
        if changes, let effect = space.zones.effects[unit] {
          outbox.append(.setUnitReverb(effect, zones[next].reverb))
        }
      }
    }
    let pool = space.zones.pool
    space.zones.pool.renumber { zone in
      for unit in 0..<ZonePool.capacity where pool.units[unit].zone == zone && groups[unit] >= 0 { return groups[unit] }
      return nil
    }
  }

  /// Moves the levels of the zones towards their values at the position of the listener, by some ticks.
  ///
  /// Outside of ticks the levels stay, unless nothing plays that could click: a game may set its zones in each frame.
  mutating func stepZones(by ticks: Float = 0) {
    guard space.zones.isInUse else { return }
    let pair = chooseZones()
    if emitters.activeCount == 0 { space.zones.begins = true }
    let motion: ZonePool.Motion = emitters.activeCount == 0 ? .jumps : space.zones.begins ? .begins : .glides
    let (frame, rate, ringing) = (now, Float(time.physics.sampleRate), space.zones.ringing)
    space.zones.pool.step(to: pair, at: frame, ticks: ticks, motion) { Int(rate * ringing[$0]) }
    if emitters.activeCount > 0, !space.zones.pool.isOpening { space.zones.begins = false }
    for action in space.zones.pool.actions {
      switch action {
      case .open(let unit, _): outbox.append(.openZone(unit))
      case .setGain(let unit, let gain):
        if let effect = space.zones.effects[unit] { outbox.append(.setUnitGain(effect, gain)) }
      case .release(let unit): outbox.append(.closeZone(unit))
      }
    }
  }

  /// Chooses the two zones with the largest weights at any listener, and their gains at each one.
  private mutating func chooseZones() -> ZoneLaw.Pair {
    let (zones, place, others) = (space.zones.zones, space.listeners.first.position, space.listeners.others)
    space.zones.weights.update(listeners: 1 + others.count) { zone, listener in
      zones[zone].usableWeight(at: listener == 0 ? place : others[listener - 1].position)
    }
    let fed = space.zones.pool.fedZones
    var pair = ZoneLaw.choose(weights: space.zones.weights.weights) { zone in
      zone == fed[0] || zone == fed[1] || zone == fed[2]
    }
    guard !others.isEmpty, pair.first >= 0 else { return pair }
    pair.adopt(space.zones.weights.own[pair.first], pair.second < 0 ? .zero : space.zones.weights.own[pair.second])
    return pair
  }

  /// The reverb for a unit that is being made.
  func reverb(ofUnit unit: Int) -> Reverb? {
    let zone = space.zones.pool.units[unit].zone
    guard space.zones.pool.units[unit].state == .opening, zone >= 0 else { return nil }
    return space.zones.zones[zone].reverb
  }

  /// A unit was made with a reverb, or could not be; returns the effect if nothing needs it any more.
  mutating func zoneOpened(_ unit: Int, _ effect: EffectUnit?, _ reverb: Reverb, sendLimit: Int) -> EffectUnit? {
    guard let current = self.reverb(ofUnit: unit) else { return effect }
    // The zones may have changed in the meantime.
    if let effect, current != reverb { outbox.append(.setUnitReverb(effect, current)) }
    space.zones.sendLimit = sendLimit
    if sendLimit < 2, !space.zones.hasReportedLimit {
      space.zones.hasReportedLimit = true
      outbox.report(.zonesLimited(sendLimit))
    }
    space.zones.effects[unit] = effect
    space.zones.openedCount += 1
    space.zones.order[unit] = space.zones.openedCount
    space.zones.pool.opened(unit, succeeded: effect != nil)
    return nil
  }

  /// Takes the effect of a unit that is silent.
  mutating func takeEffect(ofUnit unit: Int) -> EffectUnit? {
    defer { space.zones.effects[unit] = nil }
    return space.zones.effects[unit]
  }

  /// The shares of an emitter that go to the zones: of sounds with a position, beside the sends of the game.
  ///
  /// It changes nothing. The compiler copies the whole state for each call of a method that is not `mutating` here,
  /// which takes longer than the shares of a voice.
  mutating func feeds(of slot: EmitterSlot) -> VoiceFeeds {
    var feeds = VoiceFeeds()
    guard space.zones.isInUse, emitters[slot].isPlaced else { return feeds }
    let room = space.zones.sendLimit - ownSendCount(of: slot)
    guard room > 0 else { return feeds }
    let place = emitters.position(of: slot)
    for index in 0..<ZonePool.capacity {
      let unit = space.zones.pool.units[index]
      let owner = emitters[slot].listener.position
      guard unit.state == .fed, unit.angle > 0, unit.shares[owner] > 0 else { continue }
      var gain = unit.gain * unit.shares[owner]
      let level = unit.levelGain * unit.shareLevels[owner]
      if unit.zone >= 0, level < 1 {
        let zones = space.zones.zones
        let weight = space.zones.weights.mean(in: unit.zone, at: owner) { zones[$0].usableWeight(at: place) }
        gain *= ZoneLaw.sendFactor(at: level, weightAtEmitter: weight)
      }
      let feed = VoiceFeeds.Feed(unit: Int8(index), gain: gain)
      if feeds.first.unit < 0 {
        feeds.first = feed
      } else if room > 1 {
        feeds.second = feed
      } else if gain > feeds.first.gain {
        feeds.first = feed
      }
    }
    return feeds
  }

  /// The largest number of sends that the game has asked for.
  private func ownSendCount(of slot: EmitterSlot) -> Int {
    let own = emitters[rare: slot].sends.count
    return own + mixer.buses[emitters.bus(of: slot)].totals.sends.count
  }

  /// All sends of an emitter, with those to the zones; it changes nothing, like ``feeds(of:)``.
  mutating func sends(of slot: EmitterSlot, with feeds: VoiceFeeds) -> [VoiceSend] {
    var sends = sends(of: slot)
    append(feeds.first, to: &sends)
    append(feeds.second, to: &sends)
    return sends
  }

  private func append(_ feed: VoiceFeeds.Feed, to sends: inout [VoiceSend]) {
    guard feed.unit >= 0, let effect = space.zones.effects[Int(feed.unit)] else { return }
    sends.append(VoiceSend(unit: effect, gain: feed.gain))
  }

  /// Hands the shares of a voice that have moved, begun or ended to its source.
  ///
  /// A share that ends is 0 for a mix, in which the library fades the send out. A share that begins may need the send
  /// of the ended one, and waits for that mix: the library changes the unit of a send within a frame, which clicks. An
  /// output may be inside of a mix when the share is set to 0, and fades the send out in the next mix: this takes two
  /// ticks.
  mutating func flushFeeds(of index: Int) {
    let old = voices.voices[index].feeds
    guard space.zones.isInUse || old != VoiceFeeds() else { return }
    let slot = voices.voices[index].slot
    let wanted = feeds(of: slot)
    var new = VoiceFeeds()
    move(old.first, to: wanted, &new, of: index)
    move(old.second, to: wanted, &new, of: index)
    let room = space.zones.sendLimit - ownSendCount(of: slot)
    if old.gain(ofUnit: Int(wanted.first.unit)) == nil { begin(wanted.first, &new, room, of: index) }
    if old.gain(ofUnit: Int(wanted.second.unit)) == nil { begin(wanted.second, &new, room, of: index) }
    voices.voices[index].feeds = new
  }

  /// Hands a share that begins to the source of a voice, unless the shares that end have no room left for it.
  private mutating func begin(_ feed: VoiceFeeds.Feed, _ new: inout VoiceFeeds, _ room: Int, of voice: VoiceIndex) {
    guard feed.unit >= 0, new.count < min(room, 2), let effect = space.zones.effects[Int(feed.unit)] else { return }
    outbox.append(.feed(voice, effect, feed.gain))
    new.append(feed)
  }

  /// Hands a share that the source of a voice has to it, if the share has moved, and keeps the old one otherwise.
  private mutating func move(
    _ old: VoiceFeeds.Feed,
    to wanted: VoiceFeeds,
    _ new: inout VoiceFeeds,
    of voice: VoiceIndex
  ) {
    guard old.unit >= 0, let effect = space.zones.effects[Int(old.unit)] else { return }
    let gain = wanted.gain(ofUnit: Int(old.unit))
    var feed = old
    if feed.ends(with: gain, after: time.mixesByFrames ? 1 : 2) {
      return outbox.append(.endFeed(voice, effect))
    }
    if ZoneLaw.isMoved(gain ?? 0, from: old.gain) {
      feed.gain = gain ?? 0
      outbox.append(.feed(voice, effect, feed.gain))
    }
    new.append(feed)
  }

  /// The shares of an emitter that go to zones.
  func zoneFactors(of slot: EmitterSlot) -> [Explanation.Factor] {
    var copy = self
    let feeds = copy.feeds(of: slot)
    return [feeds.first, feeds.second].filter { $0.unit >= 0 }.map { feed in
      let group = space.zones.pool.units[Int(feed.unit)].zone
      let zone = group < 0 ? -1 : space.zones.weights.largest(in: group)
      let kind: Explanation.Factor.Kind =
        zone < 0 ? .removedZone : .zone(name: space.zones.zones[zone].name, index: zone)
      return Explanation.Factor(kind: kind, level: Decibels(factor: feed.gain))
    }
  }
}
