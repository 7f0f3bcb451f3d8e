internal import PCM
internal import Spatial3D

// The sounds in line, their repetitions and loops, and interruptions.

extension WorldState {
  /// Whether the mix waits while a reader is opened, so that its voice begins in time without a lead.
  ///
  /// A start without a moment is whole mixes late where another thread mixes, also from memory.
  var mixWaits: Bool { time.mixesByFrames && outbox.context.device.mixesOnRequest }

  /// The least number of frames that the reader of a changed timeline needs before the two timelines differ.
  private var reliefFrames: Int { mixWaits ? 3 * AudioWorld.tick : frames(ofMilliseconds: 200) }

  /// The least number of frames of its timeline that a player plays before another reader can play a changed timeline.
  ///
  /// A player that does not play waits for its reader. The clock of a stopped player keeps the step that it had.
  func neededFrames(of slot: EmitterSlot) -> Int {
    guard emitters[slot].status == .playing || emitters[slot].status == .stopping else { return 0 }
    return Int(saturating: (Double(reliefFrames) * max(emitters[slot].clock.step, 0)).rounded(.up))
  }

  /// Changes the timeline, a `Tape`, behind the present position; another voice goes on with it if the reader has come
  /// too far.
  ///
  /// Returns whether the change is in force.
  private mutating func changeTape(_ slot: EmitterSlot, adding entry: Deck.Entry? = nil, _ body: (inout Tape) -> Int?)
    -> Bool
  {
    guard let deck = deck(of: slot) else { return false }
    let change = deck.feed.change(adding: entry.map { ($0.id, $0.track) }, body)
    if change == .none { return true }
    // The other reader has a copy of the old timeline.
    cancelReplacement(slot)
    if change == .made {
      adoptLength(of: slot)
      return true
    }
    var tape = deck.feed.tape
    let divergence = body(&tape) ?? .max
    guard divergence - deckPosition(of: slot) >= neededFrames(of: slot) else { return false }
    changeDeck(of: slot) { $0.reload(body) }
    relieve(slot, after: deck.feed, offset: 0)
    return true
  }

  mutating func setDeckRepeats(_ repeats: Repeats, of slot: EmitterSlot) {
    adoptSound(slot)
    changeDeck(of: slot) { deck in deck.changeCurrent { $0.repeats = repeats } }
    let position = deckPosition(of: slot)
    guard !changeTape(slot, { $0.setRepeats(repeats, at: position) }) else { return }
    // The laps play as well that begin before another reader could play.
    guard let tape = deck(of: slot)?.feed.tape, let place = tape.location(at: position) else { return }
    let least: Repeats = .times(place.lap + tape.laps(until: neededFrames(of: slot), behind: place))
    _ = changeTape(slot) { $0.setRepeats(least, at: position) }
  }

  mutating func setDeckLoopRange(_ range: Range<Int>?, of slot: EmitterSlot) {
    adoptSound(slot)
    guard let deck = deck(of: slot), range != deck.current.loopRange else { return }
    let length = deck.current.track.frameCount ?? .max
    if let range, range.clamped(to: 0..<length).isEmpty {
      outbox.report(.loopRangeIgnored(range, deck.current.track.name, frameCount: length))
      return
    }
    if let range { reportCut(range, of: deck.current.track) }
    let old = deckPosition(of: slot)
    let frame = deck.frame(at: old)
    guard
      let position = changeDeck(
        of: slot,
        { deck in
          deck.changeCurrent { $0.loopRange = range }
          return deck.rewind(toFrame: frame)
        }
      )
    else { return }
    changeDeck(of: slot) { $0.position = position }
    guard isRunning(slot), emitters[slot].voice >= 0, isHeard(slot), emitters[slot].status == .playing
    else {
      if let loaded = self.deck(of: slot)?.loaded { replaceTape(slot, loaded, position) }
      return
    }
    emitters[slot].clock.seek(to: Double(position), at: max(now, emitters[slot].began))
    relieve(slot, after: deck.feed, offset: old - position)
  }

  /// Reports the loop range of a player's sound, if a part of the range is not inside of the sound.
  mutating func reportCut(of track: Track) {
    if let range = track.sound.loopRange { reportCut(range, of: track) }
  }

  /// Reports each loop range of a sound once, if a part of the range is not inside of the sound.
  private mutating func reportCut(_ range: Range<Int>, of track: Track) {
    guard let count = track.frameCount, range.clamped(to: 0..<count) != range else { return }
    guard outbox.isNew("", about: ReportKey.loopRange(range, ofSound: track.name)) else { return }
    outbox.report(.loopRangeCut(range, track.name, to: range.clamped(to: 0..<count), frameCount: count))
  }

