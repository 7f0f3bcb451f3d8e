internal import AudioSessions
internal import Spatial3D

/// The work that follows from a change of the mixer: for the emitters of the changed buses, and for the release queue.
struct MixerChange: Sendable {
  var totals: BusChange = []
  /// The effects that a bus no longer uses; their release takes the lock of the context.
  var released: [EffectUnit] = []
}

/// The buses of a world, their fades and their duckers.
///
/// A function that changes totals returns the work that follows. Pure: no call and no lock.
struct MixerState: Sendable {
  private(set) var buses = BusTree()
  private(set) var fades = BusFades()
  private(set) var duckers: [Ducker] = []
  /// The predicted power of each bus at the last tick with duckers.
  private(set) var powers: [Float] = [0]
  /// The frame up to which the duckers have moved.
  private(set) var duckedUntil = 0
  /// Whether another program plays music.
  private(set) var isOtherAudioPlaying = false
  private(set) var strip = StripState()
  /// The changes of the strips, by the indices of their stems.
  private(set) var stems = [StemState()]

  /// Whether the next tick moves a fade, a ducker or a fader, or changes the strip.
  var isMoving: Bool {
    !fades.isEmpty || isFaderLate || stems.contains { $0.isChanged } || (strip.hasFader && buses.mainFaderShare < 1)
      || duckers.contains { $0.level != 0 }
  }

  /// Returns the bus of a name, and adds the bus if the name is new: without room it returns the parent.
  mutating func makeBus(_ name: String, in parent: BusIndex, isDirect: Bool) -> BusIndex {
    let bus = buses.makeBus(name, in: parent, isDirect: isDirect)
    if powers.count < buses.count { powers.append(0) }
    return bus
  }

  /// Changes the settings of a bus, and ends fades of them.
  @inline(__always)
  mutating func change(
    _ bus: BusIndex,
    ending first: BusFade.Value? = nil,
    _ second: BusFade.Value? = nil,
    _ body: (inout BusRecord) -> Void
  ) -> MixerChange {
    if let first { removeFade(of: bus, first) }
    if let second { removeFade(of: bus, second) }
    return MixerChange(totals: buses.change(bus, body))
  }

  /// Changes the limit of a bus.
  mutating func setLimit(_ limit: PlaybackLimit?, of bus: BusIndex) { buses[bus].limit = limit }

  /// The settings of all buses.
  var snapshot: MixSnapshot {
    var result = MixSnapshot(
      lines: Dictionary(uniqueKeysWithValues: buses.records.map { (BusName($0.name), MixSnapshot.Line($0)) })
    )
    // These buses have a strip, so that the snapshot of a mix without inserts removes them.
    if strip.isPresent {
      for bus in buses.stems { result[BusName(buses[bus].name)].inserts = buses[bus].inserts ?? [] }
    }
    return result
  }
}

// MARK: - Fades

extension MixerState {
  /// Begins a fade of a bus from the value in force; a fade without a duration is over at once.
  mutating func beginFade(
    of bus: BusIndex,
    _ value: BusFade.Value,
    to amount: BusFade.Amount,
    _ fade: Fade,
    then completion: BusFade.Completion = .none,
    at now: MixTime
  ) -> MixerChange {
    addFade(of: bus, value, to: amount, fade, then: completion, at: now)
    return fade.duration > .zero ? MixerChange() : step(at: now, ahead: 0)
  }

  /// Begins fades of many buses to their lines of a snapshot.
  mutating func apply(_ snapshot: MixSnapshot, _ fade: Fade, at now: MixTime) -> MixerChange {
    for bus in buses.indices {
      guard let line = snapshot.lines[BusName(buses[bus].name)] else { continue }
      for (value, amount) in line.amounts { addFade(of: bus, value, to: amount, fade, then: .none, at: now) }
      if let inserts = line.inserts { setInserts(inserts, of: bus) }
    }
    return fade.duration > .zero ? MixerChange() : step(at: now, ahead: 0)
  }

  private mutating func addFade(
    of bus: BusIndex,
    _ value: BusFade.Value,
    to amount: BusFade.Amount,
    _ fade: Fade,
    then completion: BusFade.Completion,
    at now: MixTime
  ) {
    let (key, from) = (BusFade.Key(bus: bus, value: value), buses[bus].amount(of: value))
    fades.begin(
      BusFades.Running(key: key, from: from, to: amount, begin: now.frame, fade: fade, completion: completion)
    )
  }

