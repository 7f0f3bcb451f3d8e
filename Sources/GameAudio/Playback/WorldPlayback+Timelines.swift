internal import PCM
internal import Spatial3D

// The timelines of players: their progress, their changes and their ends.

extension WorldPlayback {
  /// Lets the clock of a player run from its position, and plays its voice.
  mutating func run(_ slot: EmitterSlot, from begin: Int, isScheduled: Bool) {
    changePlaylist(of: slot) { $0.isScheduled = isScheduled }
    guard let playlist = scene.playlist(of: slot) else { return }
    let position = scene.emitters[slot].clock.position(at: now)
    let wasPaused = scene.emitters[slot].hasSounded
    let course = LogicalClock.Course(frameCount: playlist.timeline.read(\.length) ?? .max)
    let (step, now) = (scene.step(of: slot), now)
    scene.modify(slot) {
      ($0.began, $0.switched) = (begin, now)
      $0.clock = LogicalClock(course, at: begin, place: wasPaused ? position : Double(playlist.position), step: 0)
      $0.clock.setStep(step, at: begin)
    }
    // A source that was paused in the middle of its queue starts at a moment only from a new queue.
    if scene.emitters[slot].voice != nil, begin > now, wasPaused { giveUpVoice(slot, .cuts) }
    // A paused bus keeps a voice at rest until it is resumed.
    if scene.mixer.buses[scene.emitters.bus(of: slot)].totals.isPaused { return }
    if scene.emitters[slot].voice != nil { return wake(slot) }
    if begin - now <= scene.frames(ofMilliseconds: WorldScene.reservation) { takePlayerVoice(slot) }
  }

  /// Plays another timeline from a position on, in the present state of the player.
  mutating func replaceTimeline(_ slot: EmitterSlot, _ loaded: LoadedSound, _ position: Int) {
    load(loaded, of: slot)
    forgetPrevious(slot)
    cancelReplacementReader(slot)
    let hadVoice = scene.emitters[slot].voice != nil
    if hadVoice { giveUpVoice(slot, .fades) }
    guard scene.isRunning(slot) else {
      if hadVoice { prepareVoice(slot) }
      return
    }
    let step = scene.emitters[slot].clock.step
    let begin = max(now, scene.emitters[slot].began)
    let course = LogicalClock.Course(frameCount: scene.playlist(of: slot)?.timeline.read(\.length) ?? .max)
    scene.modify(slot) { $0.clock = LogicalClock(course, at: begin, place: Double(position), step: step) }
    if scene.emitters[slot].status == .paused {
      if hadVoice { prepareVoice(slot) }
      return
    }
    let newStep = self.scene.step(of: slot)
    scene.modify(slot) { $0.clock.setStep(newStep, at: begin) }
    if scene.emitters[slot].status == .pausing { return rest(slot, keepsVoice: false) }
    changePlaylist(of: slot) { $0.isScheduled = false }
    if begin - now <= scene.frames(ofMilliseconds: WorldScene.reservation) { takePlayerVoice(slot) }
  }

  /// Whether the mix waits while a reader is opened, so that its voice begins in time without a lead.
  ///
  /// A start without a moment is whole mixes late where another thread mixes, also from memory.
  var mixWaits: Bool { scene.time.mixesByFrames && outbox.context.device.mixesOnRequest }

  /// The least number of frames that the reader of a changed timeline needs before the two timelines differ.
  private var replacementFrames: Int { mixWaits ? 3 * MixTime.tick : scene.frames(ofMilliseconds: 200) }

  /// The least number of frames of its timeline that a player plays before another reader can play a changed timeline.
  ///
  /// A player that does not play waits for its reader. The clock of a stopped player keeps the step that it had.
  func neededFrames(of slot: EmitterSlot) -> Int {
    guard scene.emitters[slot].status == .playing || scene.emitters[slot].status == .stopping else { return 0 }
    return Int(saturating: (Double(replacementFrames) * max(scene.emitters[slot].clock.step, 0)).rounded(.up))
  }

  /// Lets the voices of a player follow a change of its timeline.
  private mutating func followTimeline(_ change: TimelineChange, _ slot: EmitterSlot) {
    if case .none = change { return }
    // The other reader has a copy of the old timeline.
    cancelReplacementReader(slot)
    switch change {
    case .none, .late: break
    case .made: scene.updateLength(of: slot)
    case .reloaded(let old): beginReplacementVoice(slot, after: old, offset: 0)
    }
  }

