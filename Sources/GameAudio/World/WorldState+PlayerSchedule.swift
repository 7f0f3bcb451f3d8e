internal import PCM
internal import Spatial3D

// The sounds of the playlist, and the interruptions of all players.

extension WorldState {
  /// Puts a sound into the playlist of a player.
  mutating func schedule(_ opened: OpenedSound, _ position: PlaylistPosition, repeats: Repeats, of slot: EmitterSlot) {
    playback.outbox.report(playback.outbox.soundReports.cut(opened.definition.loopRange, of: opened))
    guard let entry = playback.changePlaylist(of: slot, { $0.makeEntry(opened, repeats: repeats) }) else { return }
    playback.updateCurrentSound(slot)
    switch position {
    case .afterQueue:
      playback.changeTimeline(of: slot) { $0.append(entry, at: $1, needing: $2) }
    case .now:
      playback.keepOneVoice(slot)
      let isPlaying = playback.scene.emitters[slot].status == .playing
      playback.changePlaylist(of: slot) { $0.replaceEntries(with: entry) }
      playback.replaceTimeline(slot, 0)
      if !isPlaying, playback.scene.isRunning(slot) { stopPlayer(slot) }
    case .atLoopEnd:
      playback.keepOneVoice(slot)
      playback.changeTimeline(of: slot) { $0.endLoop(at: $1, needing: $2) }
      playback.changePlaylist(of: slot) { $0.removeLater() }
      playback.changeTimeline(of: slot) { $0.append(entry, at: $1, needing: $2) }
    case .at(let moment):
      let begin = max(min(playback.scene.frames(in: moment), Frames.last), playback.now)
      playback.changePlaylist(of: slot) { $0.insert(Playlist.ScheduledSound(entry: entry, begin: begin)) }
      stepPlayers()
    }
  }

  /// Puts a sound that was opened into the playlist of a player, or reports that it could not be opened.
  mutating func finishOpening(
    _ result: Result<OpenedSound, GameAudioError>,
    _ position: PlaylistPosition,
    repeats: Repeats,
    for id: EmitterKey
  ) {
    let opened = try? result.get()
    if case .failure(let error) = result { playback.outbox.report(.soundUnavailable(error.message)) }
    guard playback.scene.emitters.has(id) else {
      if let opened { playback.outbox.release(opened) }
      return
    }
    let slot = id.slot
    if case .failure(let error) = result {
      playback.post(.decodeError(error.message), ofPlayer: slot, isDeferred: true)
    }
    let isAtMoment = if case .at = position { true } else { false }
    switch playback.changePlaylist(of: slot, { $0.finishOpening(hasMoment: isAtMoment, hasFailed: opened == nil) }) {
    case .joins: if let opened { schedule(opened, position, repeats: repeats, of: slot) }
    case .replaces(let plays):
      if let opened { schedule(opened, .now, repeats: repeats, of: slot) }
      if plays { playPlayer(slot) }
    case .endsWait(let reason):
      // The sound begins by itself, and the playlist is over until then. A start at a moment that has passed, also a
      // start that a limit refuses, has an order of its own.
      let order = playback.scene.emitters[slot].order
      if let opened { schedule(opened, position, repeats: repeats, of: slot) }
      guard playback.scene.emitters[slot].order == order else { return }
      playback.postEnd(reason, ofPlayer: slot, isDeferred: true)
    case nil: break
    }
  }
}

// MARK: - Interruptions

extension WorldState {
  /// Pauses each player that plays, without a fade if the mix stands still.
  ///
  /// An interruption posts its beginning to them, and its end may resume them. The end of an interruption does not
  /// resume the players that a call pauses.
  mutating func pauseAllPlayers(byInterruption isInterruption: Bool = false, fades: Bool = true) {
    for player in playback.scene.players.indices {
      guard let playlist = playback.scene.players[player].playlist else { continue }
      let slot = playlist.slot
      guard playback.scene.emitters[slot].status == .playing || playlist.isWaiting else {
        if !isInterruption { playback.changePlaylist(of: slot) { $0.overrideInterruption() } }
        continue
      }
      pausePlayer(slot, fades: fades)
      guard isInterruption else { continue }
      playback.changePlaylist(of: slot) { $0.interruption = .paused }
      playback.post(.interruptionBegan, ofPlayer: slot)
    }
  }

  /// Posts the end of the interruption to the players that it has paused.
  ///
  /// With a rewind, the players that no call has changed since go on, that much earlier.
  mutating func resumeInterrupted(shouldResume: Bool, rewind: Duration?) {
    for player in playback.scene.players.indices {
      guard let playlist = playback.scene.players[player].playlist, playlist.interruption != .none else { continue }
      let slot = playlist.slot
      playback.changePlaylist(of: slot) { $0.interruption = .none }
      playback.post(.interruptionEnded(shouldResume: shouldResume), ofPlayer: slot)
      guard shouldResume, playlist.interruption == .paused, let rewind else { continue }
      playback.updateCurrentSound(slot)
      guard let current = playback.scene.playlist(of: slot) else { continue }
      let position = playback.scene.playerPosition(of: slot)
      if let frame = current.frame(rewind, before: position) { seekPlayer(slot, toFrame: frame) }
      playPlayer(slot)
    }
  }
}
