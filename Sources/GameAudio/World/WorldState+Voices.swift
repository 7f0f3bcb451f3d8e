internal import PCM
internal import Spatial3D

// The voices of the pool, and the emitters that get and lose them.

extension WorldState {
  /// The method by which a voice falls silent.
  enum Silencing: Sendable { case fades, cuts, drains }

  /// Gives an emitter a voice that is free, if it is loud enough to be chosen and another has not to give one up.
  mutating func takeFreeVoice(_ slot: EmitterSlot) {
    guard !emitters[slot].isHeld, voices.voices.count(where: \.isTaken) < voices.limit else { return }
    updateListener(of: slot)
    updatePath(of: slot)
    guard audibility(of: slot).audible >= Audibility.threshold else { return }
    if needsStreamPlace(slot), areStreamsFull { return }
    promote(slot)
  }

  /// Gives an emitter a voice of the pool; returns `false` where none is free.
  @discardableResult
  mutating func promote(_ slot: EmitterSlot, isNew: Bool = true) -> Bool {
    guard let sound = sounds[Int(emitters[slot].sound)].loaded else { return false }
    let id = sound.buffer.map { ObjectIdentifier($0) }
    // A source that holds the sound already needs no other buffer.
    var free: Int?
    for index in voices.voices.indices where voices.voices[index].state == .free {
      if voices.voices[index].sound == id {
        free = index
        break
      }
      free = free ?? index
    }
    guard let voice = free else { return false }
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
    voices.lastUse += 1
    voices.voices[voice].use = voices.lastUse
    voices.voices[voice].slot = slot
    voices.voices[voice].values = values
    voices.voices[voice].feeds = feeds
    voices.voices[voice].isLooping = plan.isLooping
    voices.voices[voice].sound = plan.copies > 1 ? nil : id
    voices.voices[voice].isStale = false
    voices.voices[voice].isStream = sound.stream != nil
    (voices.voices[voice].underrunCount, voices.voices[voice].lateSince) = (0, nil)
    voices.voices[voice].role = .plain
    voices.voices[voice].channelCount = channelCount(of: slot)
    let now = now
    modify(slot) { ($0.voice, $0.switched) = (Int32(voice), now) }
    if sound.stream != nil {
      voices.voices[voice].state = .opening
      outbox.append(.open(voice, start, VoiceKey(voice: voice, use: voices.lastUse)))
    } else {
      outbox.append(.start(voice, start))
      soundBegins(slot, voice, isNew: isNew)
    }
    return true
  }