  /// Puts a sound into the line of a player.
  mutating func schedule(_ track: Track, _ slot: SoundPlayer.SchedulePosition, repeats: Repeats, of index: Int) {
    reportCut(of: track)
    guard let entry = changeDeck(of: index, { $0.makeEntry(track, repeats: repeats) }) else { return }
    adoptSound(index)
    switch slot {
    case .afterQueue: append(entry, to: index)
    case .now:
      cancelSecondVoices(index)
      let isPlaying = emitters[index].status == .playing
      changeDeck(of: index) { $0.replaceLine(with: entry) }
      if let loaded = deck(of: index)?.loaded { replaceTape(index, loaded, 0) }
      if !isPlaying, isRunning(index) { stopDeck(index) }
    case .atLoopEnd:
      cancelSecondVoices(index)
      endLoop(of: index)
      append(entry, to: index)
    case .at(let moment):
      let appointment = Deck.Appointment(entry: entry, begin: max(min(frames(in: moment), Frames.last), now))
      changeDeck(of: index) { deck in
        let place = deck.appointments.firstIndex { $0.begin > appointment.begin } ?? deck.appointments.count
        deck.appointments.insert(appointment, at: place)
      }
      stepDecks()
    }
  }

  private mutating func append(_ entry: Deck.Entry, to slot: EmitterSlot) {
    let isOnTape = changeDeck(of: slot) { $0.append(entry) } ?? false
    // A following voice begins the sound on the frame where the time is too short for another reader.
    if isOnTape { _ = changeTape(slot, adding: entry) { $0.append(entry.piece) } }
  }

  /// Ends the loop of the present sound with its present lap, and removes what follows.
  private mutating func endLoop(of slot: EmitterSlot) {
    let position = deckPosition(of: slot)
    if !changeTape(slot, { $0.endWithLap(at: position) }) {
      // The next laps, or the next sounds, have been read: another reader would come too late for the end of this lap.
      // The first lap that ends late enough is the last one of its sound.
      let last = Frames.sum(position, max(neededFrames(of: slot) - 1, 0))
      _ = changeTape(slot) { $0.endWithLap(at: last) }
    }
    changeDeck(of: slot) { $0.removeLater() }
  }
}

// MARK: - Interruptions

extension WorldState {
  /// Pauses each player that plays; the end of an interruption does not resume those that it has paused.
  mutating func pausePlayers() {
    for index in players.decks.indices {
      guard let deck = players.decks[index].deck else { continue }
      if isPlaying(deck) { pauseDeck(deck.slot) } else if deck.isInterrupted { touch(deck.slot) }
    }
  }

  /// Pauses each player that plays, and posts the beginning of the interruption; without a fade if the mix stands
  /// still.
  mutating func beginInterruption(isStanding: Bool) {
    for index in players.decks.indices {
      guard let deck = players.decks[index].deck, isPlaying(deck) else { continue }
      let slot = deck.slot
      if isStanding { haltDeck(slot) } else { pauseDeck(slot) }
      changeDeck(of: slot) { ($0.isInterrupted, $0.isUntouched) = (true, true) }
      post(.interruptionBegan, ofDeck: slot)
    }
  }

  private func isPlaying(_ deck: Deck) -> Bool { emitters[deck.slot].status == .playing || deck.isWaiting }

  /// Posts the end of the interruption to the players that it has paused.
  ///
  /// With a rewind, those that no call has touched since go on, that much earlier.
  mutating func endInterruption(shouldResume: Bool, rewind: Duration?) {
    for index in players.decks.indices {
      guard let deck = players.decks[index].deck, deck.isInterrupted else { continue }
      changeDeck(of: deck.slot) { ($0.isInterrupted, $0.isUntouched) = (false, false) }
      post(.interruptionEnded(shouldResume: shouldResume), ofDeck: deck.slot)
      guard shouldResume, deck.isUntouched, let rewind else { continue }
      adoptSound(deck.slot)
      guard let current = self.deck(of: deck.slot) else { continue }
      let frames = current.current.track.format.frameCount(in: max(rewind, .zero))
      let position = deckPosition(of: deck.slot)
      if frames > 0 { seekDeck(deck.slot, toFrame: max(current.frame(at: position) - frames, 0)) }
      playDeck(deck.slot)
    }
  }
}
