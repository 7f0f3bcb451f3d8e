internal import PCM
internal import Spatial3D

// The voices of players: the present voice, and the voices that are to follow it.

extension WorldPlayback {
  /// Advances a player whose clock runs to the present frame of the mix.
  mutating func stepPlayer(_ slot: EmitterSlot) {
    if scene.emitters[slot].status == .pausing, let since = scene.playlist(of: slot)?.silentSince,
      now - since >= voices.fadingFrames
    {
      return completePlayerPause(of: slot, keepsVoice: true)
    }
    if waitForReader(slot, until: now) { return }
    scene.updateLength(of: slot)
    postProgress(of: slot)
    stepReplacement(slot)
    planUpcoming(slot)
  }

  /// Lets a player that waits for the reader of its first voice begin at a frame: it misses nothing of its sound.
  ///
  /// Returns `false` for a player that does not wait.
  mutating func waitForReader(_ slot: EmitterSlot, until frame: Int) -> Bool {
    let record = scene.emitters[slot]
    guard let voice = record.voice, voices[voice].state == .opening, voices[voice].role == .plain,
      !record.hasSounded, record.switched - record.began <= scene.frames(ofMilliseconds: WorldScene.startGrace),
      let playlist = scene.playlist(of: slot), !playlist.isScheduled
    else {
      return false
    }
    guard frame > record.began else { return true }
    scene.modify(slot) {
      $0.clock.seek(to: Double(playlist.position), at: frame)
      $0.began = frame
    }
    return true
  }

  // MARK: - Additional voices

  /// Gives up additional voices of a player.
  mutating func giveUpVoices(_ kinds: Playlist.AdditionalVoices, of slot: EmitterSlot) {
    let now = now
    let lost = changePlaylist(of: slot) { $0.removeVoices(kinds, at: now) } ?? []
    for voice in lost where voices.isInUse(voice.key) { giveUp(voice.key.voice, voice.isAudible ? .fades : .cuts) }
  }

  /// Gives up the additional voices of a player; a voice with its changed timeline takes over at once instead.
  mutating func keepOneVoice(_ slot: EmitterSlot) {
    giveUpVoices([.upcoming, .reader], of: slot)
    takeOver(slot)
  }

  /// Opens an additional voice of a player; `nil` where none is free.
  mutating func openVoice(
    _ slot: EmitterSlot,
    _ role: Voice.Role,
    _ loaded: LoadedSound,
    channelCount: Int,
    begin: Int = 0
  ) -> VoiceKey? {
    guard voices.hasFree else { return nil }
    let values = scene.voiceValues(of: slot, channelCount: channelCount)
    let start = VoiceStart(
      sound: loaded,
      stem: scene.stem(of: slot),
      values: values,
      sends: scene.sends(of: slot),
      place: 0,
      isLooping: false
    )
    return voices.open(role, start, for: slot, channelCount: channelCount, at: begin, &outbox.commands)
  }

  // MARK: - Replacements

  /// Lets another voice go on with the changed timeline, at the same position.
  ///
  /// The voice plays silently for a tick, and then the two change their gains in one mix: their sum stays. Until then
  /// the levels come from the old timeline, on which the position is larger by the offset.
  mutating func beginReplacement(_ slot: EmitterSlot, after old: SharedTimeline, offset: Int) {
    // The present voice goes on until the newest timeline has a voice of its own.
    giveUpVoices([.reader, .timeline], of: slot)
    loadTimeline(of: slot)
    scene.updateLength(of: slot)
    giveUpVoices(.upcoming, of: slot)
    guard let playlist = scene.playlist(of: slot) else { return }
    guard scene.emitters[slot].voice != nil else {
      changePlaylist(of: slot) { $0.removePrevious() }
      return
    }
    guard isHeard(slot), scene.emitters[slot].status != .pausing, scene.emitters[slot].began <= now else {
      return replaceTimeline(slot, scene.playerPosition(of: slot))
    }
    let key = openVoice(slot, .standby, playlist.loaded, channelCount: playlist.timeline.format.channelCount)
    guard let key else {
      giveUpVoice(slot, .fades)
      changePlaylist(of: slot) { $0.removePrevious() }
      return takePlayerVoice(slot)
    }
    changePlaylist(of: slot) { $0.beginReplacement(by: key, after: old, offset: offset) }
  }

  /// Whether another voice can go on with the present timeline.
  func canReplaceReader(of slot: EmitterSlot) -> Bool {
    guard voices.hasFree, scene.emitters[slot].status == .playing, isHeard(slot), scene.emitters[slot].began <= now,
      let playlist = scene.playlist(of: slot)
    else {
      return false
    }
    let frames = scene.time.framesForReader(step: scene.emitters[slot].clock.step)
    let position = scene.playerPosition(of: slot)
    return playlist.mayReplaceReader(at: now, position: position, needing: frames)
  }

  /// Opens another voice for the present timeline.
  mutating func replaceReader(of slot: EmitterSlot) {
    guard let playlist = scene.playlist(of: slot) else { return }
    let (timeline, loaded) = playlist.copiedTimeline()
    guard let key = openVoice(slot, .standby, loaded, channelCount: timeline.format.channelCount) else { return }
    let reader = Playlist.ReplacementReader(timeline: timeline, loaded: loaded, voice: key)
    changePlaylist(of: slot) { $0.replacement = .reader(reader) }
  }

  /// Lets a replacement take over that has played silently for a tick, or reads its position for that.
  private mutating func stepReplacement(_ slot: EmitterSlot) {
    guard let playlist = scene.playlist(of: slot), let key = playlist.replacement?.voice else { return }
    let voice = voices[key.voice]
    let isMixed = voice.state == .sounding && now - voice.begin >= MixTime.tick
    switch playlist.replacementStep(isTaken: voices.isTaken(key), isMixed: isMixed) {
    case .wait: break
    case .takeOver: takeOver(slot)
    case .compare(let key): outbox.append(.checkReplacement(key))
    case .refuse: refuseReader(of: slot, .failed([]))
    }
  }

