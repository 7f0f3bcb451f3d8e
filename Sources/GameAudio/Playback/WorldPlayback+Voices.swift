internal import PCM
internal import Spatial3D

// The voices that emitters get and lose, and the streams of voices.

extension WorldPlayback {
  /// Gives an emitter a voice that is free, if it is loud enough to be chosen and another has not to give one up.
  mutating func takeFreeVoice(_ slot: EmitterSlot) {
    guard !scene.emitters[slot].isLimited, !voices.isFull else { return }
    scene.updateListener(of: slot)
    scene.updatePath(of: slot)
    guard scene.audibility(of: slot).audible >= Audibility.threshold else { return }
    if scene.needsStreamPlace(slot), voices.areStreamsFull { return }
    promote(slot)
  }

  /// Gives an emitter a voice of the pool; returns `false` where none is free.
  @discardableResult
  mutating func promote(_ slot: EmitterSlot, isNew: Bool = true) -> Bool {
    guard let sound = scene.sounds[scene.emitters[slot].sound].loaded else { return false }
    // A source that has the sound already needs no other buffer.
    guard let voice = voices.freeVoice(holding: sound.buffer.map { ObjectIdentifier($0) }) else { return false }
    if isNew {
      if scene.beginsAgain(onReturnOf: slot) { postLaps(of: slot) }
      scene.setClockForReturn(of: slot)
    }
    let isScheduled = scene.emitters[slot].began > now
    // Samples are in the stem that they were loaded for; a stream is opened in any.
    let stem = sound.isStream ? scene.stem(of: slot) : scene.sounds[scene.emitters[slot].sound].loadKey.stem
    let (feeds, began) = (scene.feeds(of: slot), scene.emitters[slot].began)
    let values = scene.voiceValues(of: slot, in: stem)
    // The sound begins with the listener where it is now.
    if scene.time.openUpdates == 0, let listener = scene.space.listeners.takeChange() {
      outbox.append(.listener(listener))
    }
    let place = scene.emitters[slot].clock.place(at: now)
    let plan = LoopPlan(
      scene.emitters[slot].clock,
      at: now,
      sampleRate: sound.sampleRate,
      isStream: sound.isStream
    )
    let start = VoiceStart(
      sound: sound,
      stem: stem,
      values: values,
      sends: scene.sends(of: slot, with: feeds),
      place: plan.copies > 1 ? scene.emitters[slot].clock.position(at: now) : place,
      isLooping: plan.isLooping,
      copies: plan.copies,
      moment: isScheduled ? scene.time(ofFrames: began) : nil
    )
    let now = now
    scene.modify(slot) { ($0.voice, $0.switched) = (voice, now) }
    voices.begin(voice, start, for: slot, feeds: feeds, channelCount: scene.channelCount(of: slot), &outbox.commands)
    if !sound.isStream { soundBegins(slot, isNew: isNew) }
    return true
  }

  /// The source of an emitter begins to play.
  mutating func soundBegins(_ slot: EmitterSlot, isNew: Bool = true) {
    scene.emitters.store(slot) { $0.hasSounded = true }
    guard isNew else { return }
    voices.countPromoted()
    post(.becameReal, of: slot)
  }

  /// Takes a voice from an emitter that plays on without it.
  mutating func demote(_ slot: EmitterSlot, isStolen: Bool) {
    if isStolen { voices.countStolen() }
    if scene.emitters[slot].behavior == .stop { return end(slot, .stolen) }
    leaveVoice(slot, adopts: !scene.time.mixesByFrames)
  }

  /// Takes a voice from an emitter; `adopts` corrects its clock by the position that the source had.
  mutating func leaveVoice(_ slot: EmitterSlot, adopts: Bool) {
    giveUpVoices([.upcoming, .reader, .timeline], of: slot)
    changePlaylist(of: slot) { $0.removePrevious() }
    guard let voice = scene.emitters[slot].voice else { return }
    let isSounding = voices.isSounding(voice)
    let isAdopting = adopts && isSounding && !voices[voice].isStream
    scene.standWithoutVoice(slot)
    // The source and the clock have the same position only until the program moves the emitter.
    if isAdopting { outbox.append(.adopt(voice, scene.emitters.id(of: slot), scene.emitters[slot].clock)) }
    giveUp(voice, .fades)
    let now = now
    scene.emitters.store(slot) { $0.switched = now }
    if isSounding { post(.becameVirtual, of: slot) }
  }

  /// Lets another voice go on at the present position, while the old voice fades out.
  ///
  /// With no spare voice, and until a stream is open, the emitter is virtual.
  mutating func changeVoice(of slot: EmitterSlot) {
    giveUpVoice(slot, .fades)
    let hasVoice = promote(slot, isNew: false)
    if !hasVoice { scene.standWithoutVoice(slot) }
    if !isHeard(slot) { post(.becameVirtual, of: slot) }
  }