  /// Ends a fade at the value in force.
  private mutating func removeFade(of bus: BusIndex, _ value: BusFade.Value) {
    fades.remove(BusFade.Key(bus: bus, value: value))
  }

  /// Sends a share of the sounds of a bus to an effect, with a fade from the share in force; `nil` ends that.
  mutating func send(_ bus: BusIndex, to unit: EffectUnit, gain: Gain?, _ fade: Fade, at now: MixTime) -> MixerChange {
    if !buses[bus].sends.contains(where: { $0.unit === unit }) {
      guard gain != nil else { return MixerChange() }
      buses[bus].sends.append(VoiceSend(unit: unit, gain: 0))
    }
    let completion: BusFade.Completion = gain == nil ? .removeSend : .none
    let share = BusFade.Amount.gain(gain ?? .silence)
    return beginFade(of: bus, .send(ObjectIdentifier(unit)), to: share, fade, then: completion, at: now)
  }

  /// Pauses a bus once more, after a fade.
  mutating func pause(_ bus: BusIndex, _ fade: Fade, at now: MixTime) -> MixerChange {
    buses[bus].pauses += 1
    guard buses[bus].pauses == 1 else { return MixerChange() }
    return beginFade(of: bus, .pause, to: .gain(.silence), fade, then: .halt, at: now)
  }

  /// Takes one pause back; returns whether it was the last, and the sounds go on.
  mutating func takePause(of bus: BusIndex) -> Bool {
    guard buses[bus].pauses > 0 else { return false }
    buses[bus].pauses -= 1
    return buses[bus].pauses == 0
  }

  /// Lets the sounds of a bus go on, after the fade of the pause has begun.
  mutating func endPause(of bus: BusIndex, at now: MixTime, ahead: Int) -> MixerChange {
    var change = MixerChange()
    // The voices that begin at the position of the pause begin with the level at the end of their first tick.
    _ = moveFades(at: now, ahead: ahead, &change)
    buses[bus].isHalted = false
    change.totals = buses.updateTotals()
    return change
  }

  /// Fades the buses that are muted with other audio out, or in again.
  mutating func setOtherAudio(_ isPlaying: Bool, at now: MixTime) {
    isOtherAudioPlaying = isPlaying
    for bus in buses.indices where buses[bus].mutesWithOtherAudio { fadeOtherAudio(of: bus, at: now) }
  }

  /// Mutes a bus while another program plays music.
  mutating func setMutesWithOtherAudio(_ mutes: Bool, of bus: BusIndex, at now: MixTime) {
    guard mutes != buses[bus].mutesWithOtherAudio else { return }
    buses[bus].mutesWithOtherAudio = mutes
    if isOtherAudioPlaying { fadeOtherAudio(of: bus, at: now) }
  }

  private mutating func fadeOtherAudio(of bus: BusIndex, at now: MixTime) {
    let isSilent = isOtherAudioPlaying && buses[bus].mutesWithOtherAudio
    let fade = Fade(SessionDirectives.busFade)
    addFade(of: bus, .otherAudio, to: .gain(isSilent ? .silence : .unity), fade, then: .none, at: now)
  }
}

// MARK: - Ticks

extension MixerState {
  /// Moves the fades and the duckers a number of frames ahead of the mix; the duckers move only ahead.
  mutating func step(at now: MixTime, ahead: Int) -> MixerChange {
    var change = MixerChange()
    let hasFaded = moveFades(at: now, ahead: ahead, &change)
    let hasDucked = ahead > 0 && moveDuckers(at: now, atLeast: ahead)
    if hasFaded || hasDucked { change.totals = buses.updateTotals() }
    return change
  }

