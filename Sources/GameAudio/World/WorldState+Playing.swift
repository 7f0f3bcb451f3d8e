internal import Spatial3D

// The states of an emitter, and the changes between them.

extension WorldState {
  /// Begins an emitter, or resumes a paused one; a start that lies ahead has a moment.
  mutating func play(_ slot: EmitterSlot, at moment: Duration? = nil) {
    if moment == nil {
      if emitters[slot].status == .paused || emitters[slot].status == .pausing { return resume(slot) }
    }
    let frame = min(max(moment.map { frames(in: $0) } ?? now, now), Frames.last)
    if emitters[slot].status != .idle {
      // If a beginning so soon is refused, the present sound plays on.
      guard !isTooSoon(slot, at: frame) else { return postEnd(.refused, of: slot) }
      cut(slot)
    }
    emitters.setNewest(slot)
    modify(slot) {
      $0.began = frame
      ($0.isUnbegun, $0.hasSounded, $0.isLimited, $0.keepsPosition) = (false, false, false, false)
      ($0.laps, $0.copyGain) = (0, 1)
    }
    // The next answer counts as the first; the last answer stays in force until then.
    if emitters[slot].hasRareSettings { emitters[rare: slot].rays.begin() }
    adoptForm(of: slot)
    // The limits compare the loudness of the beginning.
    if let sound = sounds[Int(emitters[slot].sound)].loaded {
      let (place, now) = (startFrame(of: slot, in: sound), now)
      modify(slot) { $0.clock.seek(to: place, at: now) }
    }
    guard let admission = admit(slot) else { return refuse(slot) }
    if admission.isVirtual { limit(slot) }
    drawVariation(of: slot)
    noteActivity()
    modify(slot) { $0.status = .loading }
    sounds.countUse(of: Int(emitters[slot].sound))
    storeBegin(of: slot)
    // The newcomer counts already: what ends makes room for no emitter that a limit keeps virtual.
    for victim in admission.victims { end(victim, .stolen) }
    begin(slot)
  }

  /// Prepares the mix for one more emitter that plays; the duckers rest while none does.
  mutating func noteActivity() {
    if emitters.activeCount == 0 {
      mixer.setDucked(until: now)
      // The listener may have moved since the last sound.
      stepZones()
      space.searchRoutes()
    }
    if session.reportsBeginning() { outbox.report(.playedInInterruption) }
  }

  private mutating func refuse(_ slot: EmitterSlot) {
    postEnd(.refused, of: slot)
    if !emitters[slot].hasHandle { removeSlot(slot) }
  }

  /// Starts the clock of an emitter whose sound is loaded, and gives it a voice if one is free.
  mutating func begin(_ slot: EmitterSlot) {
    let index = Int(emitters[slot].sound)
    switch sounds[index].state {
    case .loading: sounds.addWaiting(slot, for: index)
    case .released:
      sounds.addWaiting(slot, for: index)
      if let job = sounds.job(for: index) { outbox.load(job) }
    case .failed: return end(slot, .failed)
    case .ready:
      guard let sound = sounds[index].loaded else { return }
      let repeats = emitters[slot].clock.course.repeats
      let course = LogicalClock.Course(frameCount: sound.frameCount, loopRange: sound.loopRange, repeats: repeats)
      // The clock of a sound that came late has run since its play.
      let isLate = sounds[index].runsWhileLoading && !emitters[slot].behavior.stands
      let start = isLate ? emitters[slot].began : max(emitters[slot].began, now)
      checkPosition(emitters[slot].start, of: slot, in: sound)
      let shift = currentShift(of: slot)
      emitters.store(slot) { $0.shift = shift }
      let (step, place, now) = (step(of: slot), startFrame(of: slot, in: sound), now)
      modify(slot) {
        $0.status = .playing
        $0.clock = LogicalClock(course, at: start, place: place, step: 0)
        $0.clock.setStep(step, at: start)
        ($0.began, $0.switched) = (start, max(start, now))
      }
      if sounds[index].isCompensated { compensate(slot) }
      if start - now <= frames(ofMilliseconds: Self.reservation) { takeFreeVoice(slot) }
      standIfVirtual(slot)
    }
  }

  /// Fades an emitter out, to its end.
  mutating func stop(_ slot: EmitterSlot, _ fade: Fade) {
    switch emitters[slot].status {
    case .idle: return
    case .loading, .paused: return end(slot, .stopped)
    case .playing, .stopping, .pausing:
      guard fade.duration > .zero, isHeard(slot), emitters[slot].began <= now else {
        return end(slot, .stopped, isCut: fade.duration <= .zero)
      }
      modify(slot) { $0.status = .stopping }
      beginFade(of: slot, .level, to: .silence, fade, then: .end)
    }
  }

