internal import PCM
internal import Spatial3D

// The work of a tick for the players, and the ends of their timelines.

extension WorldState {
  /// Advances the players to the present frame of the mix.
  mutating func stepPlayers() {
    for player in playback.scene.players.indices {
      guard let slot = playback.scene.players[player].playlist?.slot else { continue }
      let hasScheduledSound = playback.scene.players[player].playlist?.scheduledSounds.isEmpty == false
      if hasScheduledSound { beginScheduledSounds(slot) }
      guard playback.scene.emitters[slot].isSounding, playback.scene.emitters[slot].began <= playback.now else {
        if hasScheduledSound { playback.planUpcoming(slot) }
        continue
      }
      playback.settlePause(slot)
      guard playback.scene.emitters[slot].isSounding else { continue }
      if playback.awaitsReader(slot) {
        playback.beginPlayer(slot, at: playback.now)
        continue
      }
      playback.scene.updateLength(of: slot)
      playback.postProgress(of: slot)
      playback.takeOver(slot)
      playback.checkReplacement(slot)
      playback.planUpcoming(slot)
    }
  }

  /// Begins the sounds whose moment has come.
  private mutating func beginScheduledSounds(_ slot: EmitterSlot) {
    guard let playlist = playback.scene.playlist(of: slot), let first = playlist.scheduledSounds.first,
      first.begin <= playback.now
    else {
      return
    }
    if playlist.upcoming?.entry?.id != first.entry.id { playback.prepare(slot, first.entry, begin: first.begin) }
    playback.changePlaylist(of: slot) { $0.scheduledSounds.removeFirst() }
    guard enterForNextTimeline(slot) else { return playback.cancelUpcoming(slot) }
    playback.switchToUpcoming(slot, .fades)
  }
}