  /// Sets the values of all fades; returns whether there is a fade.
  private mutating func moveFades(at now: MixTime, ahead: Int, _ change: inout MixerChange) -> Bool {
    guard !fades.isEmpty else { return false }
    fades.beginStep()
    while let (key, amount) = fades.nextMoved(at: now, ahead: ahead) { buses[key.bus].set(key.value, to: amount) }
    while let fade = fades.nextEnded() {
      buses[fade.key.bus].set(fade.key.value, to: fade.to)
      switch (fade.completion, fade.key.value) {
      case (.halt, _): buses[fade.key.bus].isHalted = true
      case (.removeSend, .send(let unit)):
        let index = buses[fade.key.bus].sends.firstIndex { ObjectIdentifier($0.unit) == unit }
        if let index { change.released.append(buses[fade.key.bus].sends.remove(at: index).unit) }
      case (.none, _), (.removeSend, _): break
      }
    }
    return true
  }

  /// Moves the duckers; returns whether a level has changed.
  private mutating func moveDuckers(at now: MixTime, atLeast tick: Int) -> Bool {
    // A late tick covers all of the time since the last tick. The first tick after a time in which nothing played moves
    // by its own length. Chosen: 8 s are longer than most attacks and releases, and a slower change does not jump.
    let elapsed = min(max(now.frame - duckedUntil, tick), 8 * now.rate)
    duckedUntil = now.frame
    guard !duckers.isEmpty else { return false }
    let seconds = Double(elapsed) / Double(max(now.rate, 1))
    var isChanged = false
    for index in duckers.indices {
      let before = duckers[index].level
      let level = Decibels(factor: powers[duckers[index].trigger.position].squareRoot())
      duckers[index].advance(triggerLevel: level, by: seconds)
      if duckers[index].level != before { isChanged = true }
    }
    guard isChanged else { return false }
    duckers.removeAll { $0.isRetired && $0.level == 0 }
    for bus in buses.indices where buses[bus].duck != 0 { buses[bus].duck = 0 }
    for ducker in duckers { buses[ducker.target].duck = max(buses[ducker.target].duck + ducker.level, Ducker.floor) }
    return true
  }
}

// MARK: - Duckers

extension MixerState {
  /// Adds, changes or ends a ducker; returns `false` if it would depend on its own effect.
  mutating func duck(_ target: BusIndex, under trigger: BusIndex, _ ducking: Ducking?) -> Bool {
    let known = duckers.firstIndex { $0.target == target && $0.trigger == trigger }
    guard let ducking else {
      guard let known else { return true }
      if duckers[known].level == 0 { duckers.remove(at: known) } else { duckers[known].retire() }
      return true
    }
    let isInForce = known.map { !duckers[$0].isRetired } ?? false
    guard isInForce || !buses.isCycle(target, under: trigger, beside: duckers) else { return false }
    if let known {
      duckers[known].set(ducking)
    } else {
      duckers.append(Ducker(target, under: trigger, ducking))
    }
    return true
  }

  /// Sets the frame up to which the duckers have moved: they do not move while no emitter plays.
  mutating func setDucked(until frame: Int) { duckedUntil = frame }

  /// Begins a prediction of the powers of all buses.
  mutating func beginPowers() {
    for index in powers.indices { powers[index] = 0 }
  }

  /// Adds the power of an emitter to its bus.
  mutating func addPower(_ power: Float, to bus: BusIndex) { powers[bus.position] += power }

  /// Adds the powers of buses to the buses that contain them.
  mutating func endPowers() {
    for bus in buses.indices.reversed() {
      if let parent = buses[bus].parent { powers[parent.position] += powers[bus.position] }
    }
  }
}

// MARK: - Limits

extension MixerState {
  /// Counts emitters for the limits of a bus and of the buses above it.
  mutating func count(_ change: Int, on bus: BusIndex) {
    var next: BusIndex? = bus
    while let bus = next {
      buses[bus].counted += change
      next = buses[bus].parent
    }
  }

  /// Stores the frame of a beginning on a bus, for the spacings of the bus and of the buses above it.
  mutating func setBegin(_ frame: Int, on bus: BusIndex) {
    var next: BusIndex? = bus
    while let bus = next {
      buses[bus].lastBegin = frame
      next = buses[bus].parent
    }
  }

  /// Whether the limits of a bus and of the buses above it have room for one more emitter.
  func hasRoom(on bus: BusIndex) -> Bool {
    var next: BusIndex? = bus
    while let bus = next {
      if let limit = buses[bus].limit, !limit.hasRoom(beside: buses[bus].counted) { return false }
      next = buses[bus].parent
    }
    return true
  }
}

