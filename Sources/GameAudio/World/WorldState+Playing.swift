internal import Spatial3D

// The states of an emitter, and the changes between them.

extension WorldState {
  /// Begins an emitter, or resumes a paused one; a start that lies ahead has a moment.
  mutating func play(_ slot: Int, at moment: Duration? = nil) {
    if moment == nil {
      if records[slot].status == .paused || records[slot].status == .pausing { return resume(slot) }
    }
    if records[slot].status != .idle { cut(slot) }
    lastOrder &+= 1
    records[slot].order = lastOrder
    records[slot].began = now
    records[slot].hasSounded = false
    records[slot].isHeld = false
    records[slot].laps = 0
    records[slot].crowd = 1
    let decision = admit(slot)
    guard decision != .refuse else { return refuse(slot) }
    if decision == .admitVirtually {
      records[slot].isHeld = true
      held.append(Int32(slot))
    }
    activeCount += 1
    records[slot].status = .loading
    sounds[Int(records[slot].sound)].lastBegin = now
    var bus: Int? = Int(records[slot].bus)
    while let index = bus {
      buses[index].lastBegin = now
      bus = buses[index].parent
    }
    begin(slot, at: moment)
  }

  private mutating func refuse(_ slot: Int) {
    post(.ended(.refused), of: slot)
    if !records[slot].hasHandle { removeSlot(slot) }
  }

  /// Starts the clock of an emitter whose sound is loaded, and gives it a voice if one is free.
  mutating func begin(_ slot: Int, at moment: Duration? = nil) {
    let index = Int(records[slot].sound)
    switch sounds[index].state {
    case .loading: return
    case .failed: return end(slot, .failed)
    case .ready:
      guard let sound = sounds[index].loaded else { return }
      records[slot].status = .playing
      let repeats = records[slot].clock.course.repeats
      let course = LogicalClock.Course(frameCount: sound.frameCount, loopRange: sound.loopRange, repeats: repeats)
      let start = min(max(moment.map { frames(in: $0) } ?? now, now), Self.lastFrame)
      records[slot].shift = currentShift(of: slot)
      records[slot].clock = LogicalClock(course, at: start, place: startFrame(of: slot, in: sound), step: 0)
      records[slot].clock.setStep(step(of: slot), at: start)
      records[slot].began = start
      records[slot].switched = start
      if sounds[index].isCompensated { compensate(slot) }
      updateEnd(of: slot)
      updateWeight(of: slot)
      if start == now { takeFreeVoice(slot) }
      standIfVirtual(slot)
    }
  }

  /// The last frame at which a sound may begin: sums with it do not overflow.
  private static let lastFrame = 1 << 52

  /// Fades an emitter out, to its end.
  mutating func stop(_ slot: Int, _ fade: Fade) {
    switch records[slot].status {
    case .idle: return
    case .loading, .paused: return end(slot, .stopped)
    case .playing, .stopping, .pausing:
      guard fade.duration > .zero, isHeard(slot), records[slot].began <= now else {
        return end(slot, .stopped, isCut: fade.duration <= .zero)
      }
      records[slot].status = .stopping
      beginFade(of: slot, .level, to: .silence, fade, then: .end)
      updateWeight(of: slot)
    }
  }

  /// Fades an emitter out, to a pause at the place that it has then.
  mutating func pause(_ slot: Int, _ fade: Fade) {
    guard records[slot].status == .playing else {
      // A sound that is being loaded has no clock yet.
      if records[slot].status == .loading { end(slot, .stopped) }
      return
    }
    guard fade.duration > .zero, isHeard(slot) else { return rest(slot) }
    records[slot].status = .pausing
    beginFade(of: slot, .level, to: .silence, fade, then: .pause)
    updateWeight(of: slot)
  }

  /// The end of a pause's fade: the clock stands, and the voice is free for others.
  mutating func rest(_ slot: Int) {
    records[slot].status = .paused
    activeCount -= 1
    records[slot].clock.setStep(0, at: now)
    records[slot].fade = 1
    updateEnd(of: slot)
    updateWeight(of: slot)
    if records[slot].voice >= 0 { leaveVoice(slot, adopts: false) }
  }

