internal import AudioSupport
internal import PCM
internal import Spatial3D

/// The emitters, the voices and the buses of a world.
///
/// One thread at a time uses the state, under the world's lock. It never calls OpenAL: calls are appended to
/// ``commands``, and the world carries them out without the lock.
struct WorldState: Sendable {
  var emitters = EmitterTable()
  var sounds = SoundTable()
  var mixer = MixerState()
  var space = SpaceState()
  var limits = LimitLedger()
  var copies = CopyCompensation()
  var voices: VoicePool
  var selector = VoiceSelector()
  var players = PlayerTable()
  var fades = FadeTable()
  var clocks = ClockTable()
  var session = SessionState()
  var outbox: Outbox
  var log = RecordingLog()
  var time: WorldTime

  init(voiceLimit: Int, poolSize: Int, mixesByFrames: Bool, context: AudioContext, physics: MixPhysics) {
    voices = VoicePool(limit: voiceLimit, size: poolSize)
    outbox = Outbox(context: context, capacity: 2 * poolSize)
    time = WorldTime(
      physics: physics,
      mixesByFrames: mixesByFrames,
      startsExactly: mixesByFrames || context.capabilities.contains(.startDelay)
    )
  }

  /// The frame of the mix, as read last.
  var now: Int { time.physics.frame }

  func frames(in duration: Duration) -> Int {
    PCMFormat.mono(sampleRate: time.physics.sampleRate).frameCount(in: duration)
  }

  /// Takes over the time of the mix, and the changes of the context that the laws and the clocks depend on.
  mutating func adopt(_ physics: MixPhysics) {
    let old = time.physics
    time.physics = physics
    log.moment = physics.moment
    // Another thread may have read the time later, and stored it earlier.
    let isSlightlyEarlier = physics.frame < old.frame && old.frame - physics.frame < physics.sampleRate
    if isSlightlyEarlier, physics.sampleRate == old.sampleRate { time.physics.frame = old.frame }
    if physics.distanceModel != old.distanceModel {
      for slot in emitters.records.indices where emitters.records[slot].isUsed {
        setLaw(of: slot)
        updateWeight(of: slot)
      }
    }
    if physics.sampleRate != old.sampleRate { adoptRate(after: old) }
  }

  /// Counts in the frames of another rate, which the output has since now.
  private mutating func adoptRate(after old: MixPhysics) {
    let ratio = Double(time.physics.sampleRate) / Double(max(old.sampleRate, 1))
    // The time of the mix goes on over the change.
    let now = now
    let last = Int((Double(now) / ratio).rounded())
    func converted(_ frame: Int) -> Int { now + Int((Double(frame - last) * ratio).rounded()) }
    for slot in emitters.records.indices where emitters.records[slot].isUsed {
      let begin = max(last, emitters.records[slot].began)
      emitters.records[slot].clock.rebase(from: begin, to: converted(begin))
      emitters.records[slot].began = converted(emitters.records[slot].began)
      emitters.records[slot].switched = converted(emitters.records[slot].switched)
      if emitters.records[slot].isSounding, emitters.records[slot].voice >= 0 || !emitters.records[slot].behavior.stands
      {
        emitters.records[slot].clock.setStep(step(of: slot), at: max(now, emitters.records[slot].began))
      }
      updateEnd(of: slot)
    }
    fades.fades.update { $0.begin = converted($0.begin) }
    for index in copies.beginnings.indices {
      copies.beginnings[index].frame = converted(copies.beginnings[index].frame)
    }
    for index in copies.planned.indices {
      copies.planned[index].frame = converted(copies.planned[index].frame)
    }
    mixer.fades.update { $0.begin = converted($0.begin) }
    mixer.duckedUntil = converted(mixer.duckedUntil)
    for index in voices.voices.indices {
      switch voices.voices[index].state {
      case .fading(let since, let steps): voices.voices[index].state = .fading(since: converted(since), steps: steps)
      case .stopped(let frame): voices.voices[index].state = .stopped(at: min(converted(frame), now))
      default: break
      }
    }
    for index in voices.voices.indices {
      voices.voices[index].begin = converted(voices.voices[index].begin)
      voices.voices[index].lateSince = voices.voices[index].lateSince.map(converted)
    }
    for index in players.decks.indices { players.decks[index].deck?.convertFrames(converted) }
    space.zones.pool.convertFrames(converted)
    space.rays.movedUntil = now
    emitters.derivedAt = now
    time.lastTick = now
    emitters.nextEnd = emitters.columns.nextEnd(after: Int.min)
    sounds.changeBeginnings(converted)
    for index in mixer.buses.indices { mixer.buses[index].lastBegin = mixer.buses[index].lastBegin.map(converted) }
  }

