internal import Spatial3D

/// The reverb zones of a world, and the units that they sound with.
struct ZoneState: Sendable {
  private(set) var zones: [ReverbZone] = []
  private(set) var pool = ZonePool()
  /// The effect of each unit of the pool, while it exists.
  private(set) var effects = [EffectUnit?](repeating: nil, count: ZonePool.capacity)
  private(set) var openedCount = 0
  /// The number of sends that the output grants a source.
  private(set) var sendLimit = 2
  /// The weights of the zones; the memory stays from tick to tick.
  private(set) var weights = ZoneWeights()
  /// The seconds that the reverb of each zone rings on.
  private(set) var ringing: [Float] = []
  private(set) var hasReportedReverb = false
  /// Whether feeds that begin have their levels at once: nothing has played since the zones got their units.
  private var begins = false
  private var hasReportedLimit = false
  private var faults = ZoneFaults()

  init() {}

  /// Zones with the effects of their units, in a state of their pool.
  init(_ zones: [ReverbZone], _ effects: [EffectUnit?], _ pool: ZonePool, weights: ZoneWeights, sendLimit: Int) {
    (self.zones, self.effects, self.pool) = (zones, effects, pool)
    (self.weights, self.sendLimit) = (weights, sendLimit)
    ringing = zones.map(\.usableRinging)
  }

  @inline(__always)
  var isInUse: Bool { !zones.isEmpty || pool.isInUse }

  // MARK: - Zones

  /// What the world does after a change of the zones.
  struct Change: Sendable {
    fileprivate(set) var diagnostics: [Diagnostic] = []
    /// The new reverb of each unit that has an effect, `nil` for no change.
    fileprivate(set) var reverbs = InlineArray<3, Reverb?>(repeating: nil)
  }

  /// Replaces the zones; zones that were there before sound on with their units.
  ///
  /// An unusable zone stays in the list, has no weight and is no room.
  mutating func set(_ new: [ReverbZone]) -> Change {
    var change = Change()
    let old = zones
    zones = faults.repair(new, after: old, &change.diagnostics)
    let places = ZoneMatch.places(of: old, in: zones)
    let next = ZoneWeights(zones, after: weights, places: places)
    moveUnits(to: next, places, from: old, &change)
    weights = next
    ringing = zones.map(\.usableRinging)
    return change
  }

  /// Gives the units to the groups of the new zones; a unit follows the zone of its group with the largest part.
  private mutating func moveUnits(
    to next: ZoneWeights,
    _ places: [ZoneIndex?],
    from old: [ReverbZone],
    _ change: inout Change
  ) {
    var groups = InlineArray<3, ZoneIndex?>(repeating: nil)
    // Units whose reverb stays come first, where two become one.
    for changes in [false, true] {
      for unit in 0..<ZonePool.capacity where groups[unit] == nil {
        guard let group = pool.units[unit].zone else { continue }
        let (place, reverb) = (places[weights.largest(in: group).position], old[group.position].reverb)
        let found = place.map { next.groups[$0.position] } ?? firstZone(with: reverb)
        guard let same = found, zones[same.position].reverb.isFinite else { continue }
        guard same != groups[0], same != groups[1], same != groups[2] else { continue }
        guard (zones[same.position].reverb != reverb) == changes else { continue }
        groups[unit] = same
        if changes, effects[unit] != nil { change.reverbs[unit] = zones[same.position].reverb }
      }
    }
    let units = pool.units
    pool.renumber { zone in
      for unit in 0..<ZonePool.capacity where units[unit].zone == zone && groups[unit] != nil { return groups[unit] }
      return nil
    }
  }

  private func firstZone(with reverb: Reverb) -> ZoneIndex? {
    zones.firstIndex { $0.reverb == reverb }.map { ZoneIndex($0) }
  }

  // MARK: - Levels

  /// Moves the levels of the zones towards their values at the positions of the listeners, by some ticks.
  ///
  /// Outside of ticks the levels stay, unless nothing plays that could click: a game may set its zones in each frame.
  ///
  /// - Parameters:
  ///   - listeners: The listeners.
  ///   - frame: The frame of the mix.
  ///   - sampleRate: The frames of the mix in a second.
  ///   - ticks: The time, in ticks.
  ///   - isSilent: Whether no emitter plays.
  /// - Returns: The changes of the units, in their order.
  mutating func step(
    at listeners: borrowing ListenerSet,
    frame: Int,
    sampleRate: Int,
    ticks: Float,
    isSilent: Bool
  ) -> [ZonePool.Action] {
    guard isInUse else { return [] }
    let pair = choosePair(at: listeners)
    if isSilent { begins = true }
    let motion: ZonePool.Motion = isSilent ? .jumps : begins ? .begins : .glides
    let (rate, ringing) = (Float(sampleRate), ringing)
    pool.step(to: pair, at: frame, ticks: ticks, motion) { Int(rate * ringing[$0.position]) }
    if !isSilent, !pool.isOpening { begins = false }
    return pool.actions
  }