  mutating func setPlayerRepeats(_ repeats: Repeats, of slot: EmitterSlot) {
    updateCurrentSound(slot)
    let (position, frames) = (scene.playerPosition(of: slot), neededFrames(of: slot))
    let change = changePlaylist(of: slot) { $0.setRepeats(repeats, at: position, needing: frames) }
    if let change { followTimeline(change, slot) }
  }

  mutating func setPlayerLoopRange(_ range: Range<Int>?, of slot: EmitterSlot) {
    updateCurrentSound(slot)
    guard let playlist = scene.playlist(of: slot), range != playlist.current.loopRange else { return }
    let length = playlist.current.sound.frameCount ?? .max
    if let range, range.clamped(to: 0..<length).isEmpty {
      outbox.report(.loopRangeIgnored(range, playlist.current.sound.name, frameCount: length))
      return
    }
    if let range { reportCut(range, of: playlist.current.sound) }
    let old = scene.playerPosition(of: slot)
    let frame = playlist.frame(at: old)
    changePlaylist(of: slot) { $0.changeCurrent { $0.loopRange = range } }
    guard let position = changePlaylist(of: slot, { $0.seek(toFrame: frame) }) else { return }
    guard scene.isRunning(slot), scene.emitters[slot].voice != nil, isHeard(slot),
      scene.emitters[slot].status == .playing
    else {
      if let loaded = self.scene.playlist(of: slot)?.loaded { replaceTimeline(slot, loaded, position) }
      return
    }
    let now = now
    scene.modify(slot) { $0.clock.seek(to: Double(position), at: max(now, $0.began)) }
    beginReplacementVoice(slot, after: playlist.timeline, offset: old - position)
  }

  /// Reports the loop range of a player's sound, if a part of the range is not inside of the sound.
  mutating func reportCut(of opened: OpenedSound) {
    if let range = opened.definition.loopRange { reportCut(range, of: opened) }
  }

  /// Reports each loop range of a sound once, if a part of the range is not inside of the sound.
  mutating func reportCut(_ range: Range<Int>, of opened: OpenedSound) {
    guard let count = opened.frameCount, range.clamped(to: 0..<count) != range else { return }
    guard outbox.isNew("", about: ReportKey.loopRange(range, ofSound: opened.name)) else { return }
    outbox.report(.loopRangeCut(range, opened.name, to: range.clamped(to: 0..<count), frameCount: count))
  }

  mutating func append(_ entry: Playlist.Entry, to slot: EmitterSlot) {
    let (position, frames) = (scene.playerPosition(of: slot), neededFrames(of: slot))
    let change = changePlaylist(of: slot) { $0.append(entry, at: position, needing: frames) }
    if let change { followTimeline(change, slot) }
  }

  /// Ends the loop of the present sound with its present lap, and removes what follows.
  mutating func endLoop(of slot: EmitterSlot) {
    let (position, frames) = (scene.playerPosition(of: slot), neededFrames(of: slot))
    let change = changePlaylist(of: slot) { $0.endLoop(at: position, needing: frames) }
    if let change { followTimeline(change, slot) }
    changePlaylist(of: slot) { $0.removeLater() }
  }

  /// Whether a player waits for the reader of its first voice: it misses nothing of its sound.
  func awaitsReader(_ slot: EmitterSlot) -> Bool {
    guard let voice = scene.emitters[slot].voice, voices[voice].state == .opening, voices[voice].role == .plain,
      !scene.emitters[slot].hasSounded
    else {
      return false
    }
    let isFirst = scene.emitters[slot].switched - scene.emitters[slot].began <= scene.frames(ofMilliseconds: 50)
    return isFirst && scene.playlist(of: slot)?.isScheduled == false
  }

  /// Lets the clock of a player run from its position at a frame.
  mutating func beginPlayer(_ slot: EmitterSlot, at frame: Int) {
    guard let playlist = scene.playlist(of: slot) else { return }
    scene.modify(slot) {
      $0.clock.seek(to: Double(playlist.position), at: frame)
      $0.began = frame
    }
  }

  /// Lets calls act on the sound that plays at the present frame: the tick that switches to it may not have come.
  mutating func updateCurrentSound(_ slot: EmitterSlot) {
    if scene.emitters[slot].status == .playing, let end = scene.emitters[slot].clock.end, end <= now,
      scene.playlist(of: slot)?.hasNextTimeline == true
    {
      endTimeline(slot)
    }
    postProgress(of: slot)
  }