// MARK: - Strips

extension MixerState {
  /// The settings of the strip of a stem.
  func stripSettings(of stem: StemIndex) -> StripSettings {
    var settings = StripSettings(inserts: buses[buses.stems[stem.position]].inserts ?? [])
    if stem == .main { (settings.loudnessTarget, settings.limiter) = (strip.loudnessTarget, strip.limiter) }
    return settings
  }

  var allStems: some Sequence<StemIndex> { stems.indices.lazy.map { StemIndex($0) } }

  /// Whether a fader has another gain than its bus gives it.
  var isFaderLate: Bool { allStems.contains { isFaderLate(of: $0) } }

  private func isFaderLate(of stem: StemIndex) -> Bool {
    guard stem != .main || buses.mainFaderShare > 0 else { return false }
    return stems[stem.position].faderGain != buses.faderGain(of: stem)
  }

  /// Lets strips process the mix.
  mutating func addStrip() { strip.isPresent = true }

  /// Gives a bus a stem, which has a fader from now on; returns its index.
  mutating func addStem(of bus: BusIndex) -> (stem: StemIndex, change: MixerChange) {
    let change = MixerChange(totals: buses.addStem(bus))
    stems.append(StemState())
    return (StemIndex(stems.count - 1), change)
  }

  /// Sets the inserts of a bus; those beyond ``BusRecord/mostInserts`` are left out.
  mutating func setInserts(_ inserts: [Insert], of bus: BusIndex) {
    buses[bus].inserts = Array(inserts.prefix(BusRecord.mostInserts))
  }

  mutating func setLimiter(_ limiter: Insert.Limiter?) { strip.limiter = limiter }

  mutating func setLoudnessTarget(_ target: Insert.Leveler?) { strip.loudnessTarget = target }

  /// Numbers the settings of a strip; from the first ones on, the fader of the main bus takes over its gain.
  mutating func beginStrip(of stem: StemIndex, at now: MixTime) -> Int {
    let settings = stripSettings(of: stem)
    stems[stem.position].version += 1
    let version = stems[stem.position].version
    guard strip.isPresent, !settings.isEmpty else { return version }
    if strip.begin == nil, settings.hasMemory { strip.begin = now.frame }
    if stem == .main { strip.hasFader = true }
    return version
  }

  /// Moves the gain of the main bus on to its fader, by a step for each tick; at once where nothing plays.
  ///
  /// The sources and the fader reach their gains on different curves within a tick. Steps of 1/64 of the decibels make
  /// the difference inaudible.
  mutating func moveGainToFader(isPlaying: Bool) -> MixerChange {
    guard strip.hasFader, buses.mainFaderShare < 1 else { return MixerChange() }
    let hasNoStep = !isPlaying || buses[.main].faderGain == 1
    return MixerChange(totals: buses.setMainFaderShare(hasNoStep ? 1 : buses.mainFaderShare + 1 / 64))
  }

  /// The next tick changes a strip.
  mutating func setStripChanged(of stem: StemIndex) { stems[stem.position].isChanged = true }

  /// Whether this tick changes a strip.
  mutating func takeStripChange(of stem: StemIndex) -> Bool {
    defer { stems[stem.position].isChanged = false }
    return stems[stem.position].isChanged
  }

  /// The gain that a fader is to have next; `nil` if it has the gain already.
  mutating func takeFaderGain(of stem: StemIndex) -> Float? {
    guard isFaderLate(of: stem) else { return nil }
    stems[stem.position].faderGain = buses.faderGain(of: stem)
    return stems[stem.position].faderGain
  }
}

// MARK: - Recordings

extension MixerState {
  /// Goes on with the fades of a recording.
  mutating func restore(_ recorded: [BusFades.Running]) { for fade in recorded { fades.begin(fade) } }

  /// Goes on with the duckers of a recording.
  mutating func restore(_ recorded: [Ducker]) { duckers += recorded }
}

extension MixerState: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    fades.convertFrames(conversion)
    conversion.convert(&duckedUntil)
    conversion.convert(&strip.begin)
    for bus in buses.indices { conversion.convert(&buses[bus].lastBegin) }
  }
}
