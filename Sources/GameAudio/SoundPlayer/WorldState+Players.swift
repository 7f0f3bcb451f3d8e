internal import PCM
internal import Spatial3D

// The players of a world, and the voices that play their timelines.

extension WorldState {
  /// Adds a player; returns the slot of its values.
  mutating func addPlayer(_ opened: OpenedSound, bus: BusIndex) -> Emitter.ID {
    let id = addSlot(isPlaced: false, bus: bus)
    let slot = id.slot
    let playlist = Playlist(opened, slot: slot, onTwoLoudspeakers: players.hasTwoLoudspeakers)
    let (use, key) = sounds.add(playlist.loaded, opened.format)
    emitters.setUse(use, of: slot)
    let player = players.add(playlist, key)
    setLaw(of: slot)
    modify(slot) { ($0.occupant, $0.priority) = (.player(player), .mustBeHeard) }
    return id
  }

  /// Reads the playlist of a slot.
  func playlist(of slot: EmitterSlot) -> Playlist? { emitters[slot].player.flatMap { players[$0].playlist } }

  /// Changes the playlist of a slot; the sounds that it discards go to the release queue.
  ///
  /// Reports a pan that has no effect on the sound that is the current one then.
  @discardableResult
  mutating func changePlaylist<Value>(of slot: EmitterSlot, _ body: (inout Playlist) -> Value) -> Value? {
    guard let player = emitters[slot].player else { return nil }
    let value = players[player].playlist?.change(body)
    if let sounds = players[player].playlist?.change({ $0.takeReleased() }) { outbox.release(sounds) }
    if let diagnostic = players[player].playlist?.reportPan() { outbox.report(diagnostic) }
    return value
  }

  /// Frees the player of a slot.
  ///
  /// The closures of its sounds may hold objects of the program, and go to the release queue.
  mutating func removePlayer(of slot: EmitterSlot) {
    guard let player = emitters[slot].player else { return }
    cancelSecondVoices(slot)
    if emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
    let record = players.remove(player)
    if let playlist = record.playlist { outbox.release(playlist) }
    outbox.announceEnd(of: emitters.id(of: slot), to: record.observers)
    outbox.announceEnd(of: emitters.id(of: slot), to: record.ends)
    outbox.resume(record.waiting)
    emitters.store(slot) { $0.occupant = .emitter }
  }

  /// Makes a loaded timeline the sound of a slot.
  mutating func load(_ loaded: LoadedSound, of slot: EmitterSlot) {
    guard let player = emitters[slot].player else { return }
    if let old = sounds[Int(emitters[slot].sound)].loaded { outbox.release(old) }
    _ = sounds.finish(players[player].key, loaded)
    updateWeight(of: slot)
  }

  /// Hands an event to the player's observers; an event that is deferred, at the next tick.
  mutating func post(_ event: PlayerEvent, ofPlayer slot: EmitterSlot, isDeferred: Bool = false) {
    guard let player = emitters[slot].player else { return }
    log.record(event, of: emitters[slot].generation)
    outbox.announce(event, of: emitters.id(of: slot), to: &players[player].observers, isDeferred: isDeferred)
  }

  /// Posts the end of a player to the tasks that wait for it, and as an event, unless a call has stopped the player.
  ///
  /// A player that waits for a sound goes on with the sound, also if a limit refuses a start meanwhile: its tasks wait
  /// on.
  mutating func postEnd(_ reason: EmitterEvent.Reason, ofPlayer slot: EmitterSlot, isDeferred: Bool) {
    guard let player = emitters[slot].player else { return }
    if players[player].playlist?.awaitsOpening != true {
      noteDeferred(reason, of: slot, isDeferred: isDeferred)
      outbox.announce(
        EmitterEvent.ended(reason),
        of: emitters.id(of: slot),
        to: &players[player].ends,
        isDeferred: isDeferred
      )
    }
    guard reason != .stopped else { return }
    post(.finished(successfully: reason == .played), ofPlayer: slot, isDeferred: isDeferred)
  }

  /// The number of channels of a player's sound; 0 for an emitter.
  func channelCount(of slot: EmitterSlot) -> Int { playlist(of: slot)?.timeline.format.channelCount ?? 0 }

  /// Whether a call finds the player in motion: its clock counts, and not the position of its playlist.
  func isRunning(_ slot: EmitterSlot) -> Bool {
    emitters[slot].isSounding || emitters[slot].status == .paused
  }

