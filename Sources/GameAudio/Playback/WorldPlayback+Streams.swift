internal import PCM
internal import Spatial3D

// The streams of voices: opened, failed or over.

extension WorldPlayback {
  /// The beginning of a player's voice whose stream is open.
  private mutating func playerVoiceOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard let slot = voices[key.voice].slot, let playlist = scene.playlist(of: slot) else { return nil }
    let isImmediate = scene.time.mixesByFrames || start.sound.stream?.isInMemory == true
    let earliest = isImmediate ? now : now + scene.frames(ofMilliseconds: VoiceStart.streamLead)
    var start = start
    let channelCount = voices[key.voice].channelCount
    start.values = scene.voiceValues(of: slot, channelCount: channelCount)
    start.sends = scene.sends(of: slot)
    switch voices[key.voice].role {
    case .prepared:
      start.isHeld = true
      start.place = Double(scene.playerPosition(of: slot))
      voices.prepare(key.voice, start.values)
      finishWaiting(slot)
      return start
    case .plain:
      let begin = max(earliest, scene.emitters[slot].began)
      _ = waitForReader(slot, until: begin)
      start.place = scene.emitters[slot].clock.place(at: begin)
      start.moment = begin > now ? scene.time(ofFrames: begin) : nil
    case .replacement:
      let lead = playlist.replacementReader?.voice == key ? Playlist.readerLead : VoiceStart.streamLead
      let begin = max(mixWaits ? now : now + scene.frames(ofMilliseconds: lead), scene.emitters[slot].began)
      start.place = scene.emitters[slot].clock.place(at: begin)
      start.moment = begin > now ? scene.time(ofFrames: begin) : nil
      start.values.gain = 0
      voices.setBegin(begin, of: key.voice)
    case .upcoming:
      let begin = max(voices[key.voice].begin, voices[key.voice].begin >= now ? now : earliest)
      let rate = playlist.upcoming?.timeline.format.sampleRate ?? 0
      let step = scene.time.physics.step.frames(
        pitch: scene.pitch(of: slot),
        soundRate: rate,
        mixRate: scene.time.physics.sampleRate
      )
      start.place = Double(begin - voices[key.voice].begin) * step
      start.moment = begin > now ? scene.time(ofFrames: begin) : nil
    }
    if let replacement = playlist.replacementReader, replacement.voice == key {
      if let fault = playlist.fault(of: replacement, at: Int(start.place)) {
        refuseReader(of: slot, fault)
        return nil
      }
    } else if playlist.isEnd(Int(start.place), ofUpcoming: voices[key.voice].role == .upcoming) {
      // A source at the end of its stream would begin again.
      giveUp(key.voice, .cuts)
      // The weight stays at zero: a choice would open the stream again, at its end.
      if scene.emitters[slot].voice == key.voice { scene.emitters.store(slot) { $0.voice = nil } }
      return nil
    }
    voices.beginStream(key.voice, start)
    if voices[key.voice].role == .plain { soundBegins(slot, isNew: false) }
    return start
  }

  /// The stream of a player's voice could not be opened.
  private mutating func playerVoiceFailed(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot else { return }
    let isMain = scene.emitters[slot].voice == key.voice
    if isMain, scene.emitters[slot].status == .idle || scene.emitters[slot].status == .paused {
      giveUpVoice(slot, .cuts)
      return finishWaiting(slot)
    }
    if isMain { return end(slot, .failed) }
    giveUp(key.voice, .cuts)
    changePlaylist(of: slot) { $0.removeFailedVoice(key) }
  }

  /// The source of a player has stopped by itself.
  private mutating func playerRanOut(_ key: VoiceKey) {
    guard let slot = voices[key.voice].slot else { return }
    guard scene.emitters[slot].voice == key.voice else {
      // The next sound ended before its player had switched to it.
      giveUp(key.voice, .drains)
      return voices.freeDrained(key, &outbox.commands)
    }
    scene.updateLength(of: slot)
    // A stream on an output may be a little ahead of the clock.
    if let end = scene.emitters[slot].clock.end, end > now {
      let now = now
      scene.modify(slot) { $0.clock.seek(to: .infinity, at: now) }
    }
    endTimeline(slot)
    voices.freeDrained(key, &outbox.commands)
  }

  /// Corrects the clock of a paused player by the position of its source.
  mutating func correctPausedClock(_ frame: Int, of key: VoiceKey) {
    guard voices.isInUse(key), voices[key.voice].state == .resting else { return }
    guard let slot = voices[key.voice].slot, scene.emitters[slot].status == .paused else { return }
    voices.endDelay(of: key.voice)
    let now = now
    scene.modify(slot) { $0.clock.seek(to: Double(frame), at: now) }
  }

  /// A source has stopped by itself.
  mutating func voiceEnded(_ key: VoiceKey) {
    if let slot = voices[key]?.slot, voices.isSounding(key.voice) {
      if scene.emitters[slot].isPlayer { return playerRanOut(key) }
      // A stream that did not know its length, or whose reader failed.
      end(slot, .played)
    }
    voices.freeDrained(key, &outbox.commands)
  }

  /// A stream is open: returns its beginning as of now; `nil` if its emitter has given up the voice.
  mutating func streamOpened(_ start: VoiceStart, _ key: VoiceKey) -> VoiceStart? {
    guard voices.isOpening(key), let slot = voices[key.voice].slot else { return nil }
    if scene.emitters[slot].isPlayer { return playerVoiceOpened(start, key) }
    var start = start
    // The listener may have moved, or have gone, while the stream was being opened.
    scene.updatePath(of: slot)
    let begin = max(
      scene.time.mixesByFrames ? now : now + scene.frames(ofMilliseconds: VoiceStart.streamLead),
      scene.emitters[slot].began
    )
    start.values = scene.voiceValues(of: slot)
    let feeds = scene.feeds(of: slot)
    voices.setFeeds(feeds, of: key.voice)
    start.sends = scene.sends(of: slot, with: feeds)
    start.place = scene.emitters[slot].clock.place(at: begin)
    start.isLooping = LoopPlan(scene.emitters[slot].clock, at: begin, sampleRate: 0, isStream: true).isLooping
    start.moment = begin > now ? scene.time(ofFrames: begin) : nil
    voices.beginStream(key.voice, start)
    soundBegins(slot)
    return start
  }

  /// A stream could not be opened.
  mutating func streamFailed(_ key: VoiceKey, _ reason: any Error) {
    // An emitter that has given up the voice meanwhile left it without a slot.
    let slot = voices[key]?.slot
    if let slot, scene.playlist(of: slot)?.replacementReader?.voice == key {
      outbox.report(.soundNotOpenedAgain("\(reason)"))
    } else if let slot, let content = scene.sounds[scene.emitters[slot].sound].content {
      report(
        .failure(reason),
        of: content,
        scene.sounds.keys(of: scene.sounds[scene.emitters[slot].sound].loadKey)
      )
    } else {
      outbox.report(.soundUnavailable("\(reason)"))
    }
    guard let slot, voices.isOpening(key) else { return }
    if scene.emitters[slot].isPlayer { return playerVoiceFailed(key) }
    end(slot, .failed)
  }
}
