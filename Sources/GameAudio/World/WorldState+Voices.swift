internal import PCM
internal import Spatial3D

// The voices of the pool, and the emitters that get and lose them.

extension WorldState {
  /// The method by which a voice falls silent.
  enum Silencing: Sendable { case fades, cuts, drains }

  /// Gives an emitter a voice that is free, if it is loud enough to be chosen and another has not to give one up.
  mutating func takeFreeVoice(_ slot: Int) {
    guard !records[slot].isHeld, voices.count(where: \.isTaken) < voiceLimit else { return }
    updateOwner(of: slot)
    updatePath(of: slot)
    guard audibility(of: slot).audible >= Audibility.threshold else { return }
    if needsStreamPlace(slot), areStreamsFull { return }
    promote(slot)
  }

  /// Gives an emitter a voice of the pool; returns `false` where none is free.
  @discardableResult
  mutating func promote(_ slot: Int, isNew: Bool = true) -> Bool {
    guard let sound = sounds[Int(records[slot].sound)].loaded else { return false }
    let id = sound.buffer.map { ObjectIdentifier($0) }
    // A source that holds the sound already needs no other buffer.
    var free: Int?
    for index in voices.indices where voices[index].state == .free {
      if voices[index].sound == id {
        free = index
        break
      }
      free = free ?? index
    }
    guard let voice = free else { return false }
    if isNew { placeForReturn(slot) }
    let isScheduled = records[slot].began > now
    let (values, feeds, began) = (voiceValues(of: slot), feeds(of: slot), records[slot].began)
    if isListenerChanged, openUpdates == 0 {
      // The sound begins with the listener where it is now.
      isListenerChanged = false
      commands.append(.listener(renderedListener))
    }
    let place = records[slot].clock.place(at: now)
    let plan = LoopPlan(records[slot].clock, at: now, sampleRate: sound.sampleRate, isStream: sound.stream != nil)
    let start = VoiceStart(
      sound: sound,
      values: values,
      sends: sends(of: slot, with: feeds),
      place: plan.copies > 1 ? records[slot].clock.position(at: now) : place,
      isLooping: plan.isLooping,
      copies: plan.copies,
      moment: isScheduled ? time(ofFrames: began) : nil
    )
    lastUse += 1
    voices[voice].use = lastUse
    voices[voice].slot = slot
    voices[voice].values = values
    voices[voice].feeds = feeds
    voices[voice].isLooping = plan.isLooping
    voices[voice].sound = plan.copies > 1 ? nil : id
    voices[voice].isStale = false
    voices[voice].isStream = sound.stream != nil
    (voices[voice].underrunCount, voices[voice].lateSince) = (0, nil)
    voices[voice].role = .plain
    voices[voice].channelCount = channelCount(of: slot)
    records[slot].voice = Int32(voice)
    records[slot].switched = now
    updateWeight(of: slot)
    updateEnd(of: slot)
    if sound.stream != nil {
      voices[voice].state = .opening
      commands.append(.open(voice, start, VoiceKey(voice: voice, use: lastUse)))
    } else {
      commands.append(.start(voice, start))
      soundBegins(slot, voice, isNew: isNew)
    }
    return true
  }

  /// Sets the clock of an emitter that returns, by its virtual behavior.
  private mutating func placeForReturn(_ slot: Int) {
    let isFirst = !records[slot].hasSounded
    let isYoung = now - records[slot].began <= frames(ofMilliseconds: Self.startGrace)
    switch records[slot].behavior {
    case _ where records[slot].keepsPlace: records[slot].keepsPlace = false
    case .elapsedTime, .stop:
      // A sound that waited for its first voice keeps its attack.
      if isFirst, isYoung, records[slot].deck < 0, records[slot].began < now,
        let sound = sounds[Int(records[slot].sound)].loaded
      {
        records[slot].clock.seek(to: startFrame(of: slot, in: sound), at: now)
      }
    case .fromBeginning where !isFirst:
      postLaps(of: slot)
      records[slot].clock.seek(to: 0, at: now)
      records[slot].laps = 0
    case .fromBeginning: break
    case .resume: break
    }
    records[slot].shift = currentShift(of: slot)
    records[slot].clock.setStep(step(of: slot), at: max(now, records[slot].began))
  }

