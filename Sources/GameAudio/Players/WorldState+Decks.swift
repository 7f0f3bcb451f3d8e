internal import PCM
internal import Spatial3D

// The players of a world, and the voices that play their timelines.

extension WorldState {
  /// Adds a player; returns the slot of its values.
  mutating func addDeck(_ track: Track, bus: Int) -> Emitter.ID {
    let id = add(Sound(PCMBuffer(format: track.format)), isPlaced: false, bus: bus)
    // The player has loaded its sound itself.
    let key = jobs.removeLast().key
    let slot = Int(id.slot)
    let deck = Deck(track, slot: slot, onTwoLoudspeakers: hasTwoLoudspeakers)
    let index = decks.firstIndex { $0.deck == nil } ?? decks.count
    let record = DeckRecord(deck: deck, key: key)
    if index == decks.count { decks.append(record) } else { decks[index] = record }
    records[slot].deck = Int32(index)
    records[slot].priority = .mustBeHeard
    load(deck.loaded, of: slot)
    return id
  }

  /// Reads the `Deck` of a slot.
  func deck(of slot: Int) -> Deck? { records[slot].deck < 0 ? nil : decks[Int(records[slot].deck)].deck }

  /// Changes the `Deck` of a slot; the sounds that it discards go to the release queue.
  ///
  /// Reports a pan that has no effect on the sound that is the current one then.
  @discardableResult
  mutating func changeDeck<Value>(of slot: Int, _ body: (inout Deck) -> Value) -> Value? {
    guard records[slot].deck >= 0 else { return nil }
    let index = Int(records[slot].deck)
    let value = decks[index].deck?.change(body)
    if let tracks = decks[index].deck?.change({ $0.takeGarbage() }) { sounds.garbage.append(tracks) }
    if let diagnostic = decks[index].deck?.reportPan() { diagnostics.append(diagnostic) }
    return value
  }

  /// Frees the `Deck` of a slot.
  ///
  /// The closures of its tracks may hold objects of the program, and go to the release queue.
  mutating func removeDeck(of slot: Int) {
    guard records[slot].deck >= 0 else { return }
    let index = Int(records[slot].deck)
    cancelSecondVoices(slot)
    if records[slot].voice >= 0 { giveUpVoice(slot, .fades) }
    if let deck = decks[index].deck { sounds.garbage.append(deck) }
    announcements.appendEnd(of: id(of: slot), to: decks[index].observers)
    announcements.appendEnd(of: id(of: slot), to: decks[index].ends)
    prepared += decks[index].waiting
    decks[index].deck = nil
    (decks[index].observers, decks[index].ends, decks[index].waiting) = (Observers(), Observers(), [])
    records[slot].deck = -1
  }

  /// Makes a loaded timeline the sound of a slot.
  mutating func load(_ loaded: LoadedSound, of slot: Int) {
    if let old = sounds[Int(records[slot].sound)].loaded { sounds.garbage.append(old) }
    _ = sounds.finish(decks[Int(records[slot].deck)].key, loaded)
    updateWeight(of: slot)
  }

  /// Hands an event to the player's observers; an event that is deferred, at the next tick.
  mutating func post(_ event: PlayerEvent, ofDeck slot: Int, isDeferred: Bool = false) {
    noteEvent(event, of: slot)
    let index = Int(records[slot].deck)
    announcements.append(event, of: id(of: slot), to: &decks[index].observers, isDeferred: isDeferred)
  }

  /// Posts the end of a player to the tasks that wait for it, and as an event, unless a call has stopped the player.
  ///
  /// A player that waits for a sound goes on with the sound, also if a limit refuses a start meanwhile: its tasks wait
  /// on.
  mutating func postEnd(_ reason: EmitterEvent.Reason, ofDeck slot: Int, isDeferred: Bool) {
    let index = Int(records[slot].deck)
    if deck(of: slot)?.awaitsOpening != true {
      noteDeferred(reason, of: slot, isDeferred: isDeferred)
      announcements.append(EmitterEvent.ended(reason), of: id(of: slot), to: &decks[index].ends, isDeferred: isDeferred)
    }
    guard reason != .stopped else { return }
    post(.finished(successfully: reason == .played), ofDeck: slot, isDeferred: isDeferred)
  }

  /// The number of channels of a player's sound; 0 for an emitter.
  func channelCount(of slot: Int) -> Int { deck(of: slot)?.feed.format.channelCount ?? 0 }

  /// Whether a call finds the player in motion: its clock counts, and not the position of its `Deck`.
  func isRunning(_ slot: Int) -> Bool { records[slot].isSounding || records[slot].status == .paused }

