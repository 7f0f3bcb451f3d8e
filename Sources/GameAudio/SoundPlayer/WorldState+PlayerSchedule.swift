internal import PCM
internal import Spatial3D

// The sounds of the playlist, their repetitions and loops, and interruptions.

extension WorldState {
  /// Whether the mix waits while a reader is opened, so that its voice begins in time without a lead.
  ///
  /// A start without a moment is whole mixes late where another thread mixes, also from memory.
  var mixWaits: Bool { time.mixesByFrames && outbox.context.device.mixesOnRequest }

  /// The least number of frames that the reader of a changed timeline needs before the two timelines differ.
  private var replacementFrames: Int { mixWaits ? 3 * AudioWorld.tick : frames(ofMilliseconds: 200) }

  /// The least number of frames of its timeline that a player plays before another reader can play a changed timeline.
  ///
  /// A player that does not play waits for its reader. The clock of a stopped player keeps the step that it had.
  func neededFrames(of slot: EmitterSlot) -> Int {
    guard emitters[slot].status == .playing || emitters[slot].status == .stopping else { return 0 }
    return Int(saturating: (Double(replacementFrames) * max(emitters[slot].clock.step, 0)).rounded(.up))
  }

  /// Lets the voices of a player follow a change of its timeline.
  private mutating func follow(_ change: TimelineChange, _ slot: EmitterSlot) {
    if case .none = change { return }
    // The other reader has a copy of the old timeline.
    cancelReplacementReader(slot)
    switch change {
    case .none, .late: break
    case .made: updateLength(of: slot)
    case .reloaded(let old): beginReplacementVoice(slot, after: old, offset: 0)
    }
  }

  mutating func setPlayerRepeats(_ repeats: Repeats, of slot: EmitterSlot) {
    updateCurrentSound(slot)
    let (position, frames) = (playerPosition(of: slot), neededFrames(of: slot))
    let change = changePlaylist(of: slot) { $0.setRepeats(repeats, at: position, needing: frames) }
    if let change { follow(change, slot) }
  }

  mutating func setPlayerLoopRange(_ range: Range<Int>?, of slot: EmitterSlot) {
    updateCurrentSound(slot)
    guard let playlist = playlist(of: slot), range != playlist.current.loopRange else { return }
    let length = playlist.current.sound.frameCount ?? .max
    if let range, range.clamped(to: 0..<length).isEmpty {
      outbox.report(.loopRangeIgnored(range, playlist.current.sound.name, frameCount: length))
      return
    }
    if let range { reportCut(range, of: playlist.current.sound) }
    let old = playerPosition(of: slot)
    let frame = playlist.frame(at: old)
    changePlaylist(of: slot) { $0.changeCurrent { $0.loopRange = range } }
    guard let position = changePlaylist(of: slot, { $0.seek(toFrame: frame) }) else { return }
    guard isRunning(slot), emitters[slot].voice != nil, isHeard(slot), emitters[slot].status == .playing
    else {
      if let loaded = self.playlist(of: slot)?.loaded { replaceTimeline(slot, loaded, position) }
      return
    }
    let now = now
    modify(slot) { $0.clock.seek(to: Double(position), at: max(now, $0.began)) }
    beginReplacementVoice(slot, after: playlist.timeline, offset: old - position)
  }

  /// Reports the loop range of a player's sound, if a part of the range is not inside of the sound.
  mutating func reportCut(of opened: OpenedSound) {
    if let range = opened.definition.loopRange { reportCut(range, of: opened) }
  }

  /// Reports each loop range of a sound once, if a part of the range is not inside of the sound.
  private mutating func reportCut(_ range: Range<Int>, of opened: OpenedSound) {
    guard let count = opened.frameCount, range.clamped(to: 0..<count) != range else { return }
    guard outbox.isNew("", about: ReportKey.loopRange(range, ofSound: opened.name)) else { return }
    outbox.report(.loopRangeCut(range, opened.name, to: range.clamped(to: 0..<count), frameCount: count))
  }