  /// The milliseconds within which the first voice begins at the start of the sound.
  static let startGrace = 50

  mutating func soundBegins(_ slot: Int, _ voice: Int, isNew: Bool = true) {
    voices[voice].state = .sounding
    records[slot].hasSounded = true
    guard isNew else { return }
    statistics.promoted += 1
    post(.becameReal, of: slot)
  }

  /// Takes a voice from an emitter that plays on without it.
  mutating func demote(_ slot: Int, isStolen: Bool) {
    if isStolen { statistics.stolen += 1 }
    if records[slot].behavior == .stop { return end(slot, .stolen) }
    leaveVoice(slot, adopts: !mixesByFrames)
  }

  /// Takes a voice from an emitter; `adopts` corrects its clock by the position that the source had.
  mutating func leaveVoice(_ slot: Int, adopts: Bool) {
    endSecondVoices(slot)
    let (isSounding, voice) = (isHeard(slot), Int(records[slot].voice))
    let isAdopting = adopts && isSounding && !voices[voice].isStream
    records[slot].voice = -1
    standWithoutVoice(slot)
    // The source and the clock have the same position only until the program moves the emitter.
    if isAdopting { commands.append(.adopt(voice, id(of: slot), records[slot].clock)) }
    giveUp(voice, .fades)
    records[slot].switched = now
    if isSounding { post(.becameVirtual, of: slot) }
  }

  /// Applies the loss of a voice to the clock and to the columns.
  private mutating func standWithoutVoice(_ slot: Int) {
    if records[slot].behavior.stands { records[slot].clock.setStep(0, at: now) }
    updateEnd(of: slot)
    updateWeight(of: slot)
  }

  /// Lets another voice go on at the present position, while the old voice fades out.
  ///
  /// With no spare voice, and until a stream is open, the emitter is virtual.
  mutating func changeVoice(of slot: Int) {
    giveUpVoice(slot, .fades)
    let hasVoice = promote(slot, isNew: false)
    if !hasVoice { standWithoutVoice(slot) }
    if !isHeard(slot) { post(.becameVirtual, of: slot) }
  }

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUpVoice(_ slot: Int, _ silencing: Silencing) {
    let voice = Int(records[slot].voice)
    records[slot].voice = -1
    giveUp(voice, silencing)
  }

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUp(_ voice: Int, _ silencing: Silencing) {
    voices[voice].slot = -1
    if voices[voice].state == .resting {
      commands.append(.stop(voice))
      voices[voice].state = .stopped(at: now)
      return
    }
    guard voices[voice].state == .sounding else {
      // A stream that is being opened finds that its use is over.
      voices[voice].use = 0
      voices[voice].state = .free
      return
    }
    switch silencing {
    case .drains:
      if voices[voice].isLooping { commands.append(.setLooping(voice, false)) }
      voices[voice].state = .draining
    case .cuts:
      commands.append(.stop(voice))
      voices[voice].state = .stopped(at: now)
    case .fades:
      voices[voice].values.gain = 0
      commands.append(.silence(voice))
      voices[voice].state = mixesByFrames ? .fading(since: now, steps: 0) : .silencing
    }
  }

