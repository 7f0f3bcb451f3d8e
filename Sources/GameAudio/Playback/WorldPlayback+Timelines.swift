internal import PCM
internal import Spatial3D

// The timelines of players: their progress, their changes and their ends.

extension WorldPlayback {
  /// Changes the playlist of a slot; the objects that it discards go to the release queue.
  ///
  /// Reports a pan that has no effect on the sound that is the current one then.
  @discardableResult
  mutating func changePlaylist<Value>(of slot: EmitterSlot, _ body: (inout Playlist) -> Value) -> Value? {
    guard let player = scene.emitters[slot].player else { return nil }
    let value = scene.players[player].playlist?.change(body)
    if let objects = scene.players[player].playlist?.change({ $0.takeReleased() }) { outbox.release(objects) }
    if let diagnostic = scene.players[player].playlist?.reportPan() { outbox.report(diagnostic) }
    return value
  }

  /// Makes the present timeline of a player the sound of its slot.
  mutating func loadTimeline(of slot: EmitterSlot) {
    guard let playlist = scene.playlist(of: slot) else { return }
    scene.sounds.setTimeline(playlist.loaded, of: scene.emitters[slot].sound)
    scene.updateWeight(of: slot)
  }

  // MARK: - Clocks

  /// Lets the clock of a player run from its position, and plays its voice.
  mutating func run(_ slot: EmitterSlot, from begin: Int, isScheduled: Bool) {
    changePlaylist(of: slot) { $0.isScheduled = isScheduled }
    guard let playlist = scene.playlist(of: slot) else { return }
    let wasPaused = scene.emitters[slot].hasSounded
    let position = wasPaused ? scene.emitters[slot].clock.position(at: now) : Double(playlist.position)
    startClock(of: slot, at: begin, position)
    // A source that was paused in the middle of its queue starts at a moment only from a new queue.
    if scene.emitters[slot].voice != nil, begin > now, wasPaused { giveUpVoice(slot, .cuts) }
    // A paused bus keeps the voice paused until the bus is resumed.
    if scene.mixer.buses[scene.emitters.bus(of: slot)].totals.isPaused { return }
    if scene.emitters[slot].voice != nil { return resumeVoice(slot) }
    takePlayerVoice(slot)
  }

  /// Starts the clock of a player on its present timeline, from a position at a frame of the mix on.
  private mutating func startClock(of slot: EmitterSlot, at frame: Int, _ position: Double) {
    let course = LogicalClock.Course(frameCount: scene.playlist(of: slot)?.timeline.read(\.length) ?? .max)
    let (step, now) = (scene.step(of: slot), now)
    scene.modify(slot) {
      ($0.began, $0.switched) = (frame, now)
      $0.clock = LogicalClock(course, at: frame, place: position, step: 0)
      $0.clock.setStep(step, at: frame)
    }
  }

  /// Lets the present timeline go on at a position, in the present state of the player.
  mutating func replaceTimeline(_ slot: EmitterSlot, _ position: Int) {
    loadTimeline(of: slot)
    changePlaylist(of: slot) { $0.removePrevious() }
    giveUpVoices(.reader, of: slot)
    let hadVoice = scene.emitters[slot].voice != nil
    if hadVoice { giveUpVoice(slot, .fades) }
    let begin = max(now, scene.emitters[slot].began)
    if scene.isRunning(slot) {
      let step = scene.emitters[slot].clock.step
      let course = LogicalClock.Course(frameCount: scene.playlist(of: slot)?.timeline.read(\.length) ?? .max)
      scene.modify(slot) { $0.clock = LogicalClock(course, at: begin, place: Double(position), step: step) }
    }
    guard scene.emitters[slot].isSounding else {
      if hadVoice { prepareVoice(slot) }
      return
    }
    let step = scene.step(of: slot)
    scene.modify(slot) { $0.clock.setStep(step, at: begin) }
    if scene.emitters[slot].status == .pausing { return completePlayerPause(of: slot, keepsVoice: false) }
    changePlaylist(of: slot) { $0.isScheduled = false }
    takePlayerVoice(slot)
  }

  // MARK: - Changes

  /// Changes the timeline of a player behind its position; the voices of the player follow the change.
  ///
  /// The closure receives the position, and the frames that another reader needs before the timelines differ.
  mutating func changeTimeline(
    of slot: EmitterSlot,
    _ body: (inout Playlist, _ position: Int, _ frames: Int) -> TimelineChange
  ) {
    let record = scene.emitters[slot]
    // A player that does not play waits for its reader. The clock of a stopped player keeps the step that it had.
    let isMoving = record.status == .playing || record.status == .stopping
    let frames = isMoving ? scene.time.framesForReader(step: record.clock.step) : 0
    let position = scene.playerPosition(of: slot)
    guard let change = changePlaylist(of: slot, { body(&$0, position, frames) }) else { return }
    if case .none = change { return }
    // The other reader has a copy of the old timeline.
    giveUpVoices(.reader, of: slot)
    switch change {
    case .none, .late: break
    case .made: scene.updateLength(of: slot)
    case .reloaded(let old): beginReplacement(slot, after: old, offset: 0)
    }
  }

