internal import PCM
internal import Spatial3D

// The states of a player, and the changes between them.

extension WorldState {
  /// Plays a player from its position, or resumes a paused player, at a frame of the mix or now.
  mutating func playPlayer(_ slot: EmitterSlot, at moment: Int? = nil, fadingIn fade: Fade? = nil) {
    playback.changePlaylist(of: slot) { $0.overrideInterruption() }
    playback.finishWaiting(slot)
    switch playback.scene.emitters[slot].status {
    case .playing:
      // A start that has not come may have another moment.
      guard moment != nil, playback.scene.emitters[slot].began > playback.now,
        let player = playback.scene.emitters[slot].player
      else {
        return
      }
      let ends = playback.scene.players[player].ends
      // The tasks that wait for the end of the sound wait on.
      playback.scene.players[player].ends = Observers()
      stopPlayer(slot, keepsScheduledSounds: true)
      playback.scene.players[player].ends = ends
    case .pausing:
      playback.changePlaylist(of: slot) { $0.silentSince = nil }
      let voice = playback.scene.emitters[slot].voice
      guard moment != nil else {
        playback.scene.modify(slot) { ($0.status, $0.fade) = (.playing, 1) }
        guard let voice, playback.voices.isSounding(voice) else { return }
        // The pause has silenced the voice, maybe since the last mix.
        let (channelCount, stem) = (playback.voices[voice].channelCount, playback.voices[voice].stem)
        let gain = playback.scene.voiceValues(of: slot, channelCount: channelCount, in: stem).gain
        return playback.voices.setGain(gain, of: voice, &playback.outbox.commands)
      }
      // The voice is not silent yet.
      if voice != nil { playback.giveUpVoice(slot, .fades) }
      playback.completePlayerPause(of: slot, keepsVoice: false)
    case .stopping:
      guard moment != nil else {
        // The voice goes on, and the level rises from the level in force.
        playback.scene.removeFade(of: slot, .level)
        playback.scene.modify(slot) { $0.status = .playing }
        return playback.complete(playback.scene.beginFade(of: slot, .level, to: .unity, fade ?? .declick))
      }
      stopPlayer(slot, keepsScheduledSounds: true)
    case .idle, .loading, .pausedBeforeStart:
      // A player that waits for a sound plays.
      guard moment != nil || playback.scene.playlist(of: slot)?.awaitsOpening != true else {
        playback.changePlaylist(of: slot) { $0.setWaitPaused(false) }
        return
      }
    case .paused: break
    }
    let begin = moment.map { min(max($0, playback.now), Frames.last) } ?? playback.now
    if playback.scene.emitters[slot].status == .paused {
      prepareMix()
      playback.scene.modify(slot) { $0.status = .playing }
    } else {
      guard let playlist = playback.scene.playlist(of: slot) else { return }
      if playlist.isEnd(playlist.position) { seekPlayer(slot, toFrame: 0) }
      guard admitPlayer(slot, at: begin) else { return }
    }
    playback.run(slot, from: begin, isScheduled: moment != nil)
    guard let fade, fade.duration > .zero else { return }
    // The weight keeps the full level: with a level of zero, the next choice would not consider the player.
    playback.scene.emitters.store(slot) { $0.fade = 0 }
    playback.complete(playback.scene.beginFade(of: slot, .level, to: .unity, fade))
    guard let voice = playback.scene.emitters[slot].voice, playback.voices.isSounding(voice) else { return }
    playback.voices.setGain(0, of: voice, &playback.outbox.commands)
  }

  /// Lets a player that has no sound play, if the limits admit it.
  private mutating func admitPlayer(_ slot: EmitterSlot, at begin: Int) -> Bool {
    prepareBeginning(of: slot, at: begin)
    guard admitBeginning(of: slot, as: .playing) else {
      playback.postEnd(.refused, ofPlayer: slot, isDeferred: true)
      return false
    }
    playback.scene.modify(slot) { $0.fade = 1 }
    playback.changePlaylist(of: slot) { ($0.hasFailed, $0.wait) = (false, .none) }
    return true
  }

  /// Reserves a voice for a player that does not play, and opens its stream.
  mutating func preparePlayer(_ slot: EmitterSlot) {
    if !playback.scene.isRunning(slot) || playback.scene.emitters[slot].status == .paused {
      if let playlist = playback.scene.playlist(of: slot), playlist.isEnd(playlist.position),
        !playback.scene.isRunning(slot)
      {
        seekPlayer(slot, toFrame: 0)
      }
      guard let voice = playback.scene.emitters[slot].voice else { return playback.prepareVoice(slot) }
      // It is being opened for another task.
      if playback.voices[voice].state == .opening { return }
    }
    playback.finishWaiting(slot)
  }

