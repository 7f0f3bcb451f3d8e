internal import Spatial3D

// The work of one tick: everything that depends on the time of the mix.

extension WorldState {
  /// Whether a tick of the context is a tick of the world: a replay has ticks of its own.
  ///
  /// Ticks that end and begin again may come twice at a frame. On an output they may not: a task that plays and waits
  /// for a deferred end would run as often as it can until the next mix.
  func isTickDue(at frame: Int, mayRepeat: Bool) -> Bool {
    !log.isReplayed(frame) && (mayRepeat || time.ticks == 0 || frame != time.lastTick)
  }

  /// Advances the world to the present frame of the mix.
  mutating func tick(_ physics: MixPhysics) {
    adopt(physics)
    time.countTick()
    outbox.beginRound()
    stepFades()
    stepBuses()
    stepPlayers()
    endSounds()
    releaseLimited()
    stepCopies()
    for slot in emitters.observed.keys { postLaps(of: slot) }
    if sounds.hasSuccessors { changeOver() }
    time.passTick()
    collectVoices()
    if time.waitsForUpdate() { return }
    followLeaders()
    if time.ticks.isMultiple(of: 64) { sounds.purge() }
    if time.ticks.isMultiple(of: 2) {
      deriveVelocities()
      space.searchRoutes()
      updateListeners()
      updateShifts()
      choose()
    }
    updatePitches()
    let step = ticksToMove
    stepZones(by: step)
    flush(step)
  }

  /// Ends the sounds that are over.
  private mutating func endSounds() {
    guard emitters.nextEnd <= now else { return }
    for slot in emitters.indices where emitters.end(of: slot) <= now {
      switch emitters[slot].occupant {
      case .emitter: end(slot, .played)
      case .player: endTimeline(slot)
      }
    }
    emitters.updateNextEnd(after: now)
  }

  /// Moves the emitters that follow another emitter.
  private mutating func followLeaders() {
    for slot in emitters.followers.keys {
      guard let leader = emitters[rare: slot].leader, emitters.has(leader) else { continue }
      let from = leader.slot
      emitters.setPosition(emitters.position(of: from), of: slot)
      let bus = emitters.bus(of: from)
      setBus(bus, of: slot)
      let velocity = emitters[from].velocity
      emitters.store(slot) { $0.velocity = velocity }
      let (occlusion, obstruction) = (emitters[rare: from].occlusion, emitters[rare: from].obstruction)
      if occlusion != 0 || obstruction != 0 || emitters[rare: slot].occlusion != occlusion
        || emitters[rare: slot].obstruction != obstruction
      {
        emitters.changeRare(slot) { ($0.occlusion, $0.obstruction) = (occlusion, obstruction) }
      }
    }
  }

  /// Derives velocities from the positions at the last choice and at the present choice.
  private mutating func deriveVelocities() {
    let seconds = Float(now - emitters.derivedAt) / Float(max(time.physics.sampleRate, 1))
    emitters.derivedAt = now
    guard seconds > 0 else { return }
    for slot in emitters.deriving.keys {
      let position = emitters.position(of: slot)
      if let last = emitters[rare: slot].derivedAt {
        emitters.store(slot) {
          $0.velocity = DerivedVelocity.next($0.velocity, from: last, to: position, in: seconds)
        }
      }
      emitters.changeRare(slot) { $0.derivedAt = position }
    }
  }

  /// Computes the Doppler effect of a sixteenth of the virtual emitters.
  ///
  /// A moving virtual emitter drifts by the change of its shift in 0.34 s; its phase is inaudible.
  private mutating func updateShifts() {
    let count = emitters.count
    guard count > 0 else { return }
    let isListenerMoving = space.listeners.isMoving
    for _ in 0..<(count + 15) / 16 {
      let next = emitters.nextShift.position + 1
      let slot = EmitterSlot(next < count ? next : 0)
      emitters.nextShift = slot
      let isMoving = isListenerMoving || emitters[slot].velocity != .zero || emitters[slot].shift != 1
      if isMoving, emitters[slot].isSounding, emitters[slot].voice == nil { updateShift(of: slot) }
    }
  }

  mutating func updateShift(of slot: EmitterSlot) {
    let shift = currentShift(of: slot)
    guard shift != emitters[slot].shift else { return }
    emitters.store(slot) { $0.shift = shift }
    setStep(of: slot)
  }

  /// Applies the pitches that the program has set: the sources have them from this tick on.
  private mutating func updatePitches() {
    for slot in emitters.changedPitches where emitters[slot].isSounding { setStep(of: slot) }
    emitters.forgetChangedPitches()
  }

  private mutating func setStep(of slot: EmitterSlot) {
    guard emitters[slot].voice != nil || !emitters[slot].behavior.stands else { return }
    let (step, now) = (step(of: slot), now)
    emitters.modify(slot) { $0.clock.setStep(step, at: now) }
  }