  /// The position on the timeline.
  func playerPosition(of slot: EmitterSlot) -> Int {
    guard let playlist = playlist(of: slot) else { return 0 }
    guard isRunning(slot) else { return playlist.position }
    return Int(min(emitters[slot].clock.position(at: now) + 1e-6, Double(Frames.last)))
  }

  /// Gives the clock the length of the present timeline, which may have changed.
  mutating func updateLength(of slot: EmitterSlot) {
    guard let playlist = playlist(of: slot) else { return }
    let length = playlist.timeline.read(\.length) ?? .max
    guard length != emitters[slot].clock.course.frameCount else { return }
    let now = now
    emitters.modify(slot) { $0.clock.setCourse(.init(frameCount: length), at: now) }
  }
}

// MARK: - Voices

extension WorldState {
  /// Gives a player its first voice, or another voice, if it is audible.
  ///
  /// When all voices are in use, the quietest emitter gives up its own to a player that must be heard.
  mutating func takePlayerVoice(_ slot: EmitterSlot) {
    guard !emitters[slot].isLimited, audibility(of: slot).audible >= Audibility.threshold, makeRoom(for: slot)
    else {
      return
    }
    promote(slot, isNew: false)
    let now = now
    emitters.store(slot) { $0.switched = now }
  }

  /// Whether a voice is free for a player; the quietest emitter may have to give up its own.
  mutating func makeRoom(for slot: EmitterSlot) -> Bool {
    guard voices.isFull else { return true }
    guard emitters[slot].priority == .mustBeHeard, voices.hasFree else {
      return false
    }
    var victim: (slot: EmitterSlot, score: Float)?
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let other = voices[index].slot, emitters[other].status == .playing, emitters[other].priority < .mustBeHeard
      else {
        continue
      }
      let score = audibility(of: other).audible * emitters[other].priority.factor
      if score < victim?.score ?? .infinity { victim = (other, score) }
    }
    guard let victim else { return false }
    demote(victim.slot, isStolen: true)
    return true
  }

  /// Opens a second voice for a player; `nil` where none is free.
  mutating func openVoice(
    _ slot: EmitterSlot,
    _ role: Voice.Role,
    _ loaded: LoadedSound,
    channelCount: Int,
    begin: Int = 0
  )
    -> VoiceKey?
  {
    guard voices.hasFree else { return nil }
    let values = voiceValues(of: slot, channelCount: channelCount)
    let start = VoiceStart(sound: loaded, values: values, sends: sends(of: slot), place: 0, isLooping: false)
    return voices.open(role, start, for: slot, channelCount: channelCount, at: begin, &outbox.commands)
  }

  /// Opens the stream of a player that does not play, so that it plays with the next mix.
  mutating func prepareVoice(_ slot: EmitterSlot) {
    guard emitters[slot].voice == nil, let playlist = playlist(of: slot), makeRoom(for: slot) else {
      return finishWaiting(slot)
    }
    let channelCount = playlist.timeline.format.channelCount
    guard let key = openVoice(slot, .prepared, playlist.loaded, channelCount: channelCount) else {
      return finishWaiting(slot)
    }
    modify(slot) { $0.voice = key.voice }
  }

  /// Lets the tasks go on that wait for the player to be prepared.
  mutating func finishWaiting(_ slot: EmitterSlot) {
    guard let player = emitters[slot].player else { return }
    outbox.resume(players[player].waiting)
    players[player].waiting = []
  }

  /// Plays the voice that a player holds.
  mutating func wake(_ slot: EmitterSlot) {
    guard let voice = emitters[slot].voice else { return }
    voices.becomePlain(voice)
    guard voices[voice].state == .resting else { return }
    let begin = emitters[slot].began
    voices.resume(
      voice,
      voiceValues(of: slot),
      sends: sends(of: slot),
      at: begin > now ? time(ofFrames: begin) : nil,
      &outbox.commands
    )
    let now = now
    emitters.store(slot) { $0.switched = now }
    soundBegins(slot, isNew: false)
  }

  /// The beginning of a player's voice whose stream is open.
  mutating func playerVoiceOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard let slot = voices[key.voice].slot, let playlist = playlist(of: slot) else { return nil }
    let isImmediate = time.mixesByFrames || start.sound.stream?.isInMemory == true
    let earliest = isImmediate ? now : now + frames(ofMilliseconds: Self.streamLead)
    var start = start
    let channelCount = voices[key.voice].channelCount
    start.values = voiceValues(of: slot, channelCount: channelCount)
    start.sends = sends(of: slot)
    switch voices[key.voice].role {
    case .prepared:
      start.isHeld = true
      start.place = Double(playerPosition(of: slot))
      voices.prepare(key.voice, start.values)
      finishWaiting(slot)
      return start
    case .plain:
      let begin = max(earliest, emitters[slot].began)
      if awaitsReader(slot), begin > emitters[slot].began { beginPlayer(slot, at: begin) }
      start.place = emitters[slot].clock.place(at: begin)
      start.moment = begin > now ? time(ofFrames: begin) : nil
    case .replacement:
      let lead = playlist.replacementReader?.voice == key ? Self.replacementLead : Self.streamLead
      let begin = max(mixWaits ? now : now + frames(ofMilliseconds: lead), emitters[slot].began)
      start.place = emitters[slot].clock.place(at: begin)
      start.moment = begin > now ? time(ofFrames: begin) : nil
      start.values.gain = 0
      voices.setBegin(begin, of: key.voice)
    case .upcoming:
      let begin = max(voices[key.voice].begin, voices[key.voice].begin >= now ? now : earliest)
      let rate = playlist.upcoming?.timeline.format.sampleRate ?? 0
      let step = time.physics.step.frames(pitch: pitch(of: slot), soundRate: rate, mixRate: time.physics.sampleRate)
      start.place = Double(begin - voices[key.voice].begin) * step
      start.moment = begin > now ? time(ofFrames: begin) : nil
    }
    if let replacement = playlist.replacementReader, replacement.voice == key {
      if refuseUnlike(replacement, of: slot, at: Int(start.place)) { return nil }
    } else if isEnd(of: playlist, key, at: Int(start.place)) {
      // A source at the end of its stream would begin again.
      giveUp(key.voice, .cuts)
      // The weight stays at zero: a choice would open the stream again, at its end.
      if emitters[slot].voice == key.voice { emitters.store(slot) { $0.voice = nil } }
      return nil
    }
    voices.beginStream(key.voice, start)
    if voices[key.voice].role == .plain { soundBegins(slot, isNew: false) }
    return start
  }

  /// Whether a voice has no frame left at a position.
  private func isEnd(of playlist: Playlist, _ key: VoiceKey, at position: Int) -> Bool {
    guard voices[key.voice].role == .upcoming else { return playlist.isEnd(position) }
    return playlist.upcoming?.timeline.read { $0.location(at: position) == nil } ?? true
  }

  /// The stream of a player's voice could not be opened.
  mutating func playerVoiceFailed(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot else { return }
    let isMain = emitters[slot].voice == key.voice
    if isMain, emitters[slot].status == .idle || emitters[slot].status == .paused {
      giveUpVoice(slot, .cuts)
      return finishWaiting(slot)
    }
    if isMain { return end(slot, .failed) }
    giveUp(key.voice, .cuts)
    changePlaylist(of: slot) { playlist in
      if playlist.replacementVoice == key { playlist.replacementVoice = nil }
      if playlist.upcoming?.voice == key { playlist.upcoming?.voice = nil }
    }
  }

  /// The source of a player has stopped by itself.
  mutating func playerRanOut(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot else { return }
    guard emitters[slot].voice == key.voice else {
      // The next sound ended before its player had switched to it.
      giveUp(key.voice, .drains)
      return voices.freeDrained(key, &outbox.commands)
    }
    updateLength(of: slot)
    // A stream on an output may be a little ahead of the clock.
    if let end = emitters[slot].clock.end, end > now {
      let now = now
      modify(slot) { $0.clock.seek(to: .infinity, at: now) }
    }
    endTimeline(slot)
    voices.freeDrained(key, &outbox.commands)
  }

  /// Corrects the clock of a paused player by the position of its source.
  mutating func correctPausedClock(_ frame: Int, of key: VoiceKey) {
    guard voices.isInUse(key), voices[key.voice].state == .resting else { return }
    guard let slot = voices[key.voice].slot, emitters[slot].status == .paused else { return }
    voices.endDelay(of: key.voice)
    let now = now
    modify(slot) { $0.clock.seek(to: Double(frame), at: now) }
  }
}
