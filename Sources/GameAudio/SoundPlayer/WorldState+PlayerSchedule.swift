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

  /// Changes the timeline behind the present position; another voice goes on with it if the reader has come
  /// too far.
  ///
  /// Returns whether the change is in force.
  private mutating func changeTimeline(
    _ slot: EmitterSlot,
    adding entry: Playlist.Entry? = nil,
    _ body: (inout PlaybackTimeline) -> Int?
  )
    -> Bool
  {
    guard let playlist = playlist(of: slot) else { return false }
    let change = playlist.timeline.change(adding: entry.map { ($0.id, $0.sound) }, body)
    if change == .none { return true }
    // The other reader has a copy of the old timeline.
    cancelReplacementReader(slot)
    if change == .made {
      updateLength(of: slot)
      return true
    }
    var timeline = playlist.timeline.copy
    let divergence = body(&timeline) ?? .max
    guard divergence - playerPosition(of: slot) >= neededFrames(of: slot) else { return false }
    changePlaylist(of: slot) { $0.reload(body) }
    beginReplacementVoice(slot, after: playlist.timeline, offset: 0)
    return true
  }

  mutating func setPlayerRepeats(_ repeats: Repeats, of slot: EmitterSlot) {
    updateCurrentSound(slot)
    changePlaylist(of: slot) { playlist in playlist.changeCurrent { $0.repeats = repeats } }
    let position = playerPosition(of: slot)
    guard !changeTimeline(slot, { $0.setRepeats(repeats, at: position) }) else { return }
    // The laps play as well that begin before another reader could play.
    guard let timeline = playlist(of: slot)?.timeline.copy, let place = timeline.location(at: position) else { return }
    let least: Repeats = .times(place.lap + timeline.laps(until: neededFrames(of: slot), behind: place))
    _ = changeTimeline(slot) { $0.setRepeats(least, at: position) }
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
    guard
      let position = changePlaylist(
        of: slot,
        { playlist in
          playlist.changeCurrent { $0.loopRange = range }
          return playlist.rewind(toFrame: frame)
        }
      )
    else { return }
    changePlaylist(of: slot) { $0.position = position }
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
  mutating func schedule(_ opened: OpenedSound, _ slot: PlaylistPosition, repeats: Repeats, of index: Int) {
    reportCut(of: opened)
    guard let entry = changePlaylist(of: index, { $0.makeEntry(opened, repeats: repeats) }) else { return }
    updateCurrentSound(index)
    switch slot {
    case .afterQueue: append(entry, to: index)
    case .now:
      cancelSecondVoices(index)
      let isPlaying = emitters[index].status == .playing
      changePlaylist(of: index) { $0.replaceEntries(with: entry) }
      if let loaded = playlist(of: index)?.loaded { replaceTimeline(index, loaded, 0) }
      if !isPlaying, isRunning(index) { stopPlayer(index) }
    case .atLoopEnd:
      cancelSecondVoices(index)
      endLoop(of: index)
      append(entry, to: index)
    case .at(let moment):
      let scheduledSound = Playlist.ScheduledSound(entry: entry, begin: max(min(frames(in: moment), Frames.last), now))
      changePlaylist(of: index) { playlist in
        let place =
          playlist.scheduledSounds.firstIndex { $0.begin > scheduledSound.begin } ?? playlist.scheduledSounds.count
        playlist.scheduledSounds.insert(scheduledSound, at: place)
      }
      stepPlayers()
    }
  }

  private mutating func append(_ entry: Playlist.Entry, to slot: EmitterSlot) {
    let isOnTimeline = changePlaylist(of: slot) { $0.append(entry) } ?? false
    // The voice of the upcoming timeline begins the sound on the frame where the time is too short for another reader.
    if isOnTimeline { _ = changeTimeline(slot, adding: entry) { $0.append(entry.piece) } }
  }

  /// Ends the loop of the present sound with its present lap, and removes what follows.
  private mutating func endLoop(of slot: EmitterSlot) {
    let position = playerPosition(of: slot)
    if !changeTimeline(slot, { $0.endWithLap(at: position) }) {
      // The next laps, or the next sounds, have been read: another reader would come too late for the end of this lap.
      // The first lap that ends late enough is the last one of its sound.
      let last = Frames.sum(position, max(neededFrames(of: slot) - 1, 0))
      _ = changeTimeline(slot) { $0.endWithLap(at: last) }
    }
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