  private mutating func resume(_ slot: Int) {
    let wasResting = records[slot].status == .paused
    records[slot].status = .playing
    records[slot].clock.setStep(step(of: slot), at: now)
    updateEnd(of: slot)
    guard wasResting else {
      beginFade(of: slot, .level, to: 0, .declick)
      return
    }
    records[slot].switched = now
    activeCount += 1
    updateWeight(of: slot)
    takeFreeVoice(slot)
    standIfVirtual(slot)
  }

  /// Stops the clock of an emitter that waits for its voice.
  private mutating func standIfVirtual(_ slot: Int) {
    guard records[slot].voice < 0, records[slot].behavior.stands else { return }
    records[slot].clock.setStep(0, at: max(now, records[slot].began))
    updateEnd(of: slot)
  }

  /// The frame of the sound at which an emitter begins.
  func startFrame(of slot: Int, in sound: LoadedSound) -> Double {
    min(records[slot].start * Double(sound.sampleRate), lastFrame(of: sound))
  }

  /// The last frame at which a sound may begin; a stream may not know its length.
  private func lastFrame(of sound: LoadedSound) -> Double { Double(min(max(sound.frameCount - 1, 0), Self.lastFrame)) }

  /// Moves an emitter to a place in its sound; one that does not play begins there.
  mutating func seek(_ slot: Int, to time: Duration) {
    let isMoved = records[slot].isSounding || records[slot].status == .paused
    guard isMoved, let sound = sounds[Int(records[slot].sound)].loaded else {
      records[slot].start = max(time / .seconds(1), 0)
      return
    }
    let frame = min(max(time / .seconds(1) * Double(sound.sampleRate), 0), lastFrame(of: sound))
    records[slot].clock.seek(to: frame, at: max(now, records[slot].began))
    records[slot].laps = 0
    updateEnd(of: slot)
    // Another voice begins at the new place, and the old one fades out.
    guard isHeard(slot) else { return }
    giveUpVoice(slot, .fades)
    records[slot].hasSounded = true
    if !promote(slot, isNew: false) { post(.becameVirtual, of: slot) }
  }

  /// Ends what an emitter plays, because it begins again.
  private mutating func cut(_ slot: Int) { finish(slot, .stopped, isCut: false) }

  /// Ends an emitter for a reason.
  ///
  /// A voice fades out in 10 ms, or is cut.
  mutating func end(_ slot: Int, _ reason: EmitterEvent.Reason, isCut: Bool = false) {
    finish(slot, reason, isCut: isCut)
    if !records[slot].hasHandle { removeSlot(slot) }
  }

  private mutating func finish(_ slot: Int, _ reason: EmitterEvent.Reason, isCut: Bool) {
    guard records[slot].status != .idle else { return }
    if reason == .played { postLaps(of: slot) }
    if records[slot].status != .paused { activeCount -= 1 }
    records[slot].status = .idle
    records[slot].fade = 1
    fades.removeAll { $0.slot == slot && $0.kind == .level }
    columns.setEnd(.max, of: slot)
    updateWeight(of: slot)
    if records[slot].voice >= 0 { giveUpVoice(slot, reason == .played ? .drains : isCut ? .cuts : .fades) }
    post(.ended(reason), of: slot)
    releaseHeld(by: slot)
  }

  /// Adopts a sound that was loaded, or could not be.
  mutating func adopt(_ sound: LoadedSound?, for key: SoundTable.LoadKey) {
    let entries = Set(sounds.finish(key, sound).map(Int32.init))
    for slot in records.indices where records[slot].isUsed && entries.contains(records[slot].sound) {
      if records[slot].status == .loading { begin(slot) } else { updateWeight(of: slot) }
    }
  }
}

// MARK: - Derived values

extension WorldState {
  /// The frames of the sound for one of the mix.
  func step(of slot: Int) -> Double {
    guard let sound = sounds[Int(records[slot].sound)].loaded else { return 0 }
    return physics.step.frames(
      pitch: pitch(of: slot) * records[slot].shift,
      soundRate: sound.sampleRate,
      mixRate: physics.sampleRate
    )
  }

