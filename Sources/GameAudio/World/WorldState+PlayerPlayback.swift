internal import PCM
internal import Spatial3D

// The states of a player, and the changes between them.

extension WorldState {
  /// Plays a player from its position, or resumes a paused one, at a frame of the mix or now.
  mutating func playPlayer(_ slot: EmitterSlot, at moment: Int? = nil, fadingIn fade: Fade? = nil) {
    playback.touch(slot)
    playback.finishWaiting(slot)
    let begin = moment.map { min(max($0, playback.now), Frames.last) } ?? playback.now
    switch playback.scene.emitters[slot].status {
    case .playing:
      // A start that has not come may have another moment.
      guard let moment, playback.scene.emitters[slot].began > playback.now else { return }
      guard let player = playback.scene.emitters[slot].player else { return }
      let ends = playback.scene.players[player].ends
      // The tasks that wait for the end of the sound wait on.
      playback.scene.players[player].ends = Observers()
      stopPlayer(slot, keepsScheduledSounds: true)
      playback.scene.players[player].ends = ends
      playPlayer(slot, at: moment, fadingIn: fade)
    case .pausing:
      playback.changePlaylist(of: slot) { $0.silentSince = nil }
      guard moment == nil else {
        // The voice is not silent yet.
        if playback.scene.emitters[slot].voice != nil { playback.giveUpVoice(slot, .fades) }
        playback.rest(slot, keepsVoice: false)
        return playPlayer(slot, at: moment, fadingIn: fade)
      }
      playback.scene.modify(slot) { ($0.status, $0.fade) = (.playing, 1) }
      guard let voice = playback.scene.emitters[slot].voice, playback.voices.isSounding(voice) else { return }
      // The pause has silenced the voice, maybe since the last mix.
      let gain = playback.scene.voiceValues(of: slot, channelCount: playback.voices[voice].channelCount).gain
      playback.voices.setGain(gain, of: voice, &playback.outbox.commands)
    case .paused:
      noteActivity()
      playback.scene.modify(slot) { $0.status = .playing }
      playback.run(slot, from: begin, isScheduled: moment != nil)
      fadeIn(slot, fade)
    case .stopping:
      guard moment == nil else {
        stopPlayer(slot, keepsScheduledSounds: true)
        return playPlayer(slot, at: moment, fadingIn: fade)
      }
      // The voice goes on, and the level rises from the level in force.
      playback.scene.removeFade(of: slot, .level)
      playback.scene.modify(slot) { $0.status = .playing }
      beginFade(of: slot, .level, to: .unity, fade ?? .declick)
    case .idle, .loading, .pausedBeforeStart:
      // A player that waits for a sound plays.
      guard moment != nil || playback.scene.playlist(of: slot)?.awaitsOpening != true else {
        playback.changePlaylist(of: slot) { $0.isWaitPaused = false }
        return
      }
      start(slot, at: begin, isScheduled: moment != nil, fadingIn: fade)
    }
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

  private mutating func start(_ slot: EmitterSlot, at begin: Int, isScheduled: Bool, fadingIn fade: Fade?) {
    guard let playlist = playback.scene.playlist(of: slot) else { return }
    if playlist.isEnd(playlist.position) { seekPlayer(slot, toFrame: 0) }
    guard enter(slot, at: begin) else { return }
    playback.run(slot, from: begin, isScheduled: isScheduled)
    fadeIn(slot, fade)
  }

  /// Lets a player that has no sound play, if the limits admit it.
  private mutating func enter(_ slot: EmitterSlot, at begin: Int) -> Bool {
    playback.scene.emitters.setNewest(slot)
    playback.scene.modify(slot) {
      ($0.hasSounded, $0.isLimited) = (false, false)
      ($0.copyGain, $0.began) = (1, begin)
    }
    guard let admission = playback.scene.admit(slot) else {
      playback.postEnd(.refused, ofPlayer: slot, isDeferred: true)
      return false
    }
    if admission.isVirtual { playback.scene.limit(slot) }
    playback.scene.storeBegin(of: slot)
    noteActivity()
    playback.scene.modify(slot) { $0.status = .playing }
    for victim in admission.victims { playback.end(victim, .stolen) }
    playback.scene.modify(slot) { $0.fade = 1 }
    playback.changePlaylist(of: slot) { ($0.hasFailed, $0.awaitsOpening) = (false, false) }
    return true
  }

  /// Lets a player play, whatever its state is, for a sound that another voice begins; `false` if a limit refuses that.
  mutating func enterForNextTimeline(_ slot: EmitterSlot) -> Bool {
    playback.touch(slot)
    playback.finishWaiting(slot)
    switch playback.scene.emitters[slot].status {
    case .playing: return true
    case .pausing, .stopping: playback.scene.removeFade(of: slot, .level)
    case .paused: noteActivity()
    case .idle, .loading, .pausedBeforeStart: return enter(slot, at: playback.now)
    }
    playback.changePlaylist(of: slot) { $0.silentSince = nil }
    playback.scene.modify(slot) { ($0.status, $0.fade) = (.playing, 1) }
    return true
  }

  private mutating func fadeIn(_ slot: EmitterSlot, _ fade: Fade?) {
    guard let fade, fade.duration > .zero else { return }
    // The weight keeps the full level: with a level of zero, the next choice would not consider the player.
    playback.scene.emitters.store(slot) { $0.fade = 0 }
    beginFade(of: slot, .level, to: .unity, fade)
    guard let voice = playback.scene.emitters[slot].voice, playback.voices.isSounding(voice) else { return }
    playback.voices.setGain(0, of: voice, &playback.outbox.commands)
  }

  /// Pauses a player in 10 ms; it keeps its voice.
  mutating func pausePlayer(_ slot: EmitterSlot) {
    playback.touch(slot)
    playback.updateCurrentSound(slot)
    playback.changePlaylist(of: slot) { $0.isWaitPaused = $0.awaitsOpening }
    guard playback.scene.emitters[slot].status == .playing || playback.scene.emitters[slot].status == .stopping else {
      return
    }
    playback.cancelSecondVoices(slot)
    playback.scene.removeFade(of: slot, .level)
    guard let voice = playback.scene.emitters[slot].voice, playback.voices.isSounding(voice),
      playback.scene.emitters[slot].began <= playback.now
    else {
      return playback.rest(slot, keepsVoice: false)
    }
    playback.scene.modify(slot) { ($0.status, $0.fade) = (.pausing, 0) }
    playback.voices.setGain(0, of: voice, &playback.outbox.commands)
    let now = playback.now
    playback.changePlaylist(of: slot) { $0.silentSince = now }
  }

  /// Pauses a player at once, while the mix stands still.
  mutating func haltPlayer(_ slot: EmitterSlot) {
    playback.touch(slot)
    playback.updateCurrentSound(slot)
    playback.changePlaylist(of: slot) { $0.isWaitPaused = $0.awaitsOpening }
    guard playback.scene.emitters[slot].status == .playing || playback.scene.emitters[slot].status == .stopping else {
      return
    }
    playback.cancelSecondVoices(slot)
    playback.scene.removeFade(of: slot, .level)
    playback.rest(slot, keepsVoice: playback.isHeard(slot) && playback.scene.emitters[slot].began <= playback.now)
  }

  /// Stops a player at its position; its reader, its queue and its voice are free.
  mutating func stopPlayer(_ slot: EmitterSlot, keepsScheduledSounds: Bool = false) {
    playback.touch(slot)
    playback.changePlaylist(of: slot) { playlist in
      if !keepsScheduledSounds { playlist.removeScheduledSounds() }
      playlist.awaitsOpening = false
    }
    if playback.scene.emitters[slot].status != .idle { return playback.end(slot, .stopped) }
    playback.cancelSecondVoices(slot)
    if playback.scene.emitters[slot].voice != nil { playback.giveUpVoice(slot, .fades) }
    playback.finishWaiting(slot)
    // A player without a sound may have waited for the next one.
    playback.postEnd(.stopped, ofPlayer: slot, isDeferred: false)
  }

  /// Fades a player out, to a stop at its position then.
  mutating func fadeOutPlayer(_ slot: EmitterSlot, _ fade: Fade) {
    guard playback.scene.emitters[slot].status != .idle else { return stopPlayer(slot) }
    playback.touch(slot)
    playback.cancelUpcoming(slot)
    playback.changePlaylist(of: slot) { $0.removeScheduledSounds() }
    stop(slot, fade)
  }

  /// Moves a player to a frame of the current sound.
  mutating func seekPlayer(_ slot: EmitterSlot, toFrame frame: Int) {
    playback.touch(slot)
    playback.updateCurrentSound(slot)
    playback.cancelSecondVoices(slot)
    guard let position = playback.changePlaylist(of: slot, { $0.seek(toFrame: frame) }),
      let playlist = playback.scene.playlist(of: slot)
    else { return }
    playback.replaceTimeline(slot, playlist.loaded, position)
  }
}