  /// Puts a sound into the playlist of a player.
  mutating func schedule(_ opened: OpenedSound, _ position: PlaylistPosition, repeats: Repeats, of slot: EmitterSlot) {
    reportCut(of: opened)
    guard let entry = changePlaylist(of: slot, { $0.makeEntry(opened, repeats: repeats) }) else { return }
    updateCurrentSound(slot)
    switch position {
    case .afterQueue: append(entry, to: slot)
    case .now:
      cancelSecondVoices(slot)
      let isPlaying = emitters[slot].status == .playing
      changePlaylist(of: slot) { $0.replaceEntries(with: entry) }
      if let loaded = playlist(of: slot)?.loaded { replaceTimeline(slot, loaded, 0) }
      if !isPlaying, isRunning(slot) { stopPlayer(slot) }
    case .atLoopEnd:
      cancelSecondVoices(slot)
      endLoop(of: slot)
      append(entry, to: slot)
    case .at(let moment):
      let sound = Playlist.ScheduledSound(entry: entry, begin: max(min(frames(in: moment), Frames.last), now))
      changePlaylist(of: slot) { $0.insert(sound) }
      stepPlayers()
    }
  }

  private mutating func append(_ entry: Playlist.Entry, to slot: EmitterSlot) {
    let (position, frames) = (playerPosition(of: slot), neededFrames(of: slot))
    let change = changePlaylist(of: slot) { $0.append(entry, at: position, needing: frames) }
    if let change { follow(change, slot) }
  }

  /// Ends the loop of the present sound with its present lap, and removes what follows.
  private mutating func endLoop(of slot: EmitterSlot) {
    let (position, frames) = (playerPosition(of: slot), neededFrames(of: slot))
    let change = changePlaylist(of: slot) { $0.endLoop(at: position, needing: frames) }
    if let change { follow(change, slot) }
    changePlaylist(of: slot) { $0.removeLater() }
  }
}

// MARK: - Interruptions

extension WorldState {
  /// Pauses each player that plays; the end of an interruption does not resume those that it has paused.
  mutating func pausePlayers() {
    for player in players.indices {
      guard let playlist = players[player].playlist else { continue }
      if isPlaying(playlist) { pausePlayer(playlist.slot) } else if playlist.isInterrupted { touch(playlist.slot) }
    }
  }

  /// Pauses each player that plays, and posts the beginning of the interruption; without a fade if the mix stands
  /// still.
  mutating func beginInterruption(isStanding: Bool) {
    for player in players.indices {
      guard let playlist = players[player].playlist, isPlaying(playlist) else { continue }
      let slot = playlist.slot
      if isStanding { haltPlayer(slot) } else { pausePlayer(slot) }
      changePlaylist(of: slot) { ($0.isInterrupted, $0.isUntouched) = (true, true) }
      post(.interruptionBegan, ofPlayer: slot)
    }
  }

  private func isPlaying(_ playlist: Playlist) -> Bool {
    emitters[playlist.slot].status == .playing || playlist.isWaiting
  }

  /// Posts the end of the interruption to the players that it has paused.
  ///
  /// With a rewind, those that no call has touched since go on, that much earlier.
  mutating func endInterruption(shouldResume: Bool, rewind: Duration?) {
    for player in players.indices {
      guard let playlist = players[player].playlist, playlist.isInterrupted else { continue }
      changePlaylist(of: playlist.slot) { ($0.isInterrupted, $0.isUntouched) = (false, false) }
      post(.interruptionEnded(shouldResume: shouldResume), ofPlayer: playlist.slot)
      guard shouldResume, playlist.isUntouched, let rewind else { continue }
      updateCurrentSound(playlist.slot)
      guard let current = self.playlist(of: playlist.slot) else { continue }
      let frames = current.current.sound.format.frameCount(in: max(rewind, .zero))
      let position = playerPosition(of: playlist.slot)
      if frames > 0 { seekPlayer(playlist.slot, toFrame: max(current.frame(at: position) - frames, 0)) }
      playPlayer(playlist.slot)
    }
  }
}
