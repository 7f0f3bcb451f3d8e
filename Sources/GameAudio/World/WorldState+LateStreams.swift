internal import Spatial3D

// Streams that had an underrun: the source is behind the clock by the time that the reader took too long.

extension WorldState {
  /// Stores the number of underruns of a stream that sounds.
  mutating func noteUnderruns(_ count: Int, of key: VoiceKey) {
    guard voices.noteUnderruns(count, of: key, at: now), let slot = voices[key.voice].slot else { return }
    changePlaylist(of: slot) { $0.earliestReplacement = 0 }
  }

  /// Ends the difference between a stream and its clock, after a second without an underrun.
  ///
  /// Another voice of a player goes on at the clock: players that began together are in phase again. Without a voice
  /// that is in time, the clock takes over the position of the source. The clock of an emitter does so at once: a new
  /// stream would leave a gap.
  mutating func catchUp(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot, voices[key.voice].role == .plain,
      emitters[slot].status == .playing
    else {
      return
    }
    if let playlist = playlist(of: slot), playlist.earliestReplacement <= now {
      // The player stays late until another voice is free.
      if canReplaceReader(of: slot) { replaceReader(of: slot) }
    } else {
      voices.endDelay(of: key.voice)
      outbox.append(.adoptStream(key.voice, key))
    }
  }

  /// Corrects the clock of a stream by its playback position.
  mutating func adoptStream(place: Double, at frame: Int, _ key: VoiceKey) {
    guard voices.isInUse(key), voices.isSounding(key.voice), let slot = voices[key.voice].slot else { return }
    guard emitters[slot].status == .playing, emitters[slot].began <= frame else { return }
    modify(slot) { $0.clock.adoptDelay(place: place, at: frame) }
  }
}
