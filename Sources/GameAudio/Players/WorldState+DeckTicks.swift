internal import PCM
internal import Spatial3D

// The work of a tick for the players, and the ends of their timelines.

extension WorldState {
  /// Advances the players to the present frame of the mix.
  mutating func stepDecks() {
    for index in players.decks.indices {
      guard let slot = players.decks[index].deck?.slot else { continue }
      let hasAppointment = players.decks[index].deck?.appointments.isEmpty == false
      if hasAppointment { keepAppointments(slot) }
      guard emitters[slot].isSounding, emitters[slot].began <= now else {
        if hasAppointment { planFollowing(slot) }
        continue
      }
      settlePause(slot)
      guard emitters[slot].isSounding else { continue }
      if awaitsReader(slot) {
        beginDeck(slot, at: now)
        continue
      }
      adoptLength(of: slot)
      postProgress(of: slot)
      takeOver(slot)
      checkReplacement(slot)
      planFollowing(slot)
    }
  }

  /// Whether a player waits for the reader of its first voice: it misses nothing of its sound.
  func awaitsReader(_ slot: EmitterSlot) -> Bool {
    let voice = Int(emitters[slot].voice)
    guard voice >= 0, voices.voices[voice].state == .opening, voices.voices[voice].role == .plain,
      !emitters[slot].hasSounded
    else {
      return false
    }
    let isFirst = emitters[slot].switched - emitters[slot].began <= frames(ofMilliseconds: 50)
    return isFirst && deck(of: slot)?.isScheduled == false
  }

  /// Lets the clock of a player run from its position at a frame.
  mutating func beginDeck(_ slot: EmitterSlot, at frame: Int) {
    guard let deck = deck(of: slot) else { return }
    emitters[slot].clock.seek(to: Double(deck.position), at: frame)
    emitters[slot].began = frame
    updateEnd(of: slot)
  }

  /// Lets calls act on the sound that plays at the present frame: the tick that switches to it may not have come.
  mutating func adoptSound(_ slot: EmitterSlot) {
    if emitters[slot].status == .playing, let end = emitters[slot].clock.end, end <= now,
      deck(of: slot)?.hasNextTape == true
    {
      endDecks(slot)
    }
    postProgress(of: slot)
  }

  /// Posts the laps and the failures before the present position, and forgets the sounds that are over.
  mutating func postProgress(of slot: EmitterSlot) {
    let position = deckPosition(of: slot)
    postProgress(of: slot, until: position)
  }

  private mutating func postProgress(of slot: EmitterSlot, until position: Int) {
    guard let deck = deck(of: slot) else { return }
    let laps = deck.feed.read { $0.laps(at: position) }
    let isPassed = deck.index(at: position) > 0
    if laps > deck.laps { post(.looped(laps - deck.laps), ofDeck: slot) }
    let problems = deck.feed.takeProblems(until: position)
    for problem in problems { post(.decodeError(problem.sentence), ofDeck: slot) }
    guard laps > deck.laps || isPassed || !problems.isEmpty else { return }
    if isPassed { cancelReplacement(slot) }
    let hasReader = emitters[slot].voice >= 0
    changeDeck(of: slot) { deck in
      // The clock may have gone back to the position of a late source.
      deck.laps = max(deck.laps, laps)
      deck.pass(position, hasReader: hasReader)
      deck.hasFailed = deck.hasFailed || !problems.isEmpty
    }
  }

  /// Lets the voice that has played silently for a tick take over.
  private mutating func takeOver(_ slot: EmitterSlot) {
    guard let key = deck(of: slot)?.relief else { return }
    let isWaiting = voices.voices[key.voice].use == key.use && voices.voices[key.voice].isTaken
    let isMixed = voices.voices[key.voice].state == .sounding && now - voices.voices[key.voice].begin >= AudioWorld.tick
    if isMixed || !isWaiting { takeOver(slot, key) }
  }

  /// Reserves a voice for the next timeline, which begins on the frame at which the present timeline ends.
  ///
  /// A player that does not play reserves one for an appointment.
  private mutating func planFollowing(_ slot: EmitterSlot) {
    guard let deck = deck(of: slot) else { return }
    let isPlaying = emitters[slot].status == .playing && emitters[slot].began <= now
    let soon = now + frames(ofMilliseconds: Self.reservation)
    let appointment = deck.appointments.first
    let end = isPlaying && deck.hasNextTape ? emitters[slot].clock.end ?? .max : .max
    let begin = min(appointment?.begin ?? .max, end)
    guard begin != deck.following?.begin ?? .max else { return }
    cancelFollowing(slot)
    guard begin <= soon else { return }
    prepare(slot, appointment.flatMap { $0.begin == begin ? $0.entry : nil }, begin: begin)
  }

