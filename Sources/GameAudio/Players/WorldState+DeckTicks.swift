internal import PCM
internal import Spatial3D

// The work of a tick for the players, and the ends of their tapes.

extension WorldState {
  /// Advances the players to the present frame of the mix.
  mutating func stepDecks() {
    for index in decks.indices {
      guard let slot = decks[index].deck?.slot else { continue }
      if decks[index].deck?.appointments.isEmpty == false { keepAppointments(slot) }
      guard records[slot].isSounding, records[slot].began <= now else { continue }
      settlePause(slot)
      guard records[slot].isSounding else { continue }
      if awaitsReader(slot) {
        beginDeck(slot, at: now)
        continue
      }
      adoptLength(of: slot)
      let position = deckPosition(of: slot)
      postProgress(of: slot, until: position)
      takeOver(slot)
      planFollowing(slot)
    }
  }

  /// Whether a player waits for the reader of its first voice: it misses nothing of its sound.
  func awaitsReader(_ slot: Int) -> Bool {
    let voice = Int(records[slot].voice)
    guard voice >= 0, voices[voice].state == .opening, voices[voice].role == .plain, !records[slot].hasSounded else {
      return false
    }
    let isFirst = records[slot].switched - records[slot].began <= frames(ofMilliseconds: 50)
    return isFirst && deck(of: slot)?.isScheduled == false
  }

  /// Lets the clock of a player run from its position at a frame.
  mutating func beginDeck(_ slot: Int, at frame: Int) {
    guard let deck = deck(of: slot) else { return }
    records[slot].clock.seek(to: Double(deck.position), at: frame)
    records[slot].began = frame
    updateEnd(of: slot)
  }

  /// Posts the laps and the failures before a position, and forgets the sounds that are over.
  private mutating func postProgress(of slot: Int, until position: Int) {
    guard let deck = deck(of: slot) else { return }
    let laps = deck.feed.tape.laps(at: position)
    let isPassed =
      deck.feed.tape.location(at: position).map { deck.feed.tape.pieces[$0.index].id != deck.current.id } ?? false
    if laps > deck.laps { post(.looped(laps - deck.laps), ofDeck: slot) }
    let problems = deck.feed.takeProblems(until: position)
    for problem in problems { post(.decodeError(problem.sentence), ofDeck: slot) }
    guard laps != deck.laps || isPassed || !problems.isEmpty else { return }
    changeDeck(of: slot) { deck in
      deck.laps = laps
      deck.pass(position)
      deck.hasFailed = deck.hasFailed || !problems.isEmpty
    }
  }

  /// Lets the voice that has played silently for a tick take over.
  private mutating func takeOver(_ slot: Int) {
    guard let key = deck(of: slot)?.relief else { return }
    let isWaiting = voices[key.voice].use == key.use && voices[key.voice].isTaken
    let isMixed = voices[key.voice].state == .sounding && now - voices[key.voice].begin >= AudioWorld.tick
    if isMixed || !isWaiting { takeOver(slot, key) }
  }

  /// Reserves a voice for the tape that follows, which begins on the frame at which the present one ends.
  private mutating func planFollowing(_ slot: Int) {
    guard records[slot].status == .playing, let deck = deck(of: slot) else { return }
    let soon = now + frames(ofMilliseconds: Self.reservation)
    let appointment = deck.appointments.first
    let end = deck.hasNextTape ? records[slot].clock.end ?? .max : .max
    let begin = min(appointment?.begin ?? .max, end)
    guard begin != deck.following?.begin else { return }
    if let old = deck.following {
      if let key = old.voice, voices[key.voice].use == key.use { giveUp(key.voice, .cuts) }
      changeDeck(of: slot) { $0.removeFollowing() }
    }
    guard begin <= soon else { return }
    prepare(slot, appointment.flatMap { $0.begin == begin ? $0.entry : nil }, begin: begin)
  }

  private mutating func prepare(_ slot: Int, _ entry: Deck.Entry?, begin: Int) {
    guard let deck = deck(of: slot) else { return }
    let next = entry.map { Deck.tape(of: [$0], $0.track.format) } ?? deck.nextTape()
    guard let next else { return }
    let channelCount = next.feed.format.channelCount
    let key =
      records[slot].voice < 0
      ? nil : openVoice(slot, .following, next.loaded, channelCount: channelCount, begin: begin)
    let following = Deck.Following(feed: next.feed, loaded: next.loaded, entry: entry, begin: begin, voice: key)
    changeDeck(of: slot) { $0.following = following }
  }

