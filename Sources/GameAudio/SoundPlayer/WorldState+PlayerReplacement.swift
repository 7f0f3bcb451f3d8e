internal import Spatial3D

// Another reader and another voice for the timeline that a player plays. The present voice is late after an
// underrun, or the routing of its channels to the loudspeakers is to change. The library changes the routing within a
// frame: that clicks.
//
// The player keeps the timeline and the levels of the present reader until the other voice plays in time. A reader that
// fails changes nothing: the file of a sound that plays may have been deleted.

extension WorldState {
  /// Whether another voice can go on with the timeline of a player.
  func canReplaceReader(of slot: EmitterSlot) -> Bool {
    guard voices.hasFree else { return false }
    guard let playlist = playlist(of: slot), playlist.earliestReplacement <= now else { return false }
    guard playlist.replacementVoice == nil, playlist.replacementReader == nil, playlist.upcoming == nil else {
      return false
    }
    guard emitters[slot].status == .playing, isHeard(slot), emitters[slot].began <= now else {
      return false
    }
    // The present voice plays the end of its timeline.
    return (playlist.timeline.read(\.length) ?? .max) - playerPosition(of: slot) >= neededFrames(of: slot)
  }

  /// Opens another voice for the timeline of a player.
  mutating func replaceReader(of slot: EmitterSlot) {
    guard let playlist = playlist(of: slot) else { return }
    let (timeline, loaded) = playlist.copiedTimeline()
    guard let key = openVoice(slot, .replacement, loaded, channelCount: timeline.format.channelCount) else { return }
    changePlaylist(of: slot) {
      $0.replacementReader = Playlist.ReplacementReader(timeline: timeline, loaded: loaded, voice: key)
    }
  }

  /// Reads the position of the voice that is to take over, once it has played silently for a tick.
  mutating func checkReplacement(_ slot: EmitterSlot) {
    guard let key = playlist(of: slot)?.replacementReader?.voice else { return }
    guard voices.isTaken(key) else {
      // The reader could not be opened.
      return refuseReplacementReader(slot, until: .max)
    }
    guard voices[key.voice].state == .sounding, now - voices[key.voice].begin >= AudioWorld.tick else {
      return
    }
    outbox.append(.checkReplacement(key))
  }

  /// Lets the voice take over that plays where the clock of its player is; gives up a voice whose reader was too slow.
  ///
  /// A start inside of a sound is up to a mix late on an output that cannot delay starts.
  mutating func settleReplacement(place: Double?, at frame: Int, framesPerMix: Int, _ key: VoiceKey) {
    guard voices.isInUse(key), voices[key.voice].state == .sounding, let slot = voices[key.voice].slot else { return }
    guard let playlist = playlist(of: slot), let replacement = playlist.replacementReader, replacement.voice == key
    else { return }
    let late = place.map { abs($0 - emitters[slot].clock.position(at: frame)) } ?? .infinity
    if refuseUnlike(replacement, of: slot, at: playerPosition(of: slot)) { return }
    let largestDelay = frames(ofMilliseconds: Self.largestDelay) + (time.startsExactly ? 0 : framesPerMix)
    // One frame is for rounding.
    guard late <= emitters[slot].clock.step * Double(largestDelay) + 1 else {
      return refuseReplacementReader(slot, until: now + time.physics.sampleRate)
    }
    outbox.release(playlist.timeline)
    changePlaylist(of: slot) { $0.useReplacementReader() }
    load(replacement.loaded, of: slot)
    updateLength(of: slot)
    replaceVoice(of: slot, by: key)
  }

  /// Gives up another voice whose reader has failed where the present reader has not, or whose timeline has another
  /// frame at a position; returns whether it does.
  ///
  /// The timelines differ where the present reader has found the end of a sound since the copy. A later copy has the
  /// end.
  mutating func refuseUnlike(_ replacement: Playlist.ReplacementReader, of slot: EmitterSlot, at position: Int) -> Bool
  {
    guard let timeline = playlist(of: slot)?.timeline else { return false }
    let known = Set(timeline.problems.map(\.position))
    let problems = replacement.timeline.problems.filter { !known.contains($0.position) }
    guard !problems.isEmpty || !replacement.timeline.copy.hasSameSound(as: timeline.copy, at: position) else {
      return false
    }
    for problem in problems { outbox.report(.soundNotOpenedAgain(problem.sentence)) }
    refuseReplacementReader(slot, until: problems.isEmpty ? now + time.physics.sampleRate : .max)
    return true
  }

  /// The milliseconds that a voice may be late without a slow reader, where starts are exact.
  private static let largestDelay = 2

  /// The milliseconds ahead of the start of another reader on an output: the present voice plays meanwhile.
  static let replacementLead = 150

  /// Gives up the other voice of a player, which has failed or plays too late, and tries no other voice before a frame.
  private mutating func refuseReplacementReader(_ slot: EmitterSlot, until frame: Int) {
    cancelReplacementReader(slot)
    changePlaylist(of: slot) { $0.earliestReplacement = frame }
  }

  /// Ends the voice that was to replace the present voice of a player.
  mutating func cancelReplacementReader(_ slot: EmitterSlot) {
    guard let replacement = playlist(of: slot)?.replacementReader else { return }
    changePlaylist(of: slot) { $0.replacementReader = nil }
    // The closures of its sounds may hold objects of the program.
    outbox.release(replacement.loaded)
    outbox.release(replacement.timeline)
    if voices.isInUse(replacement.voice) { giveUp(replacement.voice.voice, .cuts) }
  }
}