  /// The pitch of the source, without the Doppler effect.
  func pitch(of slot: Int) -> Float {
    min(max(records[slot].pitch * buses[Int(records[slot].bus)].totalPitch, Self.leastPitch), 255)
  }

  private static let leastPitch: Float = 1e-4

  /// The factor of the frequency by motion, at the present positions.
  func currentShift(of slot: Int) -> Float {
    guard records[slot].isPlaced, physics.doppler.factor > 0 else { return 1 }
    let velocity = records[slot].velocity
    guard velocity != .zero || listener.velocity != .zero else { return 1 }
    let position = columns.position(of: slot)
    return Float(physics.doppler.shift(of: position, movingAt: velocity, heardBy: listener))
  }

  /// Stores the frame at which the sound will be over.
  mutating func updateEnd(of slot: Int) {
    let record = records[slot]
    let isRunning = record.isSounding && (record.voice >= 0 || !record.behavior.stands)
    let end = isRunning ? record.clock.end ?? .max : .max
    columns.setEnd(end, of: slot)
    nextEnd = min(nextEnd, end)
  }

  /// Stores the largest score that the emitter can have at its reference distance; 0 if it waits for no voice.
  mutating func updateWeight(of slot: Int) {
    let record = records[slot]
    guard record.status == .playing, record.voice < 0, !record.isHeld,
      let sound = sounds[Int(record.sound)].loaded
    else { return columns.setWeight(0, of: slot) }
    let gain = record.gain * record.fade * record.crowd * buses[Int(record.bus)].totalGain
    var weight = gain * sound.envelope.peak * record.priority.factor
    let sends = rare(slot, \.sends)
    if !sends.isEmpty { weight *= (1 + sends.reduce(0) { $0 + $1.gain * $1.gain }).squareRoot() }
    // The unclamped laws have no largest gain.
    let model = sounds[Int(record.sound)].law.model ?? physics.distanceModel
    if weight > 0, !model.isBounded { weight = Audibility.largest * record.priority.factor }
    // A product above the largest number must not become infinite: the bound would be no number at distance 0.
    columns.setWeight(min(weight, .greatestFiniteMagnitude), of: slot)
  }

  /// The emitter's loudness, as the factors that make it up.
  func audibility(of slot: Int) -> Audibility {
    let record = records[slot]
    let index = Int(record.sound)
    var factors = Audibility()
    factors.gain = record.gain
    factors.fade = record.fade
    factors.crowd = record.crowd
    factors.bus = buses[Int(record.bus)].totalGain
    factors.listener = listener.gain
    if let sound = sounds[index].loaded {
      let stands = record.behavior == .fromBeginning && record.voice < 0
      let position = stands ? 0 : record.clock.position(at: now)
      factors.envelope = sound.envelope.highestLevel(at: position, of: record.clock.course)
    }
    let rare = record.rare >= 0 ? self.rare[Int(record.rare)] : nil
    if let rare {
      factors.occlusion = Audibility.loudness(ofOcclusion: rare.occlusion)
      factors.obstruction = Audibility.loudness(ofObstruction: rare.obstruction)
      factors.sends = rare.sends.reduce(0) { $0 + $1.gain * $1.gain }
    }
    guard record.isPlaced else { return factors }
    let way = columns.position(of: slot) - listener.position
    let distance = (way * way).sum().squareRoot()
    // The voice has no limit of its gain, and so an unclamped law may exceed 1.
    factors.attenuation = sounds[index].law.gain(at: distance, model: physics.distanceModel)
    factors.reach = Audibility.reach(at: distance, of: columns.reach[slot])
    if let rare, rare.direction != .zero, distance > 0 {
      let length = (rare.direction * rare.direction).sum().squareRoot()
      let cosine = -(way * rare.direction).sum() / (distance * length)
      factors.cone = rare.cone.gain(at: Audibility.degrees(ofCosine: cosine))
    }
    return factors
  }
}
