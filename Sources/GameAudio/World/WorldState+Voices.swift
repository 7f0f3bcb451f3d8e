internal import PCM
internal import Spatial3D

// The voices of the pool, and the emitters that get and lose them.

extension WorldState {
  /// Gives an emitter a voice that is free, if it is loud enough to be chosen and another has not to give one up.
  mutating func takeFreeVoice(_ slot: EmitterSlot) {
    guard !emitters[slot].isLimited, !voices.isFull else { return }
    updateListener(of: slot)
    updatePath(of: slot)
    guard audibility(of: slot).audible >= Audibility.threshold else { return }
    if needsStreamPlace(slot), voices.areStreamsFull { return }
    promote(slot)
  }

  /// Gives an emitter a voice of the pool; returns `false` where none is free.
  @discardableResult
  mutating func promote(_ slot: EmitterSlot, isNew: Bool = true) -> Bool {
    guard let sound = sounds[Int(emitters[slot].sound)].loaded else { return false }
    // A source that has the sound already needs no other buffer.
    guard let voice = voices.freeVoice(holding: sound.buffer.map { ObjectIdentifier($0) }) else { return false }
    if isNew { placeForReturn(slot) }
    let isScheduled = emitters[slot].began > now
    let (values, feeds, began) = (voiceValues(of: slot), feeds(of: slot), emitters[slot].began)
    // The sound begins with the listener where it is now.
    if time.openUpdates == 0, let listener = space.listeners.takeChange() {
      outbox.append(.listener(listener))
    }
    let place = emitters[slot].clock.place(at: now)
    let plan = LoopPlan(
      emitters[slot].clock,
      at: now,
      sampleRate: sound.sampleRate,
      isStream: sound.stream != nil
    )
    let start = VoiceStart(
      sound: sound,
      values: values,
      sends: sends(of: slot, with: feeds),
      place: plan.copies > 1 ? emitters[slot].clock.position(at: now) : place,
      isLooping: plan.isLooping,
      copies: plan.copies,
      moment: isScheduled ? time(ofFrames: began) : nil
    )
    let now = now
    modify(slot) { ($0.voice, $0.switched) = (voice, now) }
    voices.begin(voice, start, for: slot, feeds: feeds, channelCount: channelCount(of: slot), &outbox.commands)
    if sound.stream == nil { soundBegins(slot, isNew: isNew) }
    return true
  }

  /// Sets the clock of an emitter that returns, by its virtual behavior.
  private mutating func placeForReturn(_ slot: EmitterSlot) {
    let isFirst = !emitters[slot].hasSounded
    let isYoung = now - emitters[slot].began <= frames(ofMilliseconds: Self.startGrace)
    switch emitters[slot].behavior {
    case _ where emitters[slot].keepsPosition: emitters.store(slot) { $0.keepsPosition = false }
    case .elapsedTime, .stop:
      // A sound that waited for its first voice keeps its attack.
      if isFirst, isYoung, !emitters[slot].isPlayer, emitters[slot].began < now,
        let sound = sounds[Int(emitters[slot].sound)].loaded
      {
        let (place, now) = (startFrame(of: slot, in: sound), now)
        modify(slot) { $0.clock.seek(to: place, at: now) }
      }
    case .fromBeginning where !isFirst:
      postLaps(of: slot)
      let now = now
      modify(slot) {
        $0.clock.seek(to: 0, at: now)
        $0.laps = 0
      }
    case .fromBeginning: break
    case .resume: break
    }
    let shift = currentShift(of: slot)
    emitters.store(slot) { $0.shift = shift }
    let (step, now) = (step(of: slot), now)
    modify(slot) { $0.clock.setStep(step, at: max(now, $0.began)) }
  }

  /// The milliseconds within which the first voice begins at the start of the sound.
  static let startGrace = 50

  /// The source of an emitter begins to play.
  mutating func soundBegins(_ slot: EmitterSlot, isNew: Bool = true) {
    emitters.store(slot) { $0.hasSounded = true }
    guard isNew else { return }
    selector.countPromoted()
    post(.becameReal, of: slot)
  }

