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
    log.setMoment(physics.moment)
    // Another thread may have read the time later, and stored it earlier.
    let isSlightlyEarlier = physics.frame < old.frame && old.frame - physics.frame < physics.sampleRate
    if isSlightlyEarlier, physics.sampleRate == old.sampleRate { time.physics.frame = old.frame }
    if physics.distanceModel != old.distanceModel {
      for slot in emitters.indices where emitters[slot].isUsed {
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
    for slot in emitters.indices where emitters[slot].isUsed {
      let step = step(of: slot)
      modify(slot) {
        let begin = max(last, $0.began)
        $0.clock.rebase(from: begin, to: converted(begin))
        $0.began = converted($0.began)
        $0.switched = converted($0.switched)
        if $0.isRunning { $0.clock.setStep(step, at: max(now, $0.began)) }
      }
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
    for index in players.records.indices { players.records[index].playlist?.convertFrames(converted) }
    space.zones.pool.convertFrames(converted)
    space.rays.movedUntil = now
    emitters.derivedAt = now
    time.lastTick = now
    emitters.updateNextEnd(after: .min)
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
    let id = emitters.add(hasPosition: isPlaced, bus: bus, isDirect: mixer.buses[bus].isDirect)
    let slot = Int(id.slot)
    if slot < space.portals.paths.count { space.portals.paths[slot] = PortalState.EmitterPath() }
    let (use, jobs) = sounds.add(sound, isPlaced: emitters[slot].isPlaced)
    emitters.setUse(use, of: slot)
    outbox.load(jobs)
    setLaw(of: slot)
    return id
  }

  /// Copies the law of distance of an emitter's sound into the columns.
  mutating func setLaw(of slot: EmitterSlot) {
    emitters.setLaw(of: sounds[Int(emitters[slot].sound)], in: time.physics.distanceModel, slot)
  }

  /// The program has released an emitter: it fades out, and its slot becomes free.
  mutating func release(_ id: Emitter.ID) {
    let slot = Int(id.slot)
    emitters.store(slot) { $0.hasHandle = false }
    if emitters[slot].status == .idle { return removeSlot(slot) }
    reportRelease(of: slot)
    if emitters[slot].isOnce, emitters[slot].status != .paused,
      emitters[slot].status != .pausing
    {
      return
    }
    if emitters[slot].status == .paused || !isHeard(slot) { return end(slot, .stopped) }
    stop(slot, .declick)
  }

  /// Reports once that an emitter was released before a mix, unless it was audible before or starts later.
  private mutating func reportRelease(of slot: EmitterSlot) {
    let record = emitters[slot]
    guard !record.isOnce, record.player < 0, !record.hasEnded else { return }
    guard record.status == .loading && record.began <= now || record.status == .playing && record.began == now else {
      return
    }
    guard outbox.isNew(.releaseBeforePlay) else { return }
    outbox.report(.releasedUnplayed(emitter: ownerInWords(of: slot)))
  }

  /// A one-shot that the end of the world stops before its first tick, in words; `nil` for none.
  ///
  /// A session may have suspended the context until now: no tick came then, although the program kept the world. The
  /// age is the time since the beginning of the ticks.
  func unplayedAtEnd(age: Duration) -> String? {
    guard UnkeptObject.isReported(isMixed: time.ticks > 0, age: age), !session.hasFollowed else { return nil }
    let slot = emitters.indices.first { slot in
      let record = emitters[slot]
      return record.isUsed && record.isOnce && (record.status == .playing || record.status == .loading)
    }
    return slot.map { ownerInWords(of: $0) }
  }

  /// Frees a slot whose emitter is idle.
  mutating func removeSlot(_ slot: EmitterSlot) {
    sounds.removeUser(of: emitters.use(of: slot))
    removePlayer(of: slot)
    removeFades(of: slot)
    if emitters[slot].hasRareSettings {
      outbox.announceEnd(of: emitters.id(of: slot), to: emitters[rare: slot].observers)
      // The release of an effect takes the lock of the context.
      for send in emitters[rare: slot].sends { outbox.release(send.unit) }
    }
    emitters.remove(slot)
  }

  /// Whether a source of the emitter is audible.
  func isHeard(_ slot: EmitterSlot) -> Bool {
    let voice = Int(emitters[slot].voice)
    return voice >= 0 && voices.voices[voice].state == .sounding
  }
}