  /// Posts the laps and the failures before the present position, and forgets the sounds that are over.
  mutating func postProgress(of slot: EmitterSlot) {
    let position = scene.playerPosition(of: slot)
    postProgress(of: slot, until: position)
  }

  mutating func postProgress(of slot: EmitterSlot, until position: Int) {
    guard let player = scene.emitters[slot].player,
      let progress = scene.players[player].playlist?.takeProgress(until: position), !progress.isEmpty
    else { return }
    if progress.newLaps > 0 { post(.looped(progress.newLaps), ofPlayer: slot) }
    for problem in progress.problems { post(.decodeError(problem.sentence), ofPlayer: slot) }
    if progress.isPassed { cancelReplacementReader(slot) }
    let hasReader = scene.emitters[slot].voice != nil
    changePlaylist(of: slot) { $0.finish(progress, at: position, hasReader: hasReader) }
  }

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
    case .discard: cancelUpcoming(slot)
    case .begin(let frame, let entry):
      cancelUpcoming(slot)
      prepare(slot, entry, begin: frame)
    }
  }

  mutating func prepare(_ slot: EmitterSlot, _ entry: Playlist.Entry?, begin: Int) {
    guard let playlist = scene.playlist(of: slot) else { return }
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
    if scene.emitters[slot].isSounding, scene.emitters[slot].began <= now {
      return scene.emitters[slot].voice != nil
    }
    let bus = scene.emitters.bus(of: slot)
    guard !scene.mixer.buses[bus].totals.isPaused, scene.audibility(of: slot).audible >= Audibility.threshold else {
      return false
    }
    return makeRoom(for: slot)
  }

  /// Plays the next timeline, from the frame at which it begins.
  mutating func switchToUpcoming(_ slot: EmitterSlot, _ silencing: Voice.Silencing) {
    guard let next = scene.playlist(of: slot)?.upcoming else { return }
    cancelReplacementReader(slot)
    if let key = scene.playlist(of: slot)?.replacementVoice { takeOver(slot, key) }
    if scene.emitters[slot].voice != nil { giveUpVoice(slot, silencing) }
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
    let (step, now) = (scene.step(of: slot), now)
    scene.modify(slot) {
      $0.clock = LogicalClock(course, at: next.begin, step: 0)
      $0.clock.setStep(step, at: next.begin)
      ($0.began, $0.switched) = (next.begin, now)
    }
    if let key = next.voice, voices.isTaken(key),
      !scene.emitters[slot].isLimited
    {
      voices.becomePlain(key.voice)
      let hasSounded = voices[key.voice].state == .sounding
      scene.modify(slot) { ($0.voice, $0.hasSounded) = (key.voice, hasSounded) }
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
      guard scene.emitters[slot].isSounding, let end = scene.emitters[slot].clock.end, end <= now else { return }
      let goesOn = scene.emitters[slot].status == .playing || scene.emitters[slot].status == .pausing
      guard let playlist = scene.playlist(of: slot), playlist.hasNextTimeline, goesOn else {
        return self.end(slot, .played)
      }
      postProgress(of: slot, until: .max / 2)
      if playlist.upcoming == nil || playlist.upcoming?.entry != nil { prepare(slot, nil, begin: end) }
      switchToUpcoming(slot, .drains)
    }
  }

  /// Changes the playlist of a slot; the sounds that it discards go to the release queue.
  ///
  /// Reports a pan that has no effect on the sound that is the current one then.
  @discardableResult
  mutating func changePlaylist<Value>(of slot: EmitterSlot, _ body: (inout Playlist) -> Value) -> Value? {
    guard let player = scene.emitters[slot].player else { return nil }
    let value = scene.players[player].playlist?.change(body)
    if let sounds = scene.players[player].playlist?.change({ $0.takeReleased() }) { outbox.release(sounds) }
    if let diagnostic = scene.players[player].playlist?.reportPan() { outbox.report(diagnostic) }
    return value
  }

  /// Makes a loaded timeline the sound of a slot.
  mutating func load(_ loaded: LoadedSound, of slot: EmitterSlot) {
    guard let player = scene.emitters[slot].player else { return }
    if let old = scene.sounds[scene.emitters[slot].sound].loaded { outbox.release(old) }
    _ = scene.sounds.finish(scene.players[player].key, loaded)
    scene.updateWeight(of: slot)
  }
}
