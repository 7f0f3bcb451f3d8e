internal import PCM
internal import Spatial3D

// The work of a tick for the players, and the ends of their timelines.

extension WorldState {
  /// Advances the players to the present frame of the mix.
  mutating func stepPlayers() {
    for player in players.indices {
      guard let slot = players[player].playlist?.slot else { continue }
      let hasScheduledSound = players[player].playlist?.scheduledSounds.isEmpty == false
      if hasScheduledSound { beginScheduledSounds(slot) }
      guard emitters[slot].isSounding, emitters[slot].began <= now else {
        if hasScheduledSound { planUpcoming(slot) }
        continue
      }
      settlePause(slot)
      guard emitters[slot].isSounding else { continue }
      if awaitsReader(slot) {
        beginPlayer(slot, at: now)
        continue
      }
      updateLength(of: slot)
      postProgress(of: slot)
      takeOver(slot)
      checkReplacement(slot)
      planUpcoming(slot)
    }
  }

  /// Whether a player waits for the reader of its first voice: it misses nothing of its sound.
  func awaitsReader(_ slot: EmitterSlot) -> Bool {
    guard let voice = emitters[slot].voice, voices[voice].state == .opening, voices[voice].role == .plain,
      !emitters[slot].hasSounded
    else {
      return false
    }
    let isFirst = emitters[slot].switched - emitters[slot].began <= frames(ofMilliseconds: 50)
    return isFirst && playlist(of: slot)?.isScheduled == false
  }

  /// Lets the clock of a player run from its position at a frame.
  mutating func beginPlayer(_ slot: EmitterSlot, at frame: Int) {
    guard let playlist = playlist(of: slot) else { return }
    modify(slot) {
      $0.clock.seek(to: Double(playlist.position), at: frame)
      $0.began = frame
    }
  }

  /// Lets calls act on the sound that plays at the present frame: the tick that switches to it may not have come.
  mutating func updateCurrentSound(_ slot: EmitterSlot) {
    if emitters[slot].status == .playing, let end = emitters[slot].clock.end, end <= now,
      playlist(of: slot)?.hasNextTimeline == true
    {
      endTimeline(slot)
    }
    postProgress(of: slot)
  }

  /// Posts the laps and the failures before the present position, and forgets the sounds that are over.
  mutating func postProgress(of slot: EmitterSlot) {
    let position = playerPosition(of: slot)
    postProgress(of: slot, until: position)
  }

  private mutating func postProgress(of slot: EmitterSlot, until position: Int) {
    guard let player = emitters[slot].player,
      let progress = players[player].playlist?.takeProgress(until: position), !progress.isEmpty
    else { return }
    if progress.newLaps > 0 { post(.looped(progress.newLaps), ofPlayer: slot) }
    for problem in progress.problems { post(.decodeError(problem.sentence), ofPlayer: slot) }
    if progress.isPassed { cancelReplacementReader(slot) }
    let hasReader = emitters[slot].voice != nil
    changePlaylist(of: slot) { $0.finish(progress, at: position, hasReader: hasReader) }
  }

  /// Lets the voice that has played silently for a tick take over.
  private mutating func takeOver(_ slot: EmitterSlot) {
    guard let key = playlist(of: slot)?.replacementVoice else { return }
    let isWaiting = voices.isTaken(key)
    let isMixed = voices[key.voice].state == .sounding && now - voices[key.voice].begin >= AudioWorld.tick
    if isMixed || !isWaiting { takeOver(slot, key) }
  }

  /// Reserves a voice for the next timeline, which begins on the frame at which the present timeline ends.
  ///
  /// A player that does not play reserves one for a scheduled sound.
  private mutating func planUpcoming(_ slot: EmitterSlot) {
    guard let player = emitters[slot].player else { return }
    let isPlaying = emitters[slot].status == .playing && emitters[slot].began <= now
    let end = isPlaying ? emitters[slot].clock.end : nil
    let soon = now + frames(ofMilliseconds: Self.reservation)
    switch players[player].playlist?.plan(end: end, until: soon) {
    case .unchanged, nil: return
    case .discard: cancelUpcoming(slot)
    case .begin(let frame, let entry):
      cancelUpcoming(slot)
      prepare(slot, entry, begin: frame)
    }
  }

  private mutating func prepare(_ slot: EmitterSlot, _ entry: Playlist.Entry?, begin: Int) {
    guard let playlist = playlist(of: slot) else { return }
    let next = entry.map { Playlist.timeline(of: [$0], $0.sound.format) } ?? playlist.nextTimeline()
    guard let next else { return }
    cancelUpcoming(slot)
    let channelCount = next.timeline.format.channelCount
    let key =
      reservesVoice(slot)
      ? openVoice(slot, .upcoming, next.loaded, channelCount: channelCount, begin: begin) : nil
    let upcoming = Playlist.Upcoming(
      timeline: next.timeline,
      loaded: next.loaded,
      entry: entry,
      begin: begin,
      voice: key
    )
    changePlaylist(of: slot) { $0.upcoming = upcoming }
  }