  /// Returns the voice of an emitter to the pool, as soon as it is silent.
  mutating func giveUpVoice(_ slot: EmitterSlot, _ silencing: Voice.Silencing) {
    guard let voice = scene.emitters[slot].voice else { return }
    scene.modify(slot) { $0.voice = nil }
    giveUp(voice, silencing)
  }

  /// Returns a voice to the pool, as soon as it is silent.
  mutating func giveUp(_ voice: VoiceIndex, _ silencing: Voice.Silencing) {
    voices.giveUp(voice, silencing, at: now, &outbox.commands)
  }

  /// Stops the voices that are silent, and frees those that were stopped.
  mutating func collectVoices() {
    for voice in voices.indices where voices[voice].needsCollection(revives: voices.revives) {
      let late = voices.collect(voice, at: now, sampleRate: scene.time.physics.sampleRate, &outbox.commands)
      if let late { catchUp(late) }
    }
  }

  /// Whether a source of the emitter is audible.
  func isHeard(_ slot: EmitterSlot) -> Bool { voices.isSounding(scene.emitters[slot].voice) }
}

// MARK: - Streams that are opened, that fail or end

extension WorldPlayback {
  /// The beginning of a player's voice whose stream is open.
  private mutating func playerVoiceOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard let slot = voices[key.voice].slot, let playlist = scene.playlist(of: slot) else { return nil }
    let isImmediate = scene.time.mixesByFrames || start.sound.stream?.isInMemory == true
    let earliest = isImmediate ? now : now + scene.frames(ofMilliseconds: VoiceStart.streamLead)
    var start = start
    let channelCount = voices[key.voice].channelCount
    start.values = scene.voiceValues(of: slot, channelCount: channelCount, in: start.stem)
    start.sends = scene.sends(of: slot)
    switch voices[key.voice].role {
    case .prepared:
      start.isHeld = true
      start.place = Double(scene.playerPosition(of: slot))
      voices.prepare(key.voice, start.values)
      finishWaiting(slot)
      return start
    case .plain:
      let begin = max(earliest, scene.emitters[slot].began)
      _ = waitForReader(slot, until: begin)
      start.place = scene.emitters[slot].clock.place(at: begin)
      start.moment = begin > now ? scene.time(ofFrames: begin) : nil
    case .standby:
      let lead = playlist.replacementReader?.voice == key ? Playlist.readerLead : VoiceStart.streamLead
      let begin = max(
        scene.time.waitsForReaders ? now : now + scene.frames(ofMilliseconds: lead),
        scene.emitters[slot].began
      )
      start.place = scene.emitters[slot].clock.place(at: begin)
      start.moment = begin > now ? scene.time(ofFrames: begin) : nil
      start.values.gain = 0
      voices.setBegin(begin, of: key.voice)
    case .upcoming:
      let begin = max(voices[key.voice].begin, voices[key.voice].begin >= now ? now : earliest)
      let rate = playlist.upcoming?.timeline.format.sampleRate ?? 0
      let step = scene.time.physics.step.frames(
        pitch: scene.pitch(of: slot),
        soundRate: rate,
        mixRate: scene.time.physics.sampleRate
      )
      start.place = Double(begin - voices[key.voice].begin) * step
      start.moment = begin > now ? scene.time(ofFrames: begin) : nil
    }
    if let replacement = playlist.replacementReader, replacement.voice == key {
      if let fault = playlist.fault(of: replacement, at: Int(start.place)) {
        refuseReader(of: slot, fault)
        return nil
      }
    } else if playlist.isEnd(Int(start.place), ofUpcoming: voices[key.voice].role == .upcoming) {
      // A source at the end of its stream would begin again.
      giveUp(key.voice, .cuts)
      // The weight stays at zero: a choice would open the stream again, at its end.
      if scene.emitters[slot].voice == key.voice { scene.emitters.store(slot) { $0.voice = nil } }
      return nil
    }
    voices.beginStream(key.voice, start)
    if voices[key.voice].role == .plain { soundBegins(slot, isNew: false) }
    return start
  }

  /// The stream of a player's voice could not be opened.
  private mutating func playerVoiceFailed(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot else { return }
    let isMain = scene.emitters[slot].voice == key.voice
    if isMain, scene.emitters[slot].status == .idle || scene.emitters[slot].status == .paused {
      giveUpVoice(slot, .cuts)
      return finishWaiting(slot)
    }
    if isMain { return end(slot, .failed) }
    giveUp(key.voice, .cuts)
    changePlaylist(of: slot) { $0.removeFailedVoice(key) }
  }

  /// The source of a player has stopped by itself.
  private mutating func playerRanOut(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot else { return }
    guard scene.emitters[slot].voice == key.voice else {
      // The next sound ended before its player had switched to it.
      giveUp(key.voice, .drains)
      return voices.freeDrained(key, &outbox.commands)
    }
    scene.updateLength(of: slot)
    // A stream on an output may be a little ahead of the clock.
    if let end = scene.emitters[slot].clock.end, end > now {
      let now = now
      scene.modify(slot) { $0.clock.seek(to: .infinity, at: now) }
    }
    endTimeline(slot)
    voices.freeDrained(key, &outbox.commands)
  }

  /// Corrects the clock of a paused player by the position of its source.
  mutating func correctPausedClock(_ frame: Int, of key: VoiceKey) {
    guard voices.isInUse(key), voices[key.voice].state == .resting else { return }
    guard let slot = voices[key.voice].slot, scene.emitters[slot].status == .paused else { return }
    voices.setDelay(of: key.voice, since: nil)
    let now = now
    scene.modify(slot) { $0.clock.seek(to: Double(frame), at: now) }
  }

  /// A source has stopped by itself.
  mutating func voiceEnded(_ key: VoiceKey) {
    if let slot = voices[key]?.slot, voices.isSounding(key.voice) {
      if scene.emitters[slot].isPlayer { return playerRanOut(key) }
      // A stream that did not know its length, or whose reader failed.
      end(slot, .played)
    }
    voices.freeDrained(key, &outbox.commands)
  }

  /// A stream is open: returns its beginning as of now; `nil` if its emitter has given up the voice.
  mutating func streamOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard voices.isOpening(key), let slot = voices[key.voice].slot else { return nil }
    if scene.emitters[slot].isPlayer { return playerVoiceOpened(start, key) }
    var start = start
    // The listener may have moved, or have gone, while the stream was being opened.
    scene.updatePath(of: slot)
    let begin = max(
      scene.time.mixesByFrames ? now : now + scene.frames(ofMilliseconds: VoiceStart.streamLead),
      scene.emitters[slot].began
    )
    start.values = scene.voiceValues(of: slot, in: start.stem)
    let feeds = scene.feeds(of: slot)
    voices.setFeeds(feeds, of: key.voice)
    start.sends = scene.sends(of: slot, with: feeds)
    start.place = scene.emitters[slot].clock.place(at: begin)
    start.isLooping = LoopPlan(scene.emitters[slot].clock, at: begin, sampleRate: 0, isStream: true).isLooping
    start.moment = begin > now ? scene.time(ofFrames: begin) : nil
    voices.beginStream(key.voice, start)
    soundBegins(slot)
    return start
  }

  /// A stream could not be opened.
  mutating func streamFailed(_ key: VoiceKey, _ reason: any Error) {
    // An emitter that has given up the voice meanwhile left it without a slot.
    let slot = voices[key]?.slot
    if let slot, scene.playlist(of: slot)?.replacementReader?.voice == key {
      outbox.report(.soundNotOpenedAgain("\(reason)"))
    } else if let slot, let content = scene.sounds[scene.emitters[slot].sound].reportedContent {
      let keys = scene.sounds.keys(of: scene.sounds[scene.emitters[slot].sound].loadKey)
      outbox.report(.failure(reason), of: content, keys, in: &scene.sounds, at: scene.time.sampleRate)
    } else {
      outbox.report(.soundUnavailable("\(reason)"))
    }
    guard let slot, voices.isOpening(key) else { return }
    if scene.emitters[slot].isPlayer { return playerVoiceFailed(key) }
    end(slot, .failed)
  }
}