  /// Begins the sounds whose moment has come.
  private mutating func keepAppointments(_ slot: Int) {
    guard let deck = deck(of: slot), let first = deck.appointments.first else { return }
    if records[slot].status == .playing {
      guard first.begin <= now else { return }
      if deck.following?.entry?.id != first.entry.id { prepare(slot, first.entry, begin: first.begin) }
      changeDeck(of: slot) { $0.appointments.removeFirst() }
      return switchToFollowing(slot, .fades)
    }
    guard first.begin - now <= frames(ofMilliseconds: Self.reservation) else { return }
    if records[slot].status != .idle { stopDeck(slot, keepsAppointments: true) }
    changeDeck(of: slot) { deck in
      deck.appointments.removeFirst()
      deck.replaceLine(with: first.entry)
    }
    if let loaded = self.deck(of: slot)?.loaded { replaceTape(slot, loaded, 0) }
    playDeck(slot, at: first.begin)
  }

  /// Plays the tape that follows, from the frame at which it begins.
  private mutating func switchToFollowing(_ slot: Int, _ silencing: Silencing) {
    guard let next = deck(of: slot)?.following else { return }
    if let key = deck(of: slot)?.relief { takeOver(slot, key) }
    if records[slot].voice >= 0 { giveUpVoice(slot, silencing) }
    changeDeck(of: slot) { deck in
      deck.isScheduled = true
      if let entry = next.entry { deck.replaceLine(with: entry, playing: next) } else { deck.adopt(next) }
      deck.position = 0
    }
    load(next.loaded, of: slot)
    let course = LogicalClock.Course(frameCount: next.feed.tape.length ?? .max)
    records[slot].clock = LogicalClock(course, at: next.begin, step: 0)
    records[slot].clock.setStep(step(of: slot), at: next.begin)
    records[slot].began = next.begin
    if let key = next.voice, voices[key.voice].use == key.use, voices[key.voice].isTaken {
      records[slot].voice = Int32(key.voice)
      voices[key.voice].role = .plain
      records[slot].hasSounded = voices[key.voice].state == .sounding
    } else {
      takeDeckVoice(slot)
    }
    updateEnd(of: slot)
    updateWeight(of: slot)
  }

  /// The tape of a player is over: the next one begins, or the player ends.
  mutating func endDecks(_ slot: Int) {
    // A tape may be shorter than a tick.
    for _ in 0..<64 {
      guard records[slot].isSounding, let end = records[slot].clock.end, end <= now else { return }
      guard let deck = deck(of: slot), deck.hasNextTape, records[slot].status == .playing else {
        return self.end(slot, .played)
      }
      postProgress(of: slot, until: .max / 2)
      if deck.following == nil || deck.following?.entry != nil { prepare(slot, nil, begin: end) }
      switchToFollowing(slot, .drains)
    }
  }

  /// Keeps the place of a player whose slot ends, and posts its end.
  mutating func deckEnds(_ slot: Int, _ reason: EmitterEvent.Reason) {
    guard records[slot].deck >= 0 else { return }
    finishWaiting(slot)
    let position = deckPosition(of: slot)
    cancelSecondVoices(slot)
    if reason == .played || reason == .failed { postProgress(of: slot, until: .max / 2) }
    let isOver = reason == .played
    let waits = isOver && (deck(of: slot)?.opening ?? 0) > 0
    let hasFailed = deck(of: slot)?.hasFailed ?? false
    changeDeck(of: slot) { deck in
      deck.position = isOver ? deck.rewind(toFrame: 0) : position
      (deck.awaitsOpening, deck.isWaitPaused) = (waits, false)
      deck.silentSince = nil
    }
    if let deck = deck(of: slot), isOver { load(deck.loaded, of: slot) }
    guard reason != .stopped, !waits else { return }
    post(.finished(successfully: isOver && !hasFailed), ofDeck: slot)
  }
}