  /// Fades an emitter out, and pauses it at the position that it has then.
  mutating func pause(_ slot: EmitterSlot, _ fade: Fade) {
    guard emitters[slot].status == .playing else {
      guard emitters[slot].status == .loading else { return }
      // A sound that is being loaded has no clock yet: it begins when it is resumed.
      modify(slot) { ($0.status, $0.isUnbegun) = (.paused, true) }
      return
    }
    guard fade.duration > .zero, isHeard(slot) else { return rest(slot) }
    modify(slot) { $0.status = .pausing }
    beginFade(of: slot, .level, to: .silence, fade, then: .pause)
  }

  /// The end of a pause's fade: the clock stands, and the voice is free for others.
  mutating func rest(_ slot: EmitterSlot) {
    let now = now
    modify(slot) {
      ($0.status, $0.fade) = (.paused, 1)
      $0.clock.setStep(0, at: now)
    }
    if emitters[slot].voice != nil { leaveVoice(slot, adopts: false) }
  }

  private mutating func resume(_ slot: EmitterSlot) {
    let wasResting = emitters[slot].status == .paused
    if wasResting, !hasRoom(for: slot) { limit(slot) }
    let now = now
    if emitters[slot].isUnbegun {
      noteActivity()
      modify(slot) { ($0.status, $0.isUnbegun, $0.began) = (.loading, false, now) }
      return begin(slot)
    }
    if wasResting { noteActivity() }
    let step = step(of: slot)
    modify(slot) {
      $0.status = .playing
      $0.clock.setStep(step, at: now)
      if wasResting { $0.switched = now }
    }
    guard wasResting else {
      beginFade(of: slot, .level, to: .unity, .declick)
      return
    }
    takeFreeVoice(slot)
    standIfVirtual(slot)
  }

  /// Stops the clock of an emitter that waits for its voice.
  private mutating func standIfVirtual(_ slot: EmitterSlot) {
    guard emitters[slot].voice == nil, emitters[slot].behavior.stands else { return }
    let now = now
    modify(slot) { $0.clock.setStep(0, at: max(now, $0.began)) }
  }

  /// The frame of the sound at which an emitter begins.
  func startFrame(of slot: EmitterSlot, in sound: LoadedSound) -> Double {
    min(emitters[slot].start * Double(sound.sampleRate), lastFrame(of: sound))
  }

  /// The last frame at which a sound may begin; a stream may not know its length.
  private func lastFrame(of sound: LoadedSound) -> Double { Double(min(max(sound.frameCount - 1, 0), Frames.last)) }

  /// Reports a position behind the last frame of a sound, in seconds.
  private mutating func checkPosition(_ seconds: Double, of slot: EmitterSlot, in sound: LoadedSound) {
    let (last, rate) = (lastFrame(of: sound), Double(max(sound.sampleRate, 1)))
    // The time of the last frame is rounded.
    guard seconds * rate > last + 0.5 else { return }
    let end = FaultValue.seconds(last / rate)
    let cause = ValueFault.Cause.outside(lower: .seconds(0), upper: end, used: end)
    report(ValueFault(property: "playbackTime", value: .seconds(seconds), cause: cause), ofSlot: slot)
  }

  /// Moves an emitter to a position in its sound; an emitter that does not play begins there.
  mutating func seek(_ slot: EmitterSlot, to time: Duration) {
    let isMoved =
      emitters[slot].isSounding || emitters[slot].status == .paused && !emitters[slot].isUnbegun
    guard isMoved, let sound = sounds[Int(emitters[slot].sound)].loaded else {
      emitters.store(slot) { $0.start = max(time / .seconds(1), 0) }
      return
    }
    let seconds = time / .seconds(1)
    let frame = min(max(seconds * Double(sound.sampleRate), 0), lastFrame(of: sound))
    checkPosition(seconds, of: slot, in: sound)
    postLaps(of: slot)
    let now = now
    modify(slot) {
      $0.clock.seek(to: frame, at: max(now, $0.began))
      $0.laps = 0
    }
    if isHeard(slot) { changeVoice(of: slot) }
  }

  /// Ends what an emitter plays, because it begins again.
  private mutating func cut(_ slot: EmitterSlot) { finish(slot, .stopped, isCut: false) }

  /// Ends an emitter for a reason.
  ///
  /// A voice fades out in 10 ms, or is cut.
  mutating func end(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason, isCut: Bool = false) {
    finish(slot, reason, isCut: isCut)
    if !emitters[slot].hasHandle { removeSlot(slot) }
  }

  /// Ends all emitters and players, whose program has released them.
  mutating func endAll() {
    for slot in emitters.indices where emitters[slot].isUsed { end(slot, .stopped) }
  }