  /// The position on the timeline.
  func deckPosition(of slot: Int) -> Int {
    guard let deck = deck(of: slot) else { return 0 }
    guard isRunning(slot) else { return deck.position }
    return Int(min(records[slot].clock.position(at: now) + 1e-6, Double(Frames.last)))
  }

  /// Gives the clock the length of the present timeline, which may have changed.
  mutating func adoptLength(of slot: Int) {
    guard let deck = deck(of: slot) else { return }
    let length = deck.feed.read(\.length) ?? .max
    guard length != records[slot].clock.course.frameCount else { return }
    records[slot].clock.setCourse(.init(frameCount: length), at: now)
    updateEnd(of: slot)
  }
}

// MARK: - Voices

extension WorldState {
  /// Gives a player its first voice, or another voice, if it is audible.
  ///
  /// When all voices are in use, the quietest emitter gives up its own to a player that must be heard.
  mutating func takeDeckVoice(_ slot: Int) {
    guard !records[slot].isHeld, audibility(of: slot).audible >= Audibility.threshold, makeRoom(for: slot) else {
      return
    }
    promote(slot, isNew: false)
    records[slot].switched = now
  }

  /// Whether a voice is free for a player; the quietest emitter may have to give up its own.
  mutating func makeRoom(for slot: Int) -> Bool {
    guard voices.count(where: \.isTaken) >= voiceLimit else { return true }
    guard records[slot].priority == .mustBeHeard, voices.contains(where: { $0.state == .free }) else { return false }
    var victim: (slot: Int, score: Float)?
    for index in voices.indices where voices[index].state == .sounding && voices[index].role == .plain {
      let other = voices[index].slot
      guard records[other].status == .playing, records[other].priority < .mustBeHeard else { continue }
      let score = audibility(of: other).audible * records[other].priority.factor
      if score < victim?.score ?? .infinity { victim = (other, score) }
    }
    guard let victim else { return false }
    demote(victim.slot, isStolen: true)
    return true
  }

  /// Opens a second voice for a player; `nil` where none is free.
  mutating func openVoice(_ slot: Int, _ role: Voice.Role, _ loaded: LoadedSound, channelCount: Int, begin: Int = 0)
    -> VoiceKey?
  {
    guard let voice = voices.firstIndex(where: { $0.state == .free }) else { return nil }
    lastUse += 1
    let values = voiceValues(of: slot, channelCount: channelCount)
    voices[voice] = Voice(
      state: .opening,
      slot: slot,
      use: lastUse,
      values: values,
      isLooping: false,
      sound: voices[voice].sound,
      isStream: true,
      role: role,
      channelCount: channelCount,
      begin: begin
    )
    let key = VoiceKey(voice: voice, use: lastUse)
    let sends = sends(of: slot)
    commands.append(
      .open(voice, VoiceStart(sound: loaded, values: values, sends: sends, place: 0, isLooping: false), key)
    )
    return key
  }

  /// Opens the stream of a player that does not play, so that it plays with the next mix.
  mutating func holdVoice(_ slot: Int) {
    guard records[slot].voice < 0, let deck = deck(of: slot), makeRoom(for: slot) else { return finishWaiting(slot) }
    let channelCount = deck.feed.format.channelCount
    guard let key = openVoice(slot, .held, deck.loaded, channelCount: channelCount) else { return finishWaiting(slot) }
    records[slot].voice = Int32(key.voice)
  }

  /// Lets the tasks go on that wait for the player to be prepared.
  mutating func finishWaiting(_ slot: Int) {
    guard records[slot].deck >= 0 else { return }
    let index = Int(records[slot].deck)
    prepared += decks[index].waiting
    decks[index].waiting = []
  }

  /// Plays the voice that a player holds.
  mutating func wake(_ slot: Int) {
    let voice = Int(records[slot].voice)
    voices[voice].role = .plain
    guard voices[voice].state == .resting else { return }
    let values = voiceValues(of: slot)
    voices[voice].values = values
    commands.append(.set(voice, values, .all))
    commands.append(.setSends(voice, sends(of: slot)))
    let begin = records[slot].began
    commands.append(.play(voice, begin > now ? time(ofFrames: begin) : nil))
    records[slot].switched = now
    soundBegins(slot, voice, isNew: false)
  }