  func frames(ofMilliseconds count: Int) -> Int { time.physics.sampleRate * count / 1_000 }

  func time(ofFrames count: Int) -> Duration {
    PCMFormat.mono(sampleRate: time.physics.sampleRate).duration(ofFrames: count)
  }
}

// MARK: - Emitters

extension WorldState {
  /// Adds an emitter; returns its slot and generation.
  mutating func add(_ sound: Sound, isPlaced: Bool, bus: BusIndex) -> Emitter.ID {
    let slot: EmitterSlot
    if let free = emitters.freeSlots.popLast() {
      slot = Int(free)
    } else {
      slot = emitters.records.count
      if slot == emitters.records.capacity { emitters.records.reserveCapacity(slot + max(slot / 16, 64)) }
      emitters.records.append(EmitterRecord())
      emitters.columns.append()
    }
    emitters.lastNumber &+= 1
    let generation = emitters.lastNumber
    emitters.records[slot] = EmitterRecord()
    emitters.records[slot].generation = generation
    emitters.records[slot].isUsed = true
    emitters.records[slot].hasPlace = isPlaced
    emitters.records[slot].isPlaced = isPlaced && !mixer.buses[bus].isDirect
    emitters.columns.setBus(bus, of: slot)
    emitters.columns.setPosition(.zero, of: slot)
    emitters.columns.setWeight(0, of: slot)
    emitters.columns.setEnd(.max, of: slot)
    if slot < space.portals.paths.count { space.portals.paths[slot] = PortalState.EmitterPath() }
    let (use, jobs) = sounds.add(sound, isPlaced: emitters.records[slot].isPlaced)
    setUse(use, of: slot)
    outbox.jobs += jobs
    setLaw(of: slot)
    return Emitter.ID(slot: Int32(slot), generation: generation)
  }

  /// The position of an emitter in the order of the beginnings: 0 for the newest beginning, negative before it.
  ///
  /// The number of beginnings wraps around; the distance to the newest beginning does not.
  func order(of slot: EmitterSlot) -> Int { -Int(emitters.lastOrder &- emitters.records[slot].order) }

  /// Whether an emitter still has its slot.
  func has(_ id: Emitter.ID) -> Bool {
    emitters.records[Int(id.slot)].generation == id.generation && emitters.records[Int(id.slot)].isUsed
  }

  /// Copies the law of distance of an emitter's sound into the columns.
  mutating func setLaw(of slot: EmitterSlot) {
    guard emitters.records[slot].isPlaced else {
      let flat = DistanceAttenuation(rolloffFactor: 0)
      return emitters.columns.setLaw(flat, isInverseClamped: true, silentBeyond: .infinity, of: slot)
    }
    let sound = sounds[Int(emitters.records[slot].sound)]
    let isInverse = sound.boundModel(in: time.physics.distanceModel) == .inverseClamped
    emitters.columns.setLaw(sound.bound, isInverseClamped: isInverse, silentBeyond: sound.silentBeyond, of: slot)
  }