  /// Stops the voices that are silent, and frees those that were stopped.
  mutating func collectVoices() {
    for index in voices.indices {
      let mayPlay = voices[index].isTaken && voices[index].state != .resting
      if revivesVoices, mayPlay || voices[index].state == .draining { commands.append(.revive(index)) }
      switch voices[index].state {
      case .fading(let since, let steps) where mixesByFrames ? now - since >= AudioWorld.tick : now > since:
        // An output may be inside of a mix when the gain is set: the next one is silent.
        if mixesByFrames || steps > 0 {
          commands.append(.stop(index))
          voices[index].state = .stopped(at: now)
        } else {
          voices[index].state = .fading(since: now, steps: steps + 1)
        }
      case .stopped(let frame) where now > frame: free(index)
      case .draining: commands.append(.poll(index, VoiceKey(voice: index, use: voices[index].use)))
      case .sounding where voices[index].isStream:
        let key = VoiceKey(voice: index, use: voices[index].use)
        commands.append(.poll(index, key))
        if let late = voices[index].lateSince, now - late >= physics.sampleRate { catchUp(key) }
      default: break
      }
    }
  }

  private mutating func free(_ voice: Int) {
    voices[voice].state = .free
    if voices[voice].isStale { empty(voice) }
  }

  /// Takes samples that a bank has released from the source of a voice that is free.
  mutating func empty(_ voice: Int) {
    (voices[voice].isStale, voices[voice].sound) = (false, nil)
    commands.append(.empty(voice))
  }

  /// The frames after which a player pauses: a tick where it ends a mix, two mixes of a usual output elsewhere.
  var fadingFrames: Int { mixesByFrames ? AudioWorld.tick : 4 * AudioWorld.tick }

  /// The gain of a voice was set to zero in a turn of carrying out commands.
  mutating func silenced(_ voice: Int, in turn: Int) {
    if voices[voice].state == .silencing { voices[voice].state = .silenced(turn: turn) }
  }

  /// The mixer has the gains that were set in a turn: an output may have mixed seconds in a row before that.
  mutating func beginFades(of turn: Int, at frame: Int) {
    for index in voices.indices where voices[index].state == .silenced(turn: turn) {
      voices[index].state = .fading(since: max(frame, now), steps: 0)
    }
  }

  /// A source has stopped by itself.
  mutating func voiceEnded(_ key: VoiceKey) {
    guard voices[key.voice].use == key.use else { return }
    if voices[key.voice].state == .draining {
      free(key.voice)
    } else if voices[key.voice].state == .sounding, voices[key.voice].slot >= 0 {
      if records[voices[key.voice].slot].deck >= 0 { return deckRanOut(key) }
      // A stream that did not know its length, or whose reader failed.
      end(voices[key.voice].slot, .played)
      freeEnded(key)
    }
  }

  /// Frees a voice whose source has stopped by itself: nothing drains there.
  mutating func freeEnded(_ key: VoiceKey) {
    guard voices[key.voice].use == key.use, voices[key.voice].state == .draining else { return }
    free(key.voice)
  }

  /// Whether the use of a voice waits for its stream.
  func isOpening(_ key: VoiceKey) -> Bool { voices[key.voice].use == key.use && voices[key.voice].state == .opening }