  private mutating func prepare(_ slot: EmitterSlot, _ entry: Deck.Entry?, begin: Int) {
    guard let deck = deck(of: slot) else { return }
    let next = entry.map { Deck.tape(of: [$0], $0.track.format) } ?? deck.nextTape()
    guard let next else { return }
    cancelFollowing(slot)
    let channelCount = next.feed.format.channelCount
    let key =
      reservesVoice(slot)
      ? openVoice(slot, .following, next.loaded, channelCount: channelCount, begin: begin) : nil
    let following = Deck.Following(feed: next.feed, loaded: next.loaded, entry: entry, begin: begin, voice: key)
    changeDeck(of: slot) { $0.following = following }
  }

  /// Whether a timeline that begins soon has a voice of its own.
  ///
  /// The next timeline of a player in motion has a voice if the present timeline does.
  private mutating func reservesVoice(_ slot: EmitterSlot) -> Bool {
    if emitters[slot].isSounding, emitters[slot].began <= now {
      return emitters[slot].voice >= 0
    }
    let bus = emitters.bus(of: slot)
    guard !mixer.buses[bus].totals.isPaused, audibility(of: slot).audible >= Audibility.threshold else { return false }
    return makeRoom(for: slot)
  }

  /// Begins the sounds whose moment has come.
  private mutating func keepAppointments(_ slot: EmitterSlot) {
    guard let deck = deck(of: slot), let first = deck.appointments.first, first.begin <= now else { return }
    if deck.following?.entry?.id != first.entry.id { prepare(slot, first.entry, begin: first.begin) }
    changeDeck(of: slot) { $0.appointments.removeFirst() }
    guard enterForNextTape(slot) else { return cancelFollowing(slot) }
    switchToFollowing(slot, .fades)
  }

  /// Plays the next timeline, from the frame at which it begins.
  private mutating func switchToFollowing(_ slot: EmitterSlot, _ silencing: Silencing) {
    guard let next = deck(of: slot)?.following else { return }
    cancelReplacement(slot)
    if let key = deck(of: slot)?.relief { takeOver(slot, key) }
    if emitters[slot].voice >= 0 { giveUpVoice(slot, silencing) }
    changeDeck(of: slot) { deck in
      deck.isScheduled = true
      if let entry = next.entry { deck.replaceLine(with: entry, playing: next) } else { deck.adopt(next) }
      deck.position = 0
    }
    load(next.loaded, of: slot)
    let course = LogicalClock.Course(frameCount: next.feed.read(\.length) ?? .max)
    emitters[slot].clock = LogicalClock(course, at: next.begin, step: 0)
    emitters[slot].clock.setStep(step(of: slot), at: next.begin)
    emitters[slot].began = next.begin
    emitters[slot].switched = now
    if let key = next.voice, voices.voices[key.voice].use == key.use, voices.voices[key.voice].isTaken,
      !emitters[slot].isHeld
    {
      emitters[slot].voice = Int32(key.voice)
      voices.voices[key.voice].role = .plain
      emitters[slot].hasSounded = voices.voices[key.voice].state == .sounding
    } else {
      if let key = next.voice, voices.voices[key.voice].use == key.use, voices.voices[key.voice].isTaken {
        giveUp(key.voice, .cuts)
      }
      takeDeckVoice(slot)
    }
    updateEnd(of: slot)
    updateWeight(of: slot)
  }

  /// The timeline of a player is over: the next timeline begins, or the player ends.
  mutating func endDecks(_ slot: EmitterSlot) {
    // A timeline may be shorter than a tick.
    for _ in 0..<64 {
      guard emitters[slot].isSounding, let end = emitters[slot].clock.end, end <= now else { return }
      let goesOn = emitters[slot].status == .playing || emitters[slot].status == .pausing
      guard let deck = deck(of: slot), deck.hasNextTape, goesOn else {
        return self.end(slot, .played)
      }
      postProgress(of: slot, until: .max / 2)
      if deck.following == nil || deck.following?.entry != nil { prepare(slot, nil, begin: end) }
      switchToFollowing(slot, .drains)
    }
  }

  /// Keeps the position of a player whose slot ends, and posts its end.
  mutating func deckEnds(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason) {
    guard emitters[slot].deck >= 0 else { return }
    finishWaiting(slot)
    let position = deckPosition(of: slot)
    let isOver = reason == .played
    postProgress(of: slot, until: isOver ? .max / 2 : position)
    cancelSecondVoices(slot)
    let waits = isOver && (deck(of: slot)?.opening ?? 0) > 0
    let hasFailed = deck(of: slot)?.hasFailed ?? false
    changeDeck(of: slot) { deck in
      deck.position = isOver ? deck.rewind(toFrame: 0) : position
      (deck.awaitsOpening, deck.isWaitPaused) = (waits, false)
      deck.silentSince = nil
    }
    if let deck = deck(of: slot), isOver { load(deck.loaded, of: slot) }
    guard !waits else { return }
    // See ``postEnd(_:of:)``. A stop posts no event: no handler plays again on it.
    postEnd(isOver && hasFailed ? .failed : reason, ofDeck: slot, isDeferred: !isOver && reason != .stopped)
  }
}
