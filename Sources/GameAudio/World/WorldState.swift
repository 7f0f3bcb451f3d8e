internal import AudioSupport
internal import Spatial3D

/// The emitters, the voices and the buses of a world.
///
/// One thread at a time uses the state, under the world's lock. It never calls OpenAL: calls are appended to
/// ``Outbox/commands``, and the world carries them out without the lock.
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
  var fades = EmitterFades()
  var clocks = ClockTable()
  var session = SessionState()
  var outbox: Outbox
  var log = RecordingLog()
  var time: WorldTime

  init(voiceLimit: Int, poolSize: Int, mixesByFrames: Bool, context: AudioContext, physics: MixPhysics) {
    voices = VoicePool(
      limit: voiceLimit,
      mixesByFrames: mixesByFrames,
      voices: Array(repeating: Voice(), count: poolSize)
    )
    outbox = Outbox(context: context, capacity: 2 * poolSize)
    time = WorldTime(
      physics: physics,
      mixesByFrames: mixesByFrames,
      startsExactly: mixesByFrames || context.capabilities.contains(.startDelay)
    )
  }

  /// The frame of the mix, as read last.
  var now: Int { time.now }

  func frames(in duration: Duration) -> Int { time.frames(in: duration) }
  func frames(ofMilliseconds count: Int) -> Int { time.frames(ofMilliseconds: count) }
  func time(ofFrames count: Int) -> Duration { time.time(ofFrames: count) }

  /// Takes over the time of the mix, and the changes of the context that the laws and the clocks depend on.
  mutating func adopt(_ physics: MixPhysics) {
    let change = time.advance(to: physics)
    log.setMoment(physics.moment)
    if change.hasDistanceModel {
      for slot in emitters.indices where emitters[slot].isUsed {
        setLaw(of: slot)
        updateWeight(of: slot)
      }
    }
    if let conversion = change.conversion { convertFrames(conversion) }
  }

  /// Converts the frames of all parts, and gives the clocks the steps of the new rate.
  private mutating func convertFrames(_ conversion: FrameConversion) {
    emitters.convertFrames(conversion)
    fades.convertFrames(conversion)
    copies.convertFrames(conversion)
    mixer.convertFrames(conversion)
    voices.convertFrames(conversion)
    players.convertFrames(conversion)
    space.convertFrames(conversion)
    sounds.convertFrames(conversion)
    for slot in emitters.indices where emitters[slot].isUsed {
      let step = step(of: slot)
      emitters.modify(slot) { if $0.isRunning { $0.clock.setStep(step, at: max(conversion.present, $0.began)) } }
    }
    emitters.updateNextEnd(after: .min)
  }
}

// MARK: - Emitters

extension WorldState {
  /// Adds an emitter; returns its slot and generation.
  mutating func add(_ sound: Sound, isPlaced: Bool, bus: BusIndex) -> Emitter.ID {
    let id = addSlot(isPlaced: isPlaced, bus: bus)
    let slot = id.slot
    let (use, jobs) = sounds.add(sound, isPlaced: emitters[slot].isPlaced)
    emitters.setUse(use, of: slot)
    outbox.load(jobs)
    setLaw(of: slot)
    return id
  }

  /// Adds a slot without a sound.
  mutating func addSlot(isPlaced: Bool, bus: BusIndex) -> Emitter.ID {
    let id = emitters.add(hasPosition: isPlaced, bus: bus, isDirect: mixer.buses[bus].isDirect)
    space.forgetPath(of: id.slot)
    return id
  }

  /// Copies the law of distance of an emitter's sound into the columns.
  mutating func setLaw(of slot: EmitterSlot) {
    emitters.setLaw(of: sounds[Int(emitters[slot].sound)], in: time.physics.distanceModel, slot)
  }

  /// The program has released an emitter: it fades out, and its slot becomes free.
  mutating func release(_ id: Emitter.ID) {
    guard emitters.has(id) else { return }
    let slot = id.slot
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
    guard !record.isOnce, !record.isPlayer, !record.hasEnded else { return }
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
  func isHeard(_ slot: EmitterSlot) -> Bool { voices.isSounding(emitters[slot].voice) }
}