  /// Whether a timeline that begins soon has a voice of its own.
  ///
  /// The next timeline of a player in motion has a voice if the present timeline does.
  private mutating func reservesVoice(_ slot: EmitterSlot) -> Bool {
    if emitters[slot].isSounding, emitters[slot].began <= now {
      return emitters[slot].voice != nil
    }
    let bus = emitters.bus(of: slot)
    guard !mixer.buses[bus].totals.isPaused, audibility(of: slot).audible >= Audibility.threshold else { return false }
    return makeRoom(for: slot)
  }

  /// Begins the sounds whose moment has come.
  private mutating func beginScheduledSounds(_ slot: EmitterSlot) {
    guard let playlist = playlist(of: slot), let first = playlist.scheduledSounds.first, first.begin <= now else {
      return
    }
    if playlist.upcoming?.entry?.id != first.entry.id { prepare(slot, first.entry, begin: first.begin) }
    changePlaylist(of: slot) { $0.scheduledSounds.removeFirst() }
    guard enterForNextTimeline(slot) else { return cancelUpcoming(slot) }
    switchToUpcoming(slot, .fades)
  }

  /// Plays the next timeline, from the frame at which it begins.
  private mutating func switchToUpcoming(_ slot: EmitterSlot, _ silencing: Voice.Silencing) {
    guard let next = playlist(of: slot)?.upcoming else { return }
    cancelReplacementReader(slot)
    if let key = playlist(of: slot)?.replacementVoice { takeOver(slot, key) }
    if emitters[slot].voice != nil { giveUpVoice(slot, silencing) }
    changePlaylist(of: slot) { playlist in
      playlist.isScheduled = true
      if let entry = next.entry {
        playlist.replaceEntries(with: entry, playing: next)
      } else {
        playlist.switchToNextTimeline(next)
      }
      playlist.position = 0
    }
    load(next.loaded, of: slot)
    let course = LogicalClock.Course(frameCount: next.timeline.read(\.length) ?? .max)
    let (step, now) = (step(of: slot), now)
    modify(slot) {
      $0.clock = LogicalClock(course, at: next.begin, step: 0)
      $0.clock.setStep(step, at: next.begin)
      ($0.began, $0.switched) = (next.begin, now)
    }
    if let key = next.voice, voices.isTaken(key),
      !emitters[slot].isLimited
    {
      voices.becomePlain(key.voice)
      let hasSounded = voices[key.voice].state == .sounding
      modify(slot) { ($0.voice, $0.hasSounded) = (key.voice, hasSounded) }
    } else {
      if let key = next.voice, voices.isTaken(key) {
        giveUp(key.voice, .cuts)
      }
      takePlayerVoice(slot)
    }
  }

  /// The timeline of a player is over: the next timeline begins, or the player ends.
  mutating func endTimeline(_ slot: EmitterSlot) {
    // A timeline may be shorter than a tick.
    for _ in 0..<64 {
      guard emitters[slot].isSounding, let end = emitters[slot].clock.end, end <= now else { return }
      let goesOn = emitters[slot].status == .playing || emitters[slot].status == .pausing
      guard let playlist = playlist(of: slot), playlist.hasNextTimeline, goesOn else {
        return self.end(slot, .played)
      }
      postProgress(of: slot, until: .max / 2)
      if playlist.upcoming == nil || playlist.upcoming?.entry != nil { prepare(slot, nil, begin: end) }
      switchToUpcoming(slot, .drains)
    }
  }

  /// Keeps the position of a player whose slot ends, and posts its end.
  mutating func playerEnds(_ slot: EmitterSlot, _ reason: EmitterEvent.Reason) {
    guard emitters[slot].isPlayer else { return }
    finishWaiting(slot)
    let position = playerPosition(of: slot)
    let isOver = reason == .played
    postProgress(of: slot, until: isOver ? .max / 2 : position)
    cancelSecondVoices(slot)
    let waits = isOver && (playlist(of: slot)?.opening ?? 0) > 0
    let hasFailed = playlist(of: slot)?.hasFailed ?? false
    changePlaylist(of: slot) { playlist in
      playlist.position = isOver ? playlist.rewind(toFrame: 0) : position
      (playlist.awaitsOpening, playlist.isWaitPaused) = (waits, false)
      playlist.silentSince = nil
    }
    if let playlist = playlist(of: slot), isOver { load(playlist.loaded, of: slot) }
    guard !waits else { return }
    // See ``postEnd(_:of:)``. A stop posts no event: no handler plays again on it.
    postEnd(isOver && hasFailed ? .failed : reason, ofPlayer: slot, isDeferred: !isOver && reason != .stopped)
  }
}