  /// The beginning of a player's voice whose stream is open.
  mutating func deckVoiceOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    let slot = voices[key.voice].slot
    guard let deck = deck(of: slot) else { return nil }
    let isImmediate = mixesByFrames || start.sound.stream?.isInMemory == true
    let earliest = isImmediate ? now : now + frames(ofMilliseconds: Self.streamLead)
    var start = start
    let channelCount = voices[key.voice].channelCount
    start.values = voiceValues(of: slot, channelCount: channelCount)
    start.sends = sends(of: slot)
    switch voices[key.voice].role {
    case .held:
      voices[key.voice].state = .resting
      start.isHeld = true
      start.place = Double(deckPosition(of: slot))
      voices[key.voice].values = start.values
      finishWaiting(slot)
      return start
    case .plain:
      let begin = max(earliest, records[slot].began)
      if awaitsReader(slot), begin > records[slot].began { beginDeck(slot, at: begin) }
      start.place = records[slot].clock.place(at: begin)
      start.moment = begin > now ? time(ofFrames: begin) : nil
    case .relief:
      let lead = deck.replacement?.voice == key ? Self.replacementLead : Self.streamLead
      let begin = max(mixWaits ? now : now + frames(ofMilliseconds: lead), records[slot].began)
      start.place = records[slot].clock.place(at: begin)
      start.moment = begin > now ? time(ofFrames: begin) : nil
      start.values.gain = 0
      voices[key.voice].begin = begin
    case .following:
      let begin = max(voices[key.voice].begin, voices[key.voice].begin >= now ? now : earliest)
      let rate = deck.following?.feed.format.sampleRate ?? 0
      let step = physics.step.frames(pitch: pitch(of: slot), soundRate: rate, mixRate: physics.sampleRate)
      start.place = Double(begin - voices[key.voice].begin) * step
      start.moment = begin > now ? time(ofFrames: begin) : nil
    }
    if let replacement = deck.replacement, replacement.voice == key {
      if refuseUnlike(replacement, of: slot, at: Int(start.place)) { return nil }
    } else if isEnd(of: deck, key, at: Int(start.place)) {
      // A source at the end of its stream would begin again.
      giveUp(key.voice, .cuts)
      if Int(records[slot].voice) == key.voice { records[slot].voice = -1 }
      return nil
    }
    voices[key.voice].values = start.values
    voices[key.voice].state = .sounding
    if voices[key.voice].role == .plain { soundBegins(slot, key.voice, isNew: false) }
    return start
  }

  /// Whether a voice has no frame left at a position.
  private func isEnd(of deck: Deck, _ key: VoiceKey, at position: Int) -> Bool {
    guard voices[key.voice].role == .following else { return deck.isEnd(position) }
    return deck.following?.feed.read { $0.location(at: position) == nil } ?? true
  }

  /// The stream of a player's voice could not be opened.
  mutating func deckVoiceFailed(_ key: VoiceKey) {
    let slot = voices[key.voice].slot
    let isMain = Int(records[slot].voice) == key.voice
    if isMain, records[slot].status == .idle || records[slot].status == .paused {
      giveUpVoice(slot, .cuts)
      return finishWaiting(slot)
    }
    if isMain { return end(slot, .failed) }
    giveUp(key.voice, .cuts)
    changeDeck(of: slot) { deck in
      if deck.relief == key { deck.relief = nil }
      if deck.following?.voice == key { deck.following?.voice = nil }
    }
  }

  /// The source of a player has stopped by itself.
  mutating func deckRanOut(_ key: VoiceKey) {
    let slot = voices[key.voice].slot
    guard Int(records[slot].voice) == key.voice else {
      // The next sound ended before its player had switched to it.
      giveUp(key.voice, .drains)
      return freeEnded(key)
    }
    adoptLength(of: slot)
    // A stream on an output may be a little ahead of the clock.
    if let end = records[slot].clock.end, end > now { records[slot].clock.seek(to: .infinity, at: now) }
    endDecks(slot)
    freeEnded(key)
  }

  /// Corrects the clock of a paused player by the position of its source.
  mutating func adoptRest(_ frame: Int, of key: VoiceKey) {
    guard voices[key.voice].use == key.use, voices[key.voice].state == .resting else { return }
    let slot = voices[key.voice].slot
    guard slot >= 0, records[slot].status == .paused else { return }
    voices[key.voice].lateSince = nil
    records[slot].clock.seek(to: Double(frame), at: now)
  }

  /// Sets whether the output is a pair of loudspeakers, for the power of mono sounds and for the pan of all players.
  mutating func setTwoLoudspeakers(_ isPair: Bool) {
    guard isPair != hasTwoLoudspeakers else { return }
    hasTwoLoudspeakers = isPair
    for index in decks.indices {
      decks[index].deck?.change { deck in
        deck.setPan(deck.pan, onTwoLoudspeakers: isPair)
        deck.earliestReplacement = 0
      }
    }
  }

  /// Adds the direction and the level of a player's pan.
  func applyPan(to values: inout VoiceValues, _ index: Int, _ channelCount: Int) {
    guard let deck = decks[index].deck, channelCount == 1 || channelCount == 2 else { return }
    let law = channelCount == 1 ? deck.monoLaw : deck.stereoLaw
    values.gain *= law.gain
    values.angles = law.angles
    if channelCount == 1 { values.position = law.direction }
  }
}