  /// A stream is open: returns its beginning as of now; `nil` if its emitter has given up the voice.
  mutating func streamOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard isOpening(key) else { return nil }
    let slot = voices[key.voice].slot
    if records[slot].deck >= 0 { return deckVoiceOpened(start, key) }
    var start = start
    // The listener may have moved, or have gone, while the stream was being opened.
    updatePath(of: slot)
    let begin = max(mixesByFrames ? now : now + frames(ofMilliseconds: Self.streamLead), records[slot].began)
    start.values = voiceValues(of: slot)
    let feeds = feeds(of: slot)
    voices[key.voice].feeds = feeds
    start.sends = sends(of: slot, with: feeds)
    start.place = records[slot].clock.place(at: begin)
    start.isLooping = LoopPlan(records[slot].clock, at: begin, sampleRate: 0, isStream: true).isLooping
    voices[key.voice].isLooping = start.isLooping
    start.moment = begin > now ? time(ofFrames: begin) : nil
    voices[key.voice].values = start.values
    soundBegins(slot, key.voice)
    return start
  }

  /// The milliseconds ahead of the start of a stream on an output.
  static let streamLead = 60

  /// A stream could not be opened.
  mutating func streamFailed(_ key: VoiceKey, _ reason: any Error) {
    // An emitter that has given up the voice meanwhile left it without a slot.
    let slot = voices[key.voice].use == key.use ? voices[key.voice].slot : -1
    let sound = slot < 0 ? -1 : Int(records[slot].sound)
    if slot >= 0, deck(of: slot)?.replacement?.voice == key {
      diagnostics.append(.soundNotOpenedAgain("\(reason)"))
    } else if sound >= 0, let content = sounds[sound].content {
      report(.failure(reason), of: content, sounds.keys(of: sounds[sound].loadKey))
    } else {
      diagnostics.append(.soundUnavailable("\(reason)"))
    }
    guard slot >= 0, voices[key.voice].state == .opening else { return }
    if records[slot].deck >= 0 { return deckVoiceFailed(key) }
    end(slot, .failed)
  }

  /// Corrects the clock of a virtual emitter by the position that its source had.
  mutating func adopt(place: Double, at frame: Int, of id: Emitter.ID, withClock clock: LogicalClock) {
    guard has(id), records[Int(id.slot)].status == .playing, records[Int(id.slot)].voice < 0 else { return }
    guard records[Int(id.slot)].clock == clock else { return }
    // A voice that was reserved for a later start stood at the beginning.
    guard records[Int(id.slot)].began <= frame else { return }
    records[Int(id.slot)].clock.adopt(place: place, at: frame)
    updateEnd(of: Int(id.slot))
  }

  /// The values of a source for an emitter, as of now.
  ///
  /// The voices of a player may have different numbers of channels.
  func voiceValues(of slot: Int, channelCount: Int? = nil) -> VoiceValues {
    let record = records[slot]
    var values = VoiceValues()
    let bus = bus(of: slot)
    var gain = record.gain * drawn(slot).gain * record.fade * record.crowd * buses[bus].totals.gain
    values.gain = min(gain, 16)
    values.pitch = pitch(of: slot)
    values.isPlaced = record.isPlaced
    values.filter = buses[bus].totals.filter
    values.busSendsVersion = buses[bus].totals.sendsVersion
    values.sendingBus = values.busSendsVersion > 0 ? bus : -1
    (values.occlusion, values.obstruction) = muffling(of: slot)
    if record.rare >= 0 {
      let rare = rare[Int(record.rare)]
      values.direction = rare.direction
      values.cone = rare.cone
      values.radius = rare.radius
      values.sendsVersion = rare.sendsVersion
    }
    if record.deck >= 0 { applyPan(to: &values, Int(record.deck), channelCount ?? self.channelCount(of: slot)) }
    // Channels that go to the loudspeakers as they are have no angles.
    values.isDirect = buses[bus].isDirect && values.angles == StereoAngles()
    guard record.isPlaced else {
      values.radius = 0
      let isMono = record.deck < 0 && sounds[Int(record.sound)].loaded?.channelCount == 1
      if isMono, hasTwoLoudspeakers { values.gain = min(gain * PanLaw.middleGain, 16) }
      moveToFirst(&values, of: slot)
      return values
    }
    values.position = audiblePlace(of: slot)
    values.velocity = audibleVector(record.velocity, of: slot)
    values.direction = audibleVector(values.direction, of: slot)
    values.law = sounds[Int(record.sound)].law
    let silentBeyond = columns.reach[slot]
    let hasCurve = sounds[Int(record.sound)].key.curve != nil
    if hasCurve || silentBeyond < .infinity {
      let way = values.position - ear(of: slot).position
      let distance = (way * way).sum().squareRoot()
      gain *= Audibility.reach(at: distance, of: silentBeyond)
      if hasCurve { gain *= sounds[Int(record.sound)].curveGain(at: distance) }
      values.gain = min(gain, 16)
    }
    moveToFirst(&values, of: slot)
    return values
  }
}