  /// Sets the clock of an emitter that returns, by its virtual behavior.
  private mutating func placeForReturn(_ slot: EmitterSlot) {
    let isFirst = !emitters[slot].hasSounded
    let isYoung = now - emitters[slot].began <= frames(ofMilliseconds: Self.startGrace)
    switch emitters[slot].behavior {
    case _ where emitters[slot].keepsPlace: emitters.store(slot) { $0.keepsPlace = false }
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

  mutating func soundBegins(_ slot: EmitterSlot, _ voice: VoiceIndex, isNew: Bool = true) {
    voices.voices[voice].state = .sounding
    emitters.store(slot) { $0.hasSounded = true }
    guard isNew else { return }
    selector.statistics.promoted += 1
    post(.becameReal, of: slot)
  }

  /// Takes a voice from an emitter that plays on without it.
  mutating func demote(_ slot: EmitterSlot, isStolen: Bool) {
    if isStolen { selector.statistics.stolen += 1 }
    if emitters[slot].behavior == .stop { return end(slot, .stolen) }
    leaveVoice(slot, adopts: !time.mixesByFrames)
  }

  /// Takes a voice from an emitter; `adopts` corrects its clock by the position that the source had.
  mutating func leaveVoice(_ slot: EmitterSlot, adopts: Bool) {
    endSecondVoices(slot)
    let (isSounding, voice) = (isHeard(slot), Int(emitters[slot].voice))
    let isAdopting = adopts && isSounding && !voices.voices[voice].isStream
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
      $0.voice = -1
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

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUpVoice(_ slot: EmitterSlot, _ silencing: Silencing) {
    let voice = Int(emitters[slot].voice)
    modify(slot) { $0.voice = -1 }
    giveUp(voice, silencing)
  }

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUp(_ voice: VoiceIndex, _ silencing: Silencing) {
    voices.voices[voice].slot = -1
    if voices.voices[voice].state == .resting {
      outbox.append(.stop(voice))
      voices.voices[voice].state = .stopped(at: now)
      return
    }
    guard voices.voices[voice].state == .sounding else {
      // A stream that is being opened finds that its use is over.
      voices.voices[voice].use = 0
      voices.voices[voice].state = .free
      return
    }
    switch silencing {
    case .drains:
      if voices.voices[voice].isLooping { outbox.append(.setLooping(voice, false)) }
      voices.voices[voice].state = .draining
    case .cuts:
      outbox.append(.stop(voice))
      voices.voices[voice].state = .stopped(at: now)
    case .fades:
      voices.voices[voice].values.gain = 0
      outbox.append(.silence(voice))
      voices.voices[voice].state = time.mixesByFrames ? .fading(since: now, steps: 0) : .silencing
    }
  }

  /// Stops the voices that are silent, and frees those that were stopped.
  mutating func collectVoices() {
    for index in voices.voices.indices {
      let mayPlay = voices.voices[index].isTaken && voices.voices[index].state != .resting
      if voices.revives, mayPlay || voices.voices[index].state == .draining { outbox.append(.revive(index)) }
      switch voices.voices[index].state {
      case .fading(let since, let steps) where time.mixesByFrames ? now - since >= AudioWorld.tick : now > since:
        // An output may be inside of a mix when the gain is set: the next one is silent.
        if time.mixesByFrames || steps > 0 {
          outbox.append(.stop(index))
          voices.voices[index].state = .stopped(at: now)
        } else {
          voices.voices[index].state = .fading(since: now, steps: steps + 1)
        }
      case .stopped(let frame) where now > frame: free(index)
      case .draining: outbox.append(.poll(index, VoiceKey(voice: index, use: voices.voices[index].use)))
      case .sounding where voices.voices[index].isStream:
        let key = VoiceKey(voice: index, use: voices.voices[index].use)
        outbox.append(.poll(index, key))
        if let late = voices.voices[index].lateSince, now - late >= time.physics.sampleRate { catchUp(key) }
      default: break
      }
    }
  }

  private mutating func free(_ voice: VoiceIndex) {
    voices.voices[voice].state = .free
    if voices.voices[voice].isStale { empty(voice) }
  }

  /// Takes samples that a bank has released from the source of a voice that is free.
  mutating func empty(_ voice: VoiceIndex) {
    (voices.voices[voice].isStale, voices.voices[voice].sound) = (false, nil)
    outbox.append(.empty(voice))
  }

  /// The frames after which a player pauses: a tick where it ends a mix, two mixes of a usual output elsewhere.
  var fadingFrames: Int { time.mixesByFrames ? AudioWorld.tick : 4 * AudioWorld.tick }

  /// The gain of a voice was set to zero in a turn of carrying out commands.
  mutating func silenced(_ voice: VoiceIndex, in turn: Int) {
    if voices.voices[voice].state == .silencing { voices.voices[voice].state = .silenced(turn: turn) }
  }

  /// The mixer has the gains that were set in a turn: an output may have mixed seconds in a row before that.
  mutating func beginFades(of turn: Int, at frame: Int) {
    for index in voices.voices.indices where voices.voices[index].state == .silenced(turn: turn) {
      voices.voices[index].state = .fading(since: max(frame, now), steps: 0)
    }
  }

  /// A source has stopped by itself.
  mutating func voiceEnded(_ key: VoiceKey) {
    guard voices.voices[key.voice].use == key.use else { return }
    if voices.voices[key.voice].state == .draining {
      free(key.voice)
    } else if voices.voices[key.voice].state == .sounding, voices.voices[key.voice].slot >= 0 {
      if emitters[voices.voices[key.voice].slot].isPlayer { return playerRanOut(key) }
      // A stream that did not know its length, or whose reader failed.
      end(voices.voices[key.voice].slot, .played)
      freeEnded(key)
    }
  }

  /// Frees a voice whose source has stopped by itself: nothing drains there.
  mutating func freeEnded(_ key: VoiceKey) {
    guard voices.voices[key.voice].use == key.use, voices.voices[key.voice].state == .draining else { return }
    free(key.voice)
  }

  /// Whether the use of a voice waits for its stream.
  func isOpening(_ key: VoiceKey) -> Bool {
    voices.voices[key.voice].use == key.use && voices.voices[key.voice].state == .opening
  }

  /// A stream is open: returns its beginning as of now; `nil` if its emitter has given up the voice.
  mutating func streamOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard isOpening(key) else { return nil }
    let slot = voices.voices[key.voice].slot
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
    voices.voices[key.voice].feeds = feeds
    start.sends = sends(of: slot, with: feeds)
    start.place = emitters[slot].clock.place(at: begin)
    start.isLooping = LoopPlan(emitters[slot].clock, at: begin, sampleRate: 0, isStream: true).isLooping
    voices.voices[key.voice].isLooping = start.isLooping
    start.moment = begin > now ? time(ofFrames: begin) : nil
    voices.voices[key.voice].values = start.values
    soundBegins(slot, key.voice)
    return start
  }

  /// The milliseconds ahead of the start of a stream on an output.
  static let streamLead = 60

  /// A stream could not be opened.
  mutating func streamFailed(_ key: VoiceKey, _ reason: any Error) {
    // An emitter that has given up the voice meanwhile left it without a slot.
    let slot = voices.voices[key.voice].use == key.use ? voices.voices[key.voice].slot : -1
    let sound = slot < 0 ? -1 : Int(emitters[slot].sound)
    if slot >= 0, playlist(of: slot)?.replacementReader?.voice == key {
      outbox.report(.soundNotOpenedAgain("\(reason)"))
    } else if sound >= 0, let content = sounds[sound].content {
      report(.failure(reason), of: content, sounds.keys(of: sounds[sound].loadKey))
    } else {
      outbox.report(.soundUnavailable("\(reason)"))
    }
    guard slot >= 0, voices.voices[key.voice].state == .opening else { return }
    if emitters[slot].isPlayer { return playerVoiceFailed(key) }
    end(slot, .failed)
  }

  /// Corrects the clock of a virtual emitter by the position that its source had.
  mutating func adopt(place: Double, at frame: Int, of id: Emitter.ID, withClock clock: LogicalClock) {
    guard emitters.has(id), emitters[Int(id.slot)].status == .playing, emitters[Int(id.slot)].voice < 0 else {
      return
    }
    guard emitters[Int(id.slot)].clock == clock else { return }
    // A voice that was reserved for a later start stood at the beginning.
    guard emitters[Int(id.slot)].began <= frame else { return }
    modify(Int(id.slot)) { $0.clock.adopt(place: place, at: frame) }
  }

  /// The values of a source for an emitter, as of now.
  ///
  /// The voices of a player may have different numbers of channels.
  func voiceValues(of slot: EmitterSlot, channelCount: Int? = nil) -> VoiceValues {
    let record = emitters[slot]
    var values = VoiceValues()
    let bus = emitters.bus(of: slot)
    var gain = record.gain * emitters.drawn(slot).gain * record.fade * record.crowd * mixer.buses[bus].totals.gain
    values.gain = min(gain, 16)
    values.pitch = pitch(of: slot)
    values.isPlaced = record.isPlaced
    values.filter = mixer.buses[bus].totals.filter
    values.busSendsVersion = mixer.buses[bus].totals.sendsVersion
    values.sendingBus = values.busSendsVersion > 0 ? bus : nil
    (values.occlusion, values.obstruction) = occlusion(of: slot)
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
    guard record.isPlaced else {
      values.radius = 0
      let isMono = !record.isPlayer && sounds[Int(record.sound)].loaded?.channelCount == 1
      if isMono, players.hasTwoLoudspeakers { values.gain = min(gain * PanLaw.middleGain, 16) }
      moveToFirst(&values, of: slot)
      return values
    }
    values.position = audiblePosition(of: slot)
    values.velocity = audibleVector(record.velocity, of: slot)
    values.direction = audibleVector(values.direction, of: slot)
    values.law = sounds[Int(record.sound)].law
    let silentBeyond = emitters.columns.reach[slot]
    let hasCurve = sounds[Int(record.sound)].key.curve != nil
    if hasCurve || silentBeyond < .infinity {
      let way = values.position - listener(of: slot).position
      let distance = (way * way).sum().squareRoot()
      gain *= Audibility.reach(at: distance, of: silentBeyond)
      if hasCurve { gain *= sounds[Int(record.sound)].curveGain(at: distance) }
      values.gain = min(gain, 16)
    }
    moveToFirst(&values, of: slot)
    return values
  }
}
