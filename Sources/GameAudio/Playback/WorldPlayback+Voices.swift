internal import PCM
internal import Spatial3D

// The voices that emitters get and lose.

extension WorldPlayback {
  /// Stores the number of underruns of a stream that sounds.
  mutating func noteUnderruns(_ count: Int, of key: VoiceKey) {
    guard voices.noteUnderruns(count, of: key, at: now), let slot = voices[key.voice].slot else { return }
    changePlaylist(of: slot) { $0.earliestReader = 0 }
  }

  /// Ends the difference between a stream and its clock, after a second without an underrun.
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
      voices.endDelay(of: key.voice)
      outbox.append(.adoptStream(key.voice, key))
    }
  }

  /// Corrects the clock of a stream by its playback position.
  mutating func adoptStream(place: Double, at frame: Int, _ key: VoiceKey) {
    guard voices.isInUse(key), voices.isSounding(key.voice), let slot = voices[key.voice].slot else { return }
    guard scene.emitters[slot].status == .playing, scene.emitters[slot].began <= frame else { return }
    scene.modify(slot) { $0.clock.adoptDelay(place: place, at: frame) }
  }

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
    let (values, feeds, began) = (scene.voiceValues(of: slot), scene.feeds(of: slot), scene.emitters[slot].began)
    // The sound begins with the listener where it is now.
    if scene.time.openUpdates == 0, let listener = scene.space.listeners.takeChange() {
      outbox.append(.listener(listener))
    }
    let place = scene.emitters[slot].clock.place(at: now)
    let plan = LoopPlan(
      scene.emitters[slot].clock,
      at: now,
      sampleRate: sound.sampleRate,
      isStream: sound.stream != nil
    )
    let start = VoiceStart(
      sound: sound,
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
    if sound.stream == nil { soundBegins(slot, isNew: isNew) }
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
    for voice in voices.indices {
      let late = voices.collect(voice, at: now, sampleRate: scene.time.physics.sampleRate, &outbox.commands)
      if let late { catchUp(late) }
    }
  }

  /// Whether a source of the emitter is audible.
  func isHeard(_ slot: EmitterSlot) -> Bool { voices.isSounding(scene.emitters[slot].voice) }
}