  /// Chooses the two zones with the largest weights at any listener, and their gains at each one.
  private mutating func choosePair(at listeners: borrowing ListenerSet) -> ZoneLaw.Pair {
    let (zones, position, others) = (zones, listeners.first.position, listeners.others)
    weights.update(listeners: 1 + others.count) { zone, listener in
      zones[zone.position].usableWeight(at: listener == 0 ? position : others[listener - 1].position)
    }
    let fed = pool.fedZones
    var pair = ZoneLaw.choose(weights: weights.weights) { zone in zone == fed[0] || zone == fed[1] || zone == fed[2] }
    guard !others.isEmpty, let first = pair.first else { return pair }
    pair.adopt(weights.own[first.position], pair.second.map { weights.own[$0.position] } ?? .zero)
    return pair
  }

  /// Counts in the frames of another rate.
  mutating func convertFrames(_ conversion: FrameConversion) { pool.convertFrames(conversion) }

  /// The level of the unit that a zone is a part of; `nil` for a zone without a part in it.
  func level(of zone: ZoneIndex) -> Float? {
    guard weights.share(of: zone) > 0 else { return nil }
    for unit in 0..<ZonePool.capacity where pool.units[unit].zone == weights.groups[zone.position] {
      if pool.units[unit].state == .fed, pool.units[unit].angle > 0 { return pool.units[unit].gain }
    }
    return nil
  }

  /// The index of the zone that has the largest part in the sound of a unit; `nil` for a unit that rings out.
  func largestZone(of unit: UnitIndex) -> ZoneIndex? { pool.units[unit.position].zone.map(weights.largest(in:)) }

  // MARK: - Effects of the units

  func effect(of unit: UnitIndex) -> EffectUnit? { effects[unit.position] }

  /// The reverb for a unit that is being made.
  func reverb(of unit: UnitIndex) -> Reverb? {
    guard pool.units[unit.position].state == .opening, let zone = pool.units[unit.position].zone else { return nil }
    return zones[zone.position].reverb
  }

  /// What the world does with the effect of a unit that was made.
  enum Opening: Sendable {
    /// The zone is gone: nothing needs the effect.
    case unneeded
    /// The unit sounds, and gets another reverb if the zones have changed in the meantime.
    case opened(change: Reverb?, isLimitNew: Bool)
  }

  /// A unit was made with a reverb, or could not be.
  mutating func open(_ unit: UnitIndex, _ effect: EffectUnit?, _ reverb: Reverb, sendLimit: Int) -> Opening {
    guard let current = self.reverb(of: unit) else { return .unneeded }
    self.sendLimit = sendLimit
    let isLimitNew = sendLimit < 2 && !hasReportedLimit
    if isLimitNew { hasReportedLimit = true }
    effects[unit.position] = effect
    openedCount += 1
    pool.opened(unit.position, succeeded: effect != nil)
    return .opened(change: effect != nil && current != reverb ? current : nil, isLimitNew: isLimitNew)
  }

  /// Takes the effect of a unit that is silent.
  mutating func takeEffect(of unit: UnitIndex) -> EffectUnit? {
    defer { effects[unit.position] = nil }
    return effects[unit.position]
  }

  /// The reverb of the context is reported once, as no sound of the world feeds it.
  mutating func setReverbReported() { hasReportedReverb = true }

  /// Forgets the effects, for a copy of the zones.
  mutating func forgetEffects() { effects = Array(repeating: nil, count: ZonePool.capacity) }

  /// The zones in another mix, with effects of its context.
  func moved(by shift: Int, _ effects: [EffectUnit?], sendLimit: Int) -> ZoneState {
    var zones = self
    (zones.effects, zones.sendLimit) = (effects, sendLimit)
    zones.pool = pool.moved(by: shift) { effects[$0] != nil }
    return zones
  }

  // MARK: - Shares of the voices

  /// The shares of an emitter that go to the zones.
  ///
  /// - Parameters:
  ///   - emitter: The emitter.
  ///   - sendCount: The largest number of sends that the game has asked for: they come first.
  // A call of its own would copy the state, which takes longer than the shares of a voice.
  @inline(__always)
  func feeds(of emitter: PlacedEmitter, besides sendCount: Int) -> VoiceFeeds {
    var feeds = VoiceFeeds()
    let room = sendLimit - sendCount
    guard room > 0, isInUse else { return feeds }
    let listener = emitter.listener.position
    for index in 0..<ZonePool.capacity {
      let unit = pool.units[index]
      guard unit.state == .fed, unit.angle > 0, unit.shares[listener] > 0 else { continue }
      var gain = unit.gain * unit.shares[listener]
      let level = unit.levelGain * unit.shareLevels[listener]
      if let zone = unit.zone, level < 1 {
        let zones = zones
        let weight = weights.mean(in: zone, at: listener) { zones[$0.position].usableWeight(at: emitter.position) }
        gain *= ZoneLaw.sendFactor(at: level, weightAtEmitter: weight)
      }
      let feed = VoiceFeeds.Feed(unit: UnitIndex(index), gain: gain)
      guard let first = feeds.first else {
        feeds.first = feed
        continue
      }
      if room > 1 { feeds.second = feed } else if gain > first.gain { feeds.first = feed }
    }
    return feeds
  }

  /// Appends the sends of the shares of a voice.
  func append(_ feeds: VoiceFeeds, to sends: inout [VoiceSend]) {
    append(feeds.first, to: &sends)
    append(feeds.second, to: &sends)
  }

  private func append(_ feed: VoiceFeeds.Feed?, to sends: inout [VoiceSend]) {
    guard let feed, let effect = effect(of: feed.unit) else { return }
    sends.append(VoiceSend(unit: effect, gain: feed.gain))
  }
}