  /// Lets a voice with another reader take over, if its position is the position of the clock.
  ///
  /// A start inside of a sound is up to a mix late on an output that cannot delay starts.
  mutating func settleReplacement(position: Double?, at frame: Int, framesPerMix: Int, _ key: VoiceKey) {
    guard let slot = voices[key]?.slot, voices[key.voice].state == .sounding,
      let playlist = scene.playlist(of: slot), let reader = playlist.replacementReader, reader.voice == key
    else {
      return
    }
    let delay =
      scene.frames(ofMilliseconds: Playlist.largestDelay) + (scene.time.startsExactly ? 0 : framesPerMix)
    if let fault = playlist.fault(of: reader, at: scene.playerPosition(of: slot)) {
      refuseReader(of: slot, fault)
    } else if Playlist.isLate(position, behind: scene.emitters[slot].clock, at: frame, allowing: delay) {
      refuseReader(of: slot, .late)
    } else {
      takeOver(slot)
    }
  }

  /// Gives up another reader that cannot replace the present reader.
  mutating func refuseReader(of slot: EmitterSlot, _ fault: Playlist.ReaderFault) {
    if case .failed(let sentences) = fault {
      for sentence in sentences { outbox.report(.soundNotOpenedAgain(sentence)) }
    }
    giveUpVoices(.reader, of: slot)
    let (now, rate) = (now, scene.time.physics.sampleRate)
    changePlaylist(of: slot) { $0.delayReader(after: fault, at: now, sampleRate: rate) }
  }

  /// Fades the present voice of a player out, and gives its replacement the values of the player.
  mutating func takeOver(_ slot: EmitterSlot) {
    guard let replacement = changePlaylist(of: slot, { $0.finishReplacement() }) ?? nil else { return }
    if case .reader = replacement {
      loadTimeline(of: slot)
      scene.updateLength(of: slot)
    }
    if scene.emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
    let key = replacement.voice
    guard voices.isTaken(key) else {
      return takePlayerVoice(slot)
    }
    scene.modify(slot) { $0.voice = key.voice }
    voices.becomePlain(key.voice)
    guard voices.isSounding(key.voice) else { return }
    // The player may have changed since the last tick, in which the voice was silent.
    let values = scene.voiceValues(of: slot, in: voices[key.voice].stem)
    let changes = values.changes(from: voices[key.voice].values)
    voices.set(key.voice, values, changes, &outbox.commands)
    if changes.contains(.sends) { outbox.append(.setSends(key.voice, scene.sends(of: slot))) }
  }

  // MARK: - The present voice

  /// Gives a player its first voice, or another voice, if it is audible and begins soon.
  ///
  /// When all voices are in use, the quietest emitter gives up its own to a player that must be heard.
  mutating func takePlayerVoice(_ slot: EmitterSlot) {
    guard scene.emitters[slot].began - now <= scene.frames(ofMilliseconds: WorldScene.reservation),
      !scene.emitters[slot].isLimited, scene.audibility(of: slot).audible >= Audibility.threshold,
      makeRoom(for: slot)
    else {
      return
    }
    promote(slot, isNew: false)
    let now = now
    scene.emitters.store(slot) { $0.switched = now }
  }

  /// Whether a voice is free for a player; the quietest emitter may have to give up its own.
  mutating func makeRoom(for slot: EmitterSlot) -> Bool {
    guard voices.isFull else { return true }
    guard scene.emitters[slot].priority == .mustBeHeard, voices.hasFree else {
      return false
    }
    var victim: (slot: EmitterSlot, score: Float)?
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let other = voices[index].slot, scene.emitters[other].status == .playing,
        scene.emitters[other].priority < .mustBeHeard
      else {
        continue
      }
      let score = scene.audibility(of: other).audible * scene.emitters[other].priority.factor
      if score < victim?.score ?? .infinity { victim = (other, score) }
    }
    guard let victim else { return false }
    demote(victim.slot, isStolen: true)
    return true
  }

  /// Opens the stream of a player that does not play, so that it plays with the next mix.
  mutating func prepareVoice(_ slot: EmitterSlot) {
    guard scene.emitters[slot].voice == nil, let playlist = scene.playlist(of: slot), makeRoom(for: slot) else {
      return finishWaiting(slot)
    }
    let channelCount = playlist.timeline.format.channelCount
    guard let key = openVoice(slot, .prepared, playlist.loaded, channelCount: channelCount) else {
      return finishWaiting(slot)
    }
    scene.modify(slot) { $0.voice = key.voice }
  }

  /// Lets the tasks go on that wait for the player to be prepared.
  mutating func finishWaiting(_ slot: EmitterSlot) {
    guard let player = scene.emitters[slot].player else { return }
    outbox.resume(scene.players[player].waiting)
    scene.players[player].waiting = []
  }

  /// Plays the voice of a player, which is prepared or paused.
  mutating func resumeVoice(_ slot: EmitterSlot) {
    guard let voice = scene.emitters[slot].voice else { return }
    voices.becomePlain(voice)
    guard voices[voice].state == .resting else { return }
    let begin = scene.emitters[slot].began
    voices.resume(
      voice,
      scene.voiceValues(of: slot, in: voices[voice].stem),
      sends: scene.sends(of: slot),
      at: begin > now ? scene.time(ofFrames: begin) : nil,
      &outbox.commands
    )
    let now = now
    scene.emitters.store(slot) { $0.switched = now }
    soundBegins(slot, isNew: false)
  }
}
