internal import Spatial3D

// Streams that had an underrun: the source is behind the clock by the time that the reader took too long.

extension WorldState {
  /// Stores the number of underruns of a stream that sounds.
  mutating func noteUnderruns(_ count: Int, of key: VoiceKey) {
    guard voices.voices[key.voice].use == key.use, voices.voices[key.voice].state == .sounding else { return }
    guard voices.voices[key.voice].underrunCount != count else { return }
    (voices.voices[key.voice].underrunCount, voices.voices[key.voice].lateSince) = (count, now)
    let slot = voices.voices[key.voice].slot
    if slot >= 0 { changePlaylist(of: slot) { $0.earliestReplacement = 0 } }
  }

  /// Ends the difference between a stream and its clock, after a second without an underrun.
  ///
  /// Another voice of a player goes on at the clock: players that began together are in phase again. Without a voice
  /// that is in time, the clock takes over the position of the source. The clock of an emitter does so at once: a new
  /// stream would leave a gap.
  mutating func catchUp(_ key: VoiceKey) {
    let slot = voices.voices[key.voice].slot
    guard voices.voices[key.voice].role == .plain, slot >= 0, emitters[slot].status == .playing else { return }
    if let playlist = playlist(of: slot), playlist.earliestReplacement <= now {
      // The player stays late until another voice is free.
      if canReplaceReader(of: slot) { replaceReader(of: slot) }
    } else {
      voices.voices[key.voice].lateSince = nil
      outbox.append(.adoptStream(key.voice, key))
    }
  }

  /// Corrects the clock of a stream by its playback position.
  mutating func adoptStream(place: Double, at frame: Int, _ key: VoiceKey) {
    let slot = voices.voices[key.voice].slot
    guard voices.voices[key.voice].use == key.use, voices.voices[key.voice].state == .sounding, slot >= 0 else {
      return
    }
    guard emitters[slot].status == .playing, emitters[slot].began <= frame else { return }
    modify(slot) { $0.clock.adoptDelay(place: place, at: frame) }
  }
}