  /// Takes a voice from an emitter that plays on without it.
  mutating func demote(_ slot: EmitterSlot, isStolen: Bool) {
    if isStolen { selector.countStolen() }
    if emitters[slot].behavior == .stop { return end(slot, .stolen) }
    leaveVoice(slot, adopts: !time.mixesByFrames)
  }

  /// Takes a voice from an emitter; `adopts` corrects its clock by the position that the source had.
  mutating func leaveVoice(_ slot: EmitterSlot, adopts: Bool) {
    endSecondVoices(slot)
    guard let voice = emitters[slot].voice else { return }
    let isSounding = voices.isSounding(voice)
    let isAdopting = adopts && isSounding && !voices[voice].isStream
    standWithoutVoice(slot)
    // The source and the clock have the same position only until the program moves the emitter.
    if isAdopting { outbox.append(.adopt(voice, emitters.id(of: slot), emitters[slot].clock)) }
    giveUp(voice, .fades)
    let now = now
    emitters.store(slot) { $0.switched = now }
    if isSounding { post(.becameVirtual, of: slot) }
  }

  /// Makes an emitter virtual; its clock may stand.
  private mutating func standWithoutVoice(_ slot: EmitterSlot) {
    let now = now
    modify(slot) {
      $0.voice = nil
      if $0.behavior.stands { $0.clock.setStep(0, at: now) }
    }
  }

  /// Lets another voice go on at the present position, while the old voice fades out.
  ///
  /// With no spare voice, and until a stream is open, the emitter is virtual.
  mutating func changeVoice(of slot: EmitterSlot) {
    giveUpVoice(slot, .fades)
    let hasVoice = promote(slot, isNew: false)
    if !hasVoice { standWithoutVoice(slot) }
    if !isHeard(slot) { post(.becameVirtual, of: slot) }
  }

  /// Returns the voice of an emitter to the pool, as soon as it is silent.
  mutating func giveUpVoice(_ slot: EmitterSlot, _ silencing: Voice.Silencing) {
    guard let voice = emitters[slot].voice else { return }
    modify(slot) { $0.voice = nil }
    giveUp(voice, silencing)
  }

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUp(_ voice: VoiceIndex, _ silencing: Voice.Silencing) {
    voices.giveUp(voice, silencing, at: now, &outbox.commands)
  }

  /// Stops the voices that are silent, and frees those that were stopped.
  mutating func collectVoices() {
    for voice in voices.indices {
      let late = voices.collect(voice, at: now, sampleRate: time.physics.sampleRate, &outbox.commands)
      if let late { catchUp(late) }
    }
  }

  /// The frames after which a player pauses: a tick where it ends a mix, two mixes of a usual output elsewhere.
  var fadingFrames: Int { time.mixesByFrames ? AudioWorld.tick : 4 * AudioWorld.tick }

  /// A source has stopped by itself.
  mutating func voiceEnded(_ key: VoiceKey) {
    if let slot = voices[key]?.slot, voices.isSounding(key.voice) {
      if emitters[slot].isPlayer { return playerRanOut(key) }
      // A stream that did not know its length, or whose reader failed.
      end(slot, .played)
    }
    voices.freeDrained(key, &outbox.commands)
  }