  /// The program has released an emitter: it fades out, and its slot becomes free.
  mutating func release(_ id: Emitter.ID) {
    guard has(id) else { return }
    note(.release(id))
    let slot = Int(id.slot)
    emitters.records[slot].hasHandle = false
    if emitters.records[slot].status == .idle { return removeSlot(slot) }
    reportRelease(of: slot)
    if emitters.records[slot].isOnce, emitters.records[slot].status != .paused,
      emitters.records[slot].status != .pausing
    {
      return
    }
    if emitters.records[slot].status == .paused || !isHeard(slot) { return end(slot, .stopped) }
    stop(slot, .declick)
  }

  /// Reports once that an emitter was released before a mix, unless it was audible before or starts later.
  private mutating func reportRelease(of slot: EmitterSlot) {
    let record = emitters.records[slot]
    guard !outbox.hasReportedRelease, !record.isOnce, record.deck < 0, !record.hasEnded else { return }
    guard record.status == .loading && record.began <= now || record.status == .playing && record.began == now else {
      return
    }
    outbox.hasReportedRelease = true
    outbox.diagnostics.append(.releasedUnplayed(emitter: ownerInWords(of: slot)))
  }

  /// A one-shot that the end of the world stops before its first tick, in words; `nil` for none.
  ///
  /// A session may have suspended the context until now: no tick came then, although the program kept the world. The
  /// age is the time since the beginning of the ticks.
  func unplayedAtEnd(age: Duration) -> String? {
    guard UnkeptObject.isReported(isMixed: time.ticks > 0, age: age), !session.hasFollowed else { return nil }
    let slot = emitters.records.indices.first { slot in
      let record = emitters.records[slot]
      return record.isUsed && record.isOnce && (record.status == .playing || record.status == .loading)
    }
    return slot.map { ownerInWords(of: $0) }
  }

  /// Frees a slot whose emitter is idle.
  mutating func removeSlot(_ slot: EmitterSlot) {
    sounds.removeUser(of: use(of: slot))
    if emitters.records[slot].behavior == .stop { emitters.stoppingCount -= 1 }
    removeDeck(of: slot)
    removeFades(of: slot)
    if let index = rareIndex(slot) {
      outbox.announcements.appendEnd(of: id(of: slot), to: emitters.rare[index].observers)
      // The release of an effect takes the lock of the context.
      for send in emitters.rare[index].sends { sounds.garbage.append(send.unit) }
      emitters.rare[index] = RareSettings()
      emitters.freeRare.append(Int32(index))
    }
    emitters.observed.remove(Int32(slot))
    emitters.followers.remove(Int32(slot))
    emitters.deriving.remove(Int32(slot))
    emitters.records[slot].isUsed = false
    emitters.columns.setWeight(0, of: slot)
    emitters.freeSlots.append(Int32(slot))
  }

  private func rareIndex(_ slot: EmitterSlot) -> Int? {
    emitters.records[slot].rare < 0 ? nil : Int(emitters.records[slot].rare)
  }

  /// The rare settings of an emitter, or the defaults.
  func rareSettings(of slot: EmitterSlot) -> RareSettings {
    rareIndex(slot).map { emitters.rare[$0] } ?? RareSettings()
  }

  /// Reads one of the rare settings.
  func rare<Value>(_ slot: EmitterSlot, _ path: KeyPath<RareSettings, Value>) -> Value {
    rareIndex(slot).map { emitters.rare[$0][keyPath: path] } ?? RareSettings()[keyPath: path]
  }

  /// Changes the rare settings of an emitter.
  mutating func changeRare(_ slot: EmitterSlot, _ body: (inout RareSettings) -> Void) {
    if emitters.records[slot].rare < 0 {
      let index = emitters.freeRare.popLast() ?? Int32(emitters.rare.count)
      if index == emitters.rare.count { emitters.rare.append(RareSettings()) }
      emitters.records[slot].rare = index
    }
    body(&emitters.rare[Int(emitters.records[slot].rare)])
  }

  /// Whether a source of the emitter is audible.
  func isHeard(_ slot: EmitterSlot) -> Bool {
    let voice = Int(emitters.records[slot].voice)
    return voice >= 0 && voices.voices[voice].state == .sounding
  }
}