// MARK: - Late sources

extension WorldPlayback {
  /// Stores the number of underruns of a stream that sounds.
  mutating func noteUnderruns(_ count: Int, of key: VoiceKey) {
    guard voices.noteUnderruns(count, of: key, at: now), let slot = voices[key.voice].slot else { return }
    changePlaylist(of: slot) { $0.earliestReader = 0 }
  }

  /// Ends the difference between a source and its clock, a second after the beginning or the last underrun.
  ///
  /// Another voice of a player goes on at the clock: players that began together are in phase again. Without a voice
  /// that is in time, the clock takes over the position of the source. The clock of an emitter does so at once: a new
  /// stream would leave a gap.
  mutating func catchUp(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot, voices[key.voice].role == .plain,
      scene.emitters[slot].status == .playing
    else {
      return
    }
    if let earliest = scene.playlist(of: slot)?.earliestReader, earliest <= now {
      // The player stays late until another voice is free.
      if canReplaceReader(of: slot) { replaceReader(of: slot) }
    } else {
      voices.setDelay(of: key.voice, since: nil)
      outbox.append(.adoptDelay(key.voice, key))
    }
  }

  /// Corrects the clock of a source that may be late by its playback position.
  mutating func adoptDelay(place: Double, at frame: Int, _ key: VoiceKey) {
    guard voices.isInUse(key), voices.isSounding(key.voice), let slot = voices[key.voice].slot else { return }
    guard scene.emitters[slot].status == .playing, scene.emitters[slot].began <= frame else { return }
    let isStream = voices[key.voice].isStream
    scene.modify(slot) {
      // A stream may be late by more than a lap.
      if isStream { $0.clock.adoptDelay(place: place, at: frame) } else { $0.clock.adopt(place: place, at: frame) }
    }
  }
}
