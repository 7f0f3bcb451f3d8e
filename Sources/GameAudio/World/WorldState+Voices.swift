internal import PCM
internal import Spatial3D

// The voices of the pool, and the emitters that get and lose them.

extension WorldState {
  /// The way in which a voice falls silent.
  enum Silencing: Sendable { case fades, cuts, drains }

  /// Gives an emitter a voice that is free, if it is loud enough to be chosen and another has not to give one up.
  mutating func takeFreeVoice(_ slot: Int) {
    guard !records[slot].isHeld, voices.count(where: \.isTaken) < voiceLimit else { return }
    guard audibility(of: slot).audible >= Audibility.threshold else { return }
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
    let values = voiceValues(of: slot)
    let place = records[slot].clock.place(at: now)
    let plan = LoopPlan(records[slot].clock, at: now, sampleRate: sound.sampleRate, isStream: sound.stream != nil)
    let start = VoiceStart(
      sound: sound,
      values: values,
      sends: rare(slot, \.sends),
      place: plan.copies > 1 ? records[slot].clock.position(at: now) : place,
      isLooping: plan.isLooping,
      copies: plan.copies,
      moment: isScheduled ? time(ofFrames: records[slot].began) : nil
    )
    lastUse += 1
    voices[voice].use = lastUse
    voices[voice].slot = slot
    voices[voice].values = values
    voices[voice].isLooping = plan.isLooping
    voices[voice].sound = plan.copies > 1 ? nil : id
    voices[voice].isStream = sound.stream != nil
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
    case .elapsedTime, .stop:
      // A sound that waited for its first voice keeps its attack.
      if isFirst, isYoung, records[slot].began < now, let sound = sounds[Int(records[slot].sound)].loaded {
        records[slot].clock.seek(to: startFrame(of: slot, in: sound), at: now)
      }
    case .fromBeginning where !isFirst: records[slot].clock.seek(to: 0, at: now)
    case .fromBeginning: break
    case .resume: break
    }
    records[slot].shift = currentShift(of: slot)
    records[slot].clock.setStep(step(of: slot), at: max(now, records[slot].began))
  }

  /// The milliseconds within which the first voice begins at the start of the sound.
  static let startGrace = 50

  private mutating func soundBegins(_ slot: Int, _ voice: Int, isNew: Bool = true) {
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

  /// Takes a voice from an emitter; `adopts` corrects its clock by the place that the source had.
  mutating func leaveVoice(_ slot: Int, adopts: Bool) {
    let isSounding = isHeard(slot)
    if adopts, isSounding, !voices[Int(records[slot].voice)].isStream {
      commands.append(.adopt(Int(records[slot].voice), id(of: slot)))
    }
    giveUpVoice(slot, .fades)
    records[slot].switched = now
    if records[slot].behavior.stands { records[slot].clock.setStep(0, at: now) }
    updateEnd(of: slot)
    updateWeight(of: slot)
    if isSounding { post(.becameVirtual, of: slot) }
  }

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUpVoice(_ slot: Int, _ silencing: Silencing) {
    let voice = Int(records[slot].voice)
    records[slot].voice = -1
    voices[voice].slot = -1
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
      commands.append(.set(voice, voices[voice].values, .gain))
      voices[voice].state = .fading(since: now)
    }
  }

  /// Stops the voices that are silent, and frees those that were stopped.
  mutating func collectVoices() {
    for index in voices.indices {
      if revivesVoices, voices[index].isTaken || voices[index].state == .draining { commands.append(.revive(index)) }
      switch voices[index].state {
      case .fading(let since) where now - since >= fadingFrames:
        commands.append(.stop(index))
        voices[index].state = .stopped(at: now)
      case .stopped(let frame) where now > frame: voices[index].state = .free
      case .draining: commands.append(.poll(index, VoiceKey(voice: index, use: voices[index].use)))
      case .sounding where voices[index].isStream:
        commands.append(.poll(index, VoiceKey(voice: index, use: voices[index].use)))
      default: break
      }
    }
  }

  /// The frames until a gain of zero is mixed: a tick where it ends a mix, two mixes of a usual output elsewhere.
  private var fadingFrames: Int { mixesByFrames ? AudioWorld.tick : 4 * AudioWorld.tick }

  /// A source has stopped by itself.
  mutating func voiceEnded(_ key: VoiceKey) {
    guard voices[key.voice].use == key.use else { return }
    if voices[key.voice].state == .draining {
      voices[key.voice].state = .free
    } else if voices[key.voice].state == .sounding, voices[key.voice].slot >= 0 {
      // A stream that did not know its length, or whose reader failed.
      end(voices[key.voice].slot, .played)
    }
  }

  /// A stream is open: returns its beginning as of now; `nil` if its emitter has given up the voice.
  mutating func streamOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard voices[key.voice].use == key.use, voices[key.voice].state == .opening else { return nil }
    let slot = voices[key.voice].slot
    var start = start
    let begin = max(mixesByFrames ? now : now + frames(ofMilliseconds: Self.streamLead), records[slot].began)
    start.values = voiceValues(of: slot)
    start.sends = rare(slot, \.sends)
    start.place = records[slot].clock.place(at: begin)
    start.moment = begin > now ? time(ofFrames: begin) : nil
    voices[key.voice].values = start.values
    soundBegins(slot, key.voice)
    return start
  }

  /// The milliseconds ahead of the start of a stream on an output.
  private static let streamLead = 60

  /// A stream could not be opened.
  mutating func streamFailed(_ key: VoiceKey) {
    guard voices[key.voice].use == key.use, voices[key.voice].state == .opening else { return }
    end(voices[key.voice].slot, .failed)
  }

  /// Corrects the clock of a virtual emitter by the place at which its source was.
  mutating func adopt(place: Double, at frame: Int, of id: Emitter.ID) {
    guard has(id), records[Int(id.slot)].status == .playing, records[Int(id.slot)].voice < 0 else { return }
    records[Int(id.slot)].clock.adopt(place: place, at: frame)
    updateEnd(of: Int(id.slot))
  }

  /// The values of a source for an emitter, as of now.
  func voiceValues(of slot: Int) -> VoiceValues {
    let record = records[slot]
    var values = VoiceValues()
    values.gain = min(record.gain * record.fade * record.crowd * buses[Int(record.bus)].totalGain, 16)
    values.pitch = pitch(of: slot)
    values.isPlaced = record.isPlaced
    if record.rare >= 0 {
      let rare = rare[Int(record.rare)]
      values.direction = rare.direction
      values.cone = rare.cone
      values.radius = rare.radius
      (values.occlusion, values.obstruction) = (rare.occlusion, rare.obstruction)
      values.sendsVersion = rare.sendsVersion
    }
    guard record.isPlaced else { return values }
    values.position = columns.position(of: slot)
    values.velocity = record.velocity
    values.law = sounds[Int(record.sound)].law
    let silentBeyond = columns.reach[slot]
    if silentBeyond < .infinity {
      let way = values.position - listener.position
      values.gain *= Audibility.reach(at: (way * way).sum().squareRoot(), of: silentBeyond)
    }
    return values
  }
}