  private mutating func finish(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason, isCut: Bool) {
    guard emitters[slot].status != .idle else { return }
    if emitters[slot].isPlayer { playerEnds(slot, reason) }
    postLaps(of: slot)
    modify(slot) { ($0.status, $0.hasEnded, $0.fade) = (.idle, true, 1) }
    removeFade(of: slot, .level)
    if emitters[slot].voice != nil { giveUpVoice(slot, reason == .played ? .drains : isCut ? .cuts : .fades) }
    moveToSuccessor(slot)
    postEnd(reason, of: slot)
    // The emitter has to leave the list of emitters that a limit keeps virtual.
    if emitters[slot].isLimited { limits.setHasRoom() }
    modify(slot) { $0.isLimited = false }
  }
}

// MARK: - Derived values

extension WorldState {
  /// The frames of the sound for one of the mix.
  func step(of slot: EmitterSlot) -> Double {
    guard let sound = sounds[Int(emitters[slot].sound)].loaded, !mixer.buses[emitters.bus(of: slot)].totals.isPaused
    else { return 0 }
    return time.physics.step.frames(
      pitch: pitch(of: slot) * emitters[slot].shift,
      soundRate: sound.sampleRate,
      mixRate: time.physics.sampleRate
    )
  }

  /// The pitch of the source, without the Doppler effect.
  func pitch(of slot: EmitterSlot) -> Float {
    let pitch = emitters[slot].pitch * emitters.drawn(slot).pitch * mixer.buses[emitters.bus(of: slot)].totals.pitch
    return min(max(pitch, Self.leastPitch), 255)
  }

  private static let leastPitch: Float = 1e-4

  /// The factor of the frequency by motion, at the present positions.
  func currentShift(of slot: EmitterSlot) -> Float {
    guard let emitter = emitters.placed(slot), time.physics.doppler.factor > 0 else { return 1 }
    let velocity = emitters[slot].velocity
    let listener = space.listeners[emitter.listener]
    guard velocity != .zero || listener.velocity != .zero else { return 1 }
    let path = space.path(of: emitter)
    let (position, motion) = (path?.place ?? emitter.position, path?.turned(velocity) ?? velocity)
    return Float(time.physics.doppler.shift(of: position, movingAt: motion, heardBy: listener))
  }

  /// The emitter's loudness, as the factors that make it up, with the highest level of the sound in the next 250 ms.
  func audibility(of slot: EmitterSlot) -> Audibility {
    let record = emitters[slot]
    guard let sound = sounds[Int(record.sound)].loaded else { return audibility(of: slot, envelope: 1) }
    let stands = record.behavior == .fromBeginning && record.voice == nil
    let position = stands ? 0 : record.clock.position(at: now)
    return audibility(of: slot, envelope: sound.envelope.highestLevel(at: position, of: record.clock.course))
  }

  /// The emitter's loudness with a level of the sound itself.
  func audibility(of slot: EmitterSlot, envelope: Float) -> Audibility {
    let record = emitters[slot]
    let index = Int(record.sound)
    var factors = Audibility()
    factors.gain = record.gain
    factors.variation = emitters.drawn(slot).gain
    // The short fades of a player do not cost it its voice.
    factors.fade = record.isPlayer ? 1 : record.fade
    factors.copyGain = record.copyGain
    factors.bus = mixer.buses[emitters.bus(of: slot)].totals.gain
    let listener = space.listeners[record.listener]
    factors.listener = listener.gain.rawValue
    factors.envelope = envelope
    let filter = (
      low: mixer.buses[emitters.bus(of: slot)].totals.low, high: mixer.buses[emitters.bus(of: slot)].totals.high
    )
    if filter != (0, 0) { factors.filter = Audibility.loudness(ofLow: filter.low, high: filter.high) }
    factors.sends = sendPower(of: slot)
    let emitter = emitters.placed(slot)
    let path = space.path(of: emitter)
    let muffling = emitters[rare: slot].occlusion(on: path)
    factors.occlusion = Audibility.loudness(ofOcclusion: muffling.occlusion)
    factors.obstruction = Audibility.loudness(ofObstruction: muffling.obstruction)
    guard let emitter else { return factors }
    let way = (path?.place ?? emitter.position) - listener.position
    let distance = (way * way).sum().squareRoot()
    // The voice has no limit of its gain, and so an unclamped law may exceed 1.
    factors.attenuation = sounds[index].attenuation(at: distance, model: time.physics.distanceModel)
    factors.reach = Audibility.reach(at: distance, of: emitters.reach(of: slot))
    if record.hasRareSettings, emitters[rare: slot].direction != .zero, distance > 0 {
      let own = emitters[rare: slot].direction
      let direction = path?.turned(own) ?? own
      let cosine = -(way * direction).sum() / (distance * direction.length)
      factors.cone = emitters[rare: slot].cone.gain(at: Audibility.degrees(ofCosine: cosine)).rawValue
    }
    return factors
  }
}