  /// Pauses a player in 10 ms, or at once; it keeps its voice.
  mutating func pausePlayer(_ slot: EmitterSlot, fades: Bool = true) {
    playback.updateCurrentSound(slot)
    playback.changePlaylist(of: slot) { playlist in
      playlist.overrideInterruption()
      playlist.setWaitPaused(true)
    }
    guard playback.scene.emitters[slot].status == .playing || playback.scene.emitters[slot].status == .stopping else {
      return
    }
    playback.keepOneVoice(slot)
    playback.scene.removeFade(of: slot, .level)
    let isAudible = playback.isHeard(slot) && playback.scene.emitters[slot].began <= playback.now
    guard fades, isAudible, let voice = playback.scene.emitters[slot].voice else {
      return playback.completePlayerPause(of: slot, keepsVoice: isAudible)
    }
    playback.scene.modify(slot) { ($0.status, $0.fade) = (.pausing, 0) }
    playback.voices.setGain(0, of: voice, &playback.outbox.commands)
    let now = playback.now
    playback.changePlaylist(of: slot) { $0.silentSince = now }
  }

  /// Stops a player at its position; its reader, its queue and its voice are free.
  mutating func stopPlayer(_ slot: EmitterSlot, keepsScheduledSounds: Bool = false) {
    playback.changePlaylist(of: slot) { playlist in
      playlist.overrideInterruption()
      if !keepsScheduledSounds { playlist.removeScheduledSounds() }
      playlist.wait = .none
    }
    if playback.scene.emitters[slot].status != .idle { return playback.end(slot, .stopped) }
    playback.keepOneVoice(slot)
    if playback.scene.emitters[slot].voice != nil { playback.giveUpVoice(slot, .fades) }
    playback.finishWaiting(slot)
    // A player without a sound may have waited for the next one.
    playback.postEnd(.stopped, ofPlayer: slot, isDeferred: false)
  }

  /// Fades a player out, to a stop at its position then.
  mutating func fadeOutPlayer(_ slot: EmitterSlot, _ fade: Fade) {
    guard playback.scene.emitters[slot].status != .idle else { return stopPlayer(slot) }
    playback.giveUpVoices(.upcoming, of: slot)
    playback.changePlaylist(of: slot) { playlist in
      playlist.overrideInterruption()
      playlist.removeScheduledSounds()
    }
    stop(slot, fade)
  }

  /// Moves a player to a frame of the current sound.
  mutating func seekPlayer(_ slot: EmitterSlot, toFrame frame: Int) {
    playback.updateCurrentSound(slot)
    playback.keepOneVoice(slot)
    let position = playback.changePlaylist(of: slot) { playlist in
      playlist.overrideInterruption()
      return playlist.seek(toFrame: frame)
    }
    if let position { playback.replaceTimeline(slot, position) }
  }
}

// MARK: - Ticks

extension WorldState {
  /// Advances the players to the present frame of the mix.
  mutating func stepPlayers() {
    for player in playback.scene.players.indices {
      guard let slot = playback.scene.players.slot(of: player) else { continue }
      let hasScheduledSound = playback.scene.players.hasScheduledSound(player)
      if hasScheduledSound { beginScheduledSound(slot) }
      if playback.scene.emitters[slot].isSounding, playback.scene.emitters[slot].began <= playback.now {
        playback.stepPlayer(slot)
      } else if hasScheduledSound {
        playback.planUpcoming(slot)
      }
    }
  }

  /// Begins the first scheduled sound of a player if its time has come, whatever the state of the player is.
  private mutating func beginScheduledSound(_ slot: EmitterSlot) {
    let now = playback.now
    guard let (sound, isPrepared) = playback.changePlaylist(of: slot, { $0.takeDueSound(at: now) }) ?? nil else {
      return
    }
    if !isPrepared { playback.prepareUpcoming(slot, sound.entry, begin: sound.begin) }
    playback.changePlaylist(of: slot) { playlist in
      playlist.overrideInterruption()
      playlist.silentSince = nil
    }
    playback.finishWaiting(slot)
    switch playback.scene.emitters[slot].status {
    case .playing: break
    case .idle, .loading, .pausedBeforeStart:
      guard admitPlayer(slot, at: now) else { return playback.giveUpVoices(.upcoming, of: slot) }
    case .pausing, .stopping, .paused:
      if playback.scene.emitters[slot].status == .paused {
        prepareMix()
      } else {
        playback.scene.removeFade(of: slot, .level)
      }
      playback.scene.modify(slot) { ($0.status, $0.fade) = (.playing, 1) }
    }
    playback.switchToUpcoming(slot, .fades)
  }
}