  /// The largest number of ticks by which levels and paths move at a time: a mix of 1,024 frames has two.
  ///
  /// A step is then at most twice the step of a tick, also after a long time without a tick. With longer mixes, changes
  /// take longer.
  private static let mostTicks: Float = 2

  /// The ticks since the sources had their values last, by the frames of the mix.
  ///
  /// A tick may come late, and an output may mix more frames at a time than a tick has.
  private var ticksToMove: Float {
    min(Float(max(now - space.rays.movedUntil, 0)) / Float(AudioWorld.tick), Self.mostTicks)
  }

  /// Hands the changed values to the sources; changes of the paths move by a number of ticks.
  private mutating func flush(_ step: Float) {
    if let listener = space.listeners.takeChange() { outbox.append(.listener(listener)) }
    let seconds = space.rays.seconds(until: now, sampleRate: time.physics.sampleRate)
    var moved: [EmitterSlot] = []
    for index in voices.indices where voices[index].state == .sounding {
      guard let slot = voices[index].slot else { continue }
      stepRays(of: slot, seconds: seconds)
      updatePath(of: slot, glides: true, ticks: step)
      // The clock and the source go on with the new step from the same frame.
      updateShift(of: slot)
      // An argument that reads this state while a method of it is called would copy the whole state.
      let channelCount = voices[index].channelCount
      var values = voiceValues(of: slot, channelCount: channelCount)
      if values.isDirect != voices[index].values.isDirect, voices[index].isAudible(at: now),
        hasChannels(voices[index], of: slot)
      {
        values.isDirect = voices[index].values.isDirect
        if canChangeRouting(of: voices[index], of: slot) { moved.append(slot) }
      }
      let changes = voices.move(index, to: values, filterStep: time.physics.filterStep, &outbox.commands)
      if changes.contains(.sends) {
        let feeds = feeds(of: slot)
        let sends = sends(of: slot, with: feeds)
        voices.setFeeds(feeds, of: index)
        outbox.append(.setSends(index, sends))
      } else {
        flushFeeds(of: index)
      }
      guard voices[index].isLooping else { continue }
      let margin = time.mixesByFrames ? 0 : frames(ofMilliseconds: 100)
      if LoopPlan.isInLastLap(emitters[slot].clock, at: now, marginFrames: margin) {
        voices.setLooping(false, of: index, &outbox.commands)
      }
    }
    for slot in moved { changeRouting(of: slot) }
  }

  /// Whether a voice plays a sound whose channels may go to the loudspeakers as they are.
  private func hasChannels(_ voice: Voice, of slot: EmitterSlot) -> Bool {
    let record = emitters[slot]
    return record.isPlayer ? voice.channelCount > 1 : sounds[Int(record.sound)].loaded?.channelCount != 1
  }

  /// Whether another voice can go on, whose channels go to the loudspeakers as they are, or no longer do.
  ///
  /// The stream of an emitter would have to be opened again, and leave a gap: it keeps its voice until it begins again.
  private func canChangeRouting(of voice: Voice, of slot: EmitterSlot) -> Bool {
    guard voice.role == .plain else { return false }
    if emitters[slot].isPlayer { return canReplaceReader(of: slot) }
    return !voice.isStream && emitters[slot].status != .pausing && voices.hasFree
  }

  /// Lets another voice go on: the library changes the routing of channels within a frame, which is audible as a click.
  private mutating func changeRouting(of slot: EmitterSlot) {
    // Another sound may have taken the last free voice.
    guard voices.hasFree else { return }
    switch emitters[slot].occupant {
    case .emitter: changeVoice(of: slot)
    case .player: replaceReader(of: slot)
    }
  }

  /// Whether anything needs the next tick.
  var needsTicks: Bool { isBusy || space.zones.pool.isRinging || outbox.needsTick }

  /// Whether the context is to call the world at ticks: a replay has ticks of its own, and another tick would end a
  /// piece of the mix.
  var wantsTicks: Bool { needsTicks && !log.isReplaying }

  /// Whether anything but the end of a reverb and an event needs the next tick.
  var isBusy: Bool {
    emitters.activeCount > 0 || !fades.isEmpty || mixer.isMoving
      || voices.isBusy
      || players.needsTicks
  }
}

/// The velocity of something whose positions are known.
enum DerivedVelocity {
  /// The speed, in metres a second, above which a change of the position is a teleport.
  static let fastest: Float = 150
  /// The seconds over which the velocity is smoothed: a game moves its things between two choices once or twice.
  private static let smoothing: Float = 0.1

  /// The velocity after a change of the position.
  static func next(_ velocity: SIMD3<Float>, from: SIMD3<Float>, to: SIMD3<Float>, in seconds: Float) -> SIMD3<Float> {
    let raw = (to - from) / seconds
    guard (raw * raw).sum() <= fastest * fastest else { return velocity }
    return velocity + (raw - velocity) * (seconds / (seconds + smoothing))
  }
}