  /// Changes the loop range of the present sound of a player, at the same frame of the sound.
  mutating func setLoopRange(_ range: Range<Int>?, ofPlayer slot: EmitterSlot) {
    updateCurrentSound(slot)
    let old = scene.playerPosition(of: slot)
    guard let sound = scene.playlist(of: slot)?.current.sound else { return }
    switch changePlaylist(of: slot, { $0.setLoopRange(range, at: old) }) {
    case .unchanged, nil: return
    case .ignored(let count):
      if let range { outbox.report(.loopRangeIgnored(range, sound.name, frameCount: count)) }
    case .moved(let position, let timeline):
      outbox.report(outbox.soundReports.cut(range, of: sound))
      guard scene.emitters[slot].status == .playing, isHeard(slot) else { return replaceTimeline(slot, position) }
      let now = now
      scene.modify(slot) { $0.clock.seek(to: Double(position), at: max(now, $0.began)) }
      beginReplacement(slot, after: timeline, offset: old - position)
    }
  }

  // MARK: - Progress

  /// Lets calls act on the sound that plays at the present frame: the tick that switches to it may not have come.
  mutating func updateCurrentSound(_ slot: EmitterSlot) {
    if scene.emitters[slot].status == .playing, let end = scene.emitters[slot].clock.end, end <= now,
      scene.playlist(of: slot)?.hasNextTimeline == true
    {
      endTimeline(slot)
    }
    postProgress(of: slot)
  }

  /// Posts the laps and the failures before a position, and forgets the sounds that are over; by default before the
  /// present position.
  mutating func postProgress(of slot: EmitterSlot, until position: Int? = nil) {
    let position = position ?? scene.playerPosition(of: slot)
    guard let player = scene.emitters[slot].player,
      let progress = scene.players[player].playlist?.takeProgress(until: position), !progress.isEmpty
    else { return }
    for event in progress.events { post(event, ofPlayer: slot) }
    if progress.isPassed { giveUpVoices(.reader, of: slot) }
    let isRead = scene.emitters[slot].voice != nil
    changePlaylist(of: slot) { $0.finish(progress, at: position, hasReader: isRead) }
  }

  // MARK: - The next timeline

  /// Reserves a voice for the next timeline, which begins on the frame at which the present timeline ends.
  ///
  /// A player that does not play reserves one for a scheduled sound.
  mutating func planUpcoming(_ slot: EmitterSlot) {
    guard let player = scene.emitters[slot].player else { return }
    let isPlaying = scene.emitters[slot].status == .playing && scene.emitters[slot].began <= now
    let end = isPlaying ? scene.emitters[slot].clock.end : nil
    let soon = now + scene.frames(ofMilliseconds: WorldScene.reservation)
    switch scene.players[player].playlist?.plan(end: end, until: soon) {
    case .unchanged, nil: return
    case .discard: giveUpVoices(.upcoming, of: slot)
    case .begin(let frame, let entry): prepareUpcoming(slot, entry, begin: frame)
    }
  }

  /// Prepares a sound that replaces the playlist, or the next timeline, to begin at a frame of the mix.
  mutating func prepareUpcoming(_ slot: EmitterSlot, _ entry: Playlist.Entry?, begin: Int) {
    giveUpVoices(.upcoming, of: slot)
    guard let (timeline, loaded) = scene.playlist(of: slot)?.timeline(for: entry) else { return }
    let isRunning = scene.emitters[slot].isSounding && scene.emitters[slot].began <= now
    // The next timeline of a player in motion has a voice if the present timeline does.
    let takesVoice =
      isRunning
      ? scene.emitters[slot].voice != nil
      : !scene.mixer.buses[scene.emitters.bus(of: slot)].totals.isPaused
        && scene.audibility(of: slot).audible >= Audibility.threshold && makeRoom(for: slot)
    let channelCount = timeline.format.channelCount
    let key = takesVoice ? openVoice(slot, .upcoming, loaded, channelCount: channelCount, begin: begin) : nil
    let upcoming = Playlist.Upcoming(timeline: timeline, loaded: loaded, entry: entry, begin: begin, voice: key)
    changePlaylist(of: slot) { $0.upcoming = upcoming }
  }

  /// Plays the upcoming timeline, from the frame at which it begins.
  mutating func switchToUpcoming(_ slot: EmitterSlot, _ silencing: Voice.Silencing) {
    guard let next = scene.playlist(of: slot)?.upcoming else { return }
    giveUpVoices(.reader, of: slot)
    takeOver(slot)
    if scene.emitters[slot].voice != nil { giveUpVoice(slot, silencing) }
    changePlaylist(of: slot) { $0.begin(next) }
    loadTimeline(of: slot)
    startClock(of: slot, at: next.begin, 0)
    guard let key = next.voice, voices.isTaken(key), !scene.emitters[slot].isLimited else {
      if let key = next.voice, voices.isTaken(key) { giveUp(key.voice, .cuts) }
      return takePlayerVoice(slot)
    }
    voices.becomePlain(key.voice)
    let hasSounded = voices[key.voice].state == .sounding
    scene.modify(slot) { ($0.voice, $0.hasSounded) = (key.voice, hasSounded) }
  }

  /// The timeline of a player is over: the next timeline begins, or the player ends.
  mutating func endTimeline(_ slot: EmitterSlot) {
    // A timeline may be shorter than a tick. Chosen: 64 timelines in a tick have eight frames each. The rest of even
    // shorter timelines follows with the next tick, which bounds the time of this tick.
    for _ in 0..<64 {
      guard scene.emitters[slot].isSounding, let end = scene.emitters[slot].clock.end, end <= now else { return }
      guard scene.emitters[slot].status != .stopping, let playlist = scene.playlist(of: slot), playlist.hasNextTimeline
      else { return self.end(slot, .played) }
      postProgress(of: slot, until: Playlist.end)
      if !playlist.isNextPrepared { prepareUpcoming(slot, nil, begin: end) }
      switchToUpcoming(slot, .drains)
    }
  }
}
