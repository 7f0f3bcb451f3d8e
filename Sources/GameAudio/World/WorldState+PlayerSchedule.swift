internal import PCM
internal import Spatial3D

// The sounds of the playlist, their repetitions and loops, and interruptions.

extension WorldState {
  /// Puts a sound into the playlist of a player.
  mutating func schedule(_ opened: OpenedSound, _ position: PlaylistPosition, repeats: Repeats, of slot: EmitterSlot) {
    playback.reportCut(of: opened)
    guard let entry = playback.changePlaylist(of: slot, { $0.makeEntry(opened, repeats: repeats) }) else { return }
    playback.updateCurrentSound(slot)
    switch position {
    case .afterQueue: playback.append(entry, to: slot)
    case .now:
      playback.cancelSecondVoices(slot)
      let isPlaying = playback.scene.emitters[slot].status == .playing
      playback.changePlaylist(of: slot) { $0.replaceEntries(with: entry) }
      if let loaded = playback.scene.playlist(of: slot)?.loaded { playback.replaceTimeline(slot, loaded, 0) }
      if !isPlaying, playback.scene.isRunning(slot) { stopPlayer(slot) }
    case .atLoopEnd:
      playback.cancelSecondVoices(slot)
      playback.endLoop(of: slot)
      playback.append(entry, to: slot)
    case .at(let moment):
      let sound = Playlist.ScheduledSound(
        entry: entry,
        begin: max(min(playback.scene.frames(in: moment), Frames.last), playback.now)
      )
      playback.changePlaylist(of: slot) { $0.insert(sound) }
      stepPlayers()
    }
  }

  /// Puts a sound that was opened into the playlist of a player; a player that has waited for the sound goes on.
  mutating func opened(
    _ opened: OpenedSound,
    _ place: PlaylistPosition,
    _ repeats: Repeats,
    for id: EmitterKey
  ) {
    guard playback.scene.emitters.has(id) else {
      playback.outbox.release(opened)
      return
    }
    let slot = id.slot
    playback.changePlaylist(of: slot) { $0.opening = max($0.opening - 1, 0) }
    guard let playlist = playback.scene.playlist(of: slot), playlist.awaitsOpening else {
      return schedule(opened, place, repeats: repeats, of: slot)
    }
    if case .at = place {
      // It begins by itself, and the playlist is over until then. A start at a moment that has passed, also one that a
      // limit refuses, has an order of its own.
      let order = playback.scene.emitters[slot].order
      if playlist.opening == 0 { playback.changePlaylist(of: slot) { $0.awaitsOpening = false } }
      schedule(opened, place, repeats: repeats, of: slot)
      guard playlist.opening == 0, playback.scene.emitters[slot].order == order else { return }
      return playback.postEnd(playlist.hasFailed ? .failed : .played, ofPlayer: slot, isDeferred: true)
    }
    playback.changePlaylist(of: slot) { $0.awaitsOpening = false }
    schedule(opened, .now, repeats: repeats, of: slot)
    if playlist.isWaiting { playPlayer(slot) }
  }

  mutating func openingFailed(_ sentence: String, for id: EmitterKey) {
    guard playback.scene.emitters.has(id) else { return }
    let slot = id.slot
    playback.post(.decodeError(sentence), ofPlayer: slot, isDeferred: true)
    playback.changePlaylist(of: slot) { ($0.opening, $0.hasFailed) = (max($0.opening - 1, 0), true) }
    // The wait of a player whose playlist is over ends, unless another sound is being opened.
    guard let playlist = playback.scene.playlist(of: slot), playlist.awaitsOpening, playlist.opening == 0 else {
      return
    }
    playback.changePlaylist(of: slot) { $0.awaitsOpening = false }
    playback.postEnd(.failed, ofPlayer: slot, isDeferred: true)
  }
}

// MARK: - Interruptions

extension WorldState {
  /// Pauses each player that plays; the end of an interruption does not resume those that it has paused.
  mutating func pausePlayers() {
    for player in playback.scene.players.indices {
      guard let playlist = playback.scene.players[player].playlist else { continue }
      if isPlaying(playlist) {
        pausePlayer(playlist.slot)
      } else if playlist.isInterrupted {
        playback.touch(playlist.slot)
      }
    }
  }

  /// Pauses each player that plays, and posts the beginning of the interruption; without a fade if the mix stands
  /// still.
  mutating func beginInterruption(isStanding: Bool) {
    for player in playback.scene.players.indices {
      guard let playlist = playback.scene.players[player].playlist, isPlaying(playlist) else { continue }
      let slot = playlist.slot
      if isStanding { haltPlayer(slot) } else { pausePlayer(slot) }
      playback.changePlaylist(of: slot) { ($0.isInterrupted, $0.isUntouched) = (true, true) }
      playback.post(.interruptionBegan, ofPlayer: slot)
    }
  }

  private func isPlaying(_ playlist: Playlist) -> Bool {
    playback.scene.emitters[playlist.slot].status == .playing || playlist.isWaiting
  }

  /// Posts the end of the interruption to the players that it has paused.
  ///
  /// With a rewind, those that no call has touched since go on, that much earlier.
  mutating func endInterruption(shouldResume: Bool, rewind: Duration?) {
    for player in playback.scene.players.indices {
      guard let playlist = playback.scene.players[player].playlist, playlist.isInterrupted else { continue }
      playback.changePlaylist(of: playlist.slot) { ($0.isInterrupted, $0.isUntouched) = (false, false) }
      playback.post(.interruptionEnded(shouldResume: shouldResume), ofPlayer: playlist.slot)
      guard shouldResume, playlist.isUntouched, let rewind else { continue }
      playback.updateCurrentSound(playlist.slot)
      guard let current = self.playback.scene.playlist(of: playlist.slot) else { continue }
      let frames = current.current.sound.format.frameCount(in: max(rewind, .zero))
      let position = playback.scene.playerPosition(of: playlist.slot)
      if frames > 0 { seekPlayer(playlist.slot, toFrame: max(current.frame(at: position) - frames, 0)) }
      playPlayer(playlist.slot)
    }
  }
}