  /// A stream is open: returns its beginning as of now; `nil` if its emitter has given up the voice.
  mutating func streamOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard voices.isOpening(key), let slot = voices[key.voice].slot else { return nil }
    if emitters[slot].isPlayer { return playerVoiceOpened(start, key) }
    var start = start
    // The listener may have moved, or have gone, while the stream was being opened.
    updatePath(of: slot)
    let begin = max(
      time.mixesByFrames ? now : now + frames(ofMilliseconds: Self.streamLead),
      emitters[slot].began
    )
    start.values = voiceValues(of: slot)
    let feeds = feeds(of: slot)
    voices.setFeeds(feeds, of: key.voice)
    start.sends = sends(of: slot, with: feeds)
    start.place = emitters[slot].clock.place(at: begin)
    start.isLooping = LoopPlan(emitters[slot].clock, at: begin, sampleRate: 0, isStream: true).isLooping
    start.moment = begin > now ? time(ofFrames: begin) : nil
    voices.beginStream(key.voice, start)
    soundBegins(slot)
    return start
  }

  /// The milliseconds ahead of the start of a stream on an output.
  static let streamLead = 60

  /// A stream could not be opened.
  mutating func streamFailed(_ key: VoiceKey, _ reason: any Error) {
    // An emitter that has given up the voice meanwhile left it without a slot.
    let slot = voices[key]?.slot
    if let slot, playlist(of: slot)?.replacementReader?.voice == key {
      outbox.report(.soundNotOpenedAgain("\(reason)"))
    } else if let slot, emitters[slot].sound >= 0,
      let content = sounds[Int(emitters[slot].sound)].content
    {
      report(.failure(reason), of: content, sounds.keys(of: sounds[Int(emitters[slot].sound)].loadKey))
    } else {
      outbox.report(.soundUnavailable("\(reason)"))
    }
    guard let slot, voices.isOpening(key) else { return }
    if emitters[slot].isPlayer { return playerVoiceFailed(key) }
    end(slot, .failed)
  }

  /// Corrects the clock of a virtual emitter by the position that its source had.
  mutating func adopt(place: Double, at frame: Int, of id: Emitter.ID, withClock clock: LogicalClock) {
    guard emitters.has(id), emitters[id.slot].status == .playing, emitters[id.slot].voice == nil else {
      return
    }
    guard emitters[id.slot].clock == clock else { return }
    // A voice that was reserved for a later start stood at the beginning.
    guard emitters[id.slot].began <= frame else { return }
    modify(id.slot) { $0.clock.adopt(place: place, at: frame) }
  }

  /// The values of a source for an emitter, as of now.
  ///
  /// The voices of a player may have different numbers of channels.
  func voiceValues(of slot: EmitterSlot, channelCount: Int? = nil) -> VoiceValues {
    let record = emitters[slot]
    var values = VoiceValues()
    let bus = emitters.bus(of: slot)
    var gain = record.gain * emitters.drawn(slot).gain * record.fade * record.copyGain * mixer.buses[bus].totals.gain
    values.gain = min(gain, 16)
    values.pitch = pitch(of: slot)
    values.isPlaced = record.isPlaced
    values.filter = mixer.buses[bus].totals.filter
    values.busSendsVersion = mixer.buses[bus].totals.sendsVersion
    values.sendingBus = values.busSendsVersion > 0 ? bus : nil
    let emitter = emitters.placed(slot)
    let path = space.path(of: emitter)
    (values.occlusion, values.obstruction) = emitters[rare: slot].occlusion(on: path)
    if record.hasRareSettings {
      let rare = emitters[rare: slot]
      values.direction = rare.direction
      values.cone = rare.cone
      values.radius = rare.radius
      values.sendsVersion = rare.sendsVersion
    }
    if case .player(let player) = record.occupant {
      players.applyPan(of: player, to: &values, channelCount: channelCount ?? self.channelCount(of: slot))
    }
    // Channels that go to the loudspeakers as they are have no angles.
    values.isDirect = mixer.buses[bus].isDirect && values.angles == StereoAngles()
    guard let emitter else {
      values.radius = 0
      let isMono = !record.isPlayer && sounds[Int(record.sound)].loaded?.channelCount == 1
      if isMono, players.hasTwoLoudspeakers { values.gain = min(gain * PanLaw.middleGain, 16) }
      values.moveToFirst(of: space.listeners, from: record.listener)
      return values
    }
    values.position = path?.place ?? emitter.position
    values.velocity = path?.turned(record.velocity) ?? record.velocity
    values.direction = path?.turned(values.direction) ?? values.direction
    values.law = sounds[Int(record.sound)].law
    let silentBeyond = emitters.reach(of: slot)
    let hasCurve = sounds[Int(record.sound)].key.curve != nil
    if hasCurve || silentBeyond < .infinity {
      let way = values.position - space.listeners[record.listener].position
      let distance = (way * way).sum().squareRoot()
      gain *= Audibility.reach(at: distance, of: silentBeyond)
      if hasCurve { gain *= sounds[Int(record.sound)].curveGain(at: distance) }
      values.gain = min(gain, 16)
    }
    values.moveToFirst(of: space.listeners, from: record.listener)
    return values
  }
}
