internal import PCM
internal import Spatial3D

// The voices and the timelines of players.

extension WorldPlayback {
  /// Pauses the sources whose gain is zero by now.
  mutating func settlePause(_ slot: EmitterSlot) {
    guard scene.emitters[slot].status == .pausing, let since = scene.playlist(of: slot)?.silentSince,
      now - since >= fadingFrames
    else {
      return
    }
    rest(slot, keepsVoice: true)
  }

  /// Lets another voice go on with a changed timeline, at the same position.
  ///
  /// It plays silently for a tick, and then the two change their gains in one mix: their sum stays. Until then the
  /// levels come from the old timeline, on which the position is larger by the offset.
  mutating func beginReplacementVoice(_ slot: EmitterSlot, after old: SharedTimeline, offset: Int) {
    cancelReplacementReader(slot)
    guard let playlist = scene.playlist(of: slot) else { return }
    load(playlist.loaded, of: slot)
    scene.updateLength(of: slot)
    // The present voice goes on until the newest timeline has a voice of its own.
    if let old = playlist.replacementVoice, voices.isInUse(old) { giveUp(old.voice, .cuts) }
    let previous = playlist.previous.map { Playlist.Previous(timeline: $0.timeline, offset: $0.offset + offset) }
    changePlaylist(of: slot) { $0.replacementVoice = nil }
    cancelUpcoming(slot)
    guard scene.emitters[slot].voice != nil else { return forgetPrevious(slot) }
    guard isHeard(slot), scene.emitters[slot].status != .pausing, scene.emitters[slot].began <= now else {
      return replaceTimeline(slot, playlist.loaded, scene.playerPosition(of: slot))
    }
    let key = openVoice(slot, .replacement, playlist.loaded, channelCount: playlist.timeline.format.channelCount)
    guard let key else {
      giveUpVoice(slot, .fades)
      forgetPrevious(slot)
      return takePlayerVoice(slot)
    }
    changePlaylist(of: slot) { playlist in
      playlist.replacementVoice = key
      playlist.previous = previous ?? Playlist.Previous(timeline: old, offset: offset)
    }
  }

  /// Forgets the timeline of a voice that another voice has replaced.
  ///
  /// The closures of its sounds may hold objects of the program, and go to the release queue.
  mutating func forgetPrevious(_ slot: EmitterSlot) {
    guard let previous = scene.playlist(of: slot)?.previous else { return }
    outbox.release(previous.timeline)
    changePlaylist(of: slot) { $0.previous = nil }
  }

  /// Ends the voice of the next timeline and the voice of a replacement.
  ///
  /// A voice that waits with a changed timeline replaces the present voice at once.
  mutating func cancelSecondVoices(_ slot: EmitterSlot) {
    cancelUpcoming(slot)
    cancelReplacementReader(slot)
    if let key = scene.playlist(of: slot)?.replacementVoice { takeOver(slot, key) }
  }

  /// Ends the other voices of a player that loses its own: each of them would make it real again, beyond the limit.
  mutating func endSecondVoices(_ slot: EmitterSlot) {
    guard let playlist = scene.playlist(of: slot) else { return }
    cancelUpcoming(slot)
    cancelReplacementReader(slot)
    guard let key = playlist.replacementVoice else { return }
    changePlaylist(of: slot) { $0.replacementVoice = nil }
    if voices.isInUse(key) { giveUp(key.voice, .cuts) }
    forgetPrevious(slot)
  }

  /// Ends the voice that waits for what follows.
  mutating func cancelUpcoming(_ slot: EmitterSlot) {
    guard let upcoming = scene.playlist(of: slot)?.upcoming else { return }
    // The tick that switches to a sound may not have come: its voice is audible.
    let silencing: Voice.Silencing = upcoming.begin < now ? .fades : .cuts
    if let key = upcoming.voice, voices.isInUse(key) { giveUp(key.voice, silencing) }
    changePlaylist(of: slot) { $0.removeUpcoming() }
  }

  /// Lets the voice that has played silently take over: the timeline of the present voice is out of date.
  mutating func takeOver(_ slot: EmitterSlot, _ key: VoiceKey) {
    changePlaylist(of: slot) { $0.replacementVoice = nil }
    forgetPrevious(slot)
    replaceVoice(of: slot, by: key)
  }

  /// Fades the voice of a player out, and gives a voice that has played silently the values of the player.
  private mutating func replaceVoice(of slot: EmitterSlot, by key: VoiceKey) {
    if scene.emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
    guard voices.isTaken(key) else {
      return takePlayerVoice(slot)
    }
    scene.modify(slot) { $0.voice = key.voice }
    voices.becomePlain(key.voice)
    guard voices.isSounding(key.voice) else { return }
    // The player may have changed since the last tick, in which the voice was silent.
    let values = scene.voiceValues(of: slot)
    let changes = values.changes(from: voices[key.voice].values)
    voices.set(key.voice, values, changes, &outbox.commands)
    if changes.contains(.sends) { outbox.append(.setSends(key.voice, scene.sends(of: slot))) }
  }

  /// A call has touched the player: the end of an interruption does not resume it.
  mutating func touch(_ slot: EmitterSlot) { changePlaylist(of: slot) { $0.isUntouched = false } }

  /// Whether another voice can go on with the timeline of a player.
  func canReplaceReader(of slot: EmitterSlot) -> Bool {
    guard voices.hasFree else { return false }
    guard let playlist = scene.playlist(of: slot), playlist.earliestReplacement <= now else { return false }
    guard playlist.replacementVoice == nil, playlist.replacementReader == nil, playlist.upcoming == nil else {
      return false
    }
    guard scene.emitters[slot].status == .playing, isHeard(slot), scene.emitters[slot].began <= now else {
      return false
    }
    // The present voice plays the end of its timeline.
    return (playlist.timeline.read(\.length) ?? .max) - scene.playerPosition(of: slot) >= neededFrames(of: slot)
  }

  /// Opens another voice for the timeline of a player.
  mutating func replaceReader(of slot: EmitterSlot) {
    guard let playlist = scene.playlist(of: slot) else { return }
    let (timeline, loaded) = playlist.copiedTimeline()
    guard let key = openVoice(slot, .replacement, loaded, channelCount: timeline.format.channelCount) else { return }
    changePlaylist(of: slot) {
      $0.replacementReader = Playlist.ReplacementReader(timeline: timeline, loaded: loaded, voice: key)
    }
  }

  /// Reads the position of the voice that is to take over, once it has played silently for a tick.
  mutating func checkReplacement(_ slot: EmitterSlot) {
    guard let key = scene.playlist(of: slot)?.replacementReader?.voice else { return }
    guard voices.isTaken(key) else {
      // The reader could not be opened.
      return refuseReplacementReader(slot, until: .max)
    }
    guard voices[key.voice].state == .sounding, now - voices[key.voice].begin >= MixTime.tick else {
      return
    }
    outbox.append(.checkReplacement(key))
  }

  /// Lets the voice take over that plays where the clock of its player is; gives up a voice whose reader was too slow.
  ///
  /// A start inside of a sound is up to a mix late on an output that cannot delay starts.
  mutating func settleReplacement(place: Double?, at frame: Int, framesPerMix: Int, _ key: VoiceKey) {
    guard voices.isInUse(key), voices[key.voice].state == .sounding, let slot = voices[key.voice].slot else { return }
    guard let playlist = scene.playlist(of: slot), let replacement = playlist.replacementReader,
      replacement.voice == key
    else { return }
    let late = place.map { abs($0 - scene.emitters[slot].clock.position(at: frame)) } ?? .infinity
    if refuseUnlike(replacement, of: slot, at: scene.playerPosition(of: slot)) { return }
    let largestDelay = scene.frames(ofMilliseconds: Self.largestDelay) + (scene.time.startsExactly ? 0 : framesPerMix)
    // One frame is for rounding.
    guard late <= scene.emitters[slot].clock.step * Double(largestDelay) + 1 else {
      return refuseReplacementReader(slot, until: now + scene.time.physics.sampleRate)
    }
    outbox.release(playlist.timeline)
    changePlaylist(of: slot) { $0.useReplacementReader() }
    load(replacement.loaded, of: slot)
    scene.updateLength(of: slot)
    replaceVoice(of: slot, by: key)
  }

  /// Gives up another voice whose reader has failed where the present reader has not, or whose timeline has another
  /// frame at a position; returns whether it does.
  ///
  /// The timelines differ where the present reader has found the end of a sound since the copy. A later copy has the
  /// end.
  mutating func refuseUnlike(_ replacement: Playlist.ReplacementReader, of slot: EmitterSlot, at position: Int) -> Bool
  {
    guard let timeline = scene.playlist(of: slot)?.timeline else { return false }
    let known = Set(timeline.problems.map(\.position))
    let problems = replacement.timeline.problems.filter { !known.contains($0.position) }
    guard !problems.isEmpty || !replacement.timeline.copy.hasSameSound(as: timeline.copy, at: position) else {
      return false
    }
    for problem in problems { outbox.report(.soundNotOpenedAgain(problem.sentence)) }
    refuseReplacementReader(slot, until: problems.isEmpty ? now + scene.time.physics.sampleRate : .max)
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
    guard let replacement = scene.playlist(of: slot)?.replacementReader else { return }
    changePlaylist(of: slot) { $0.replacementReader = nil }
    // The closures of its sounds may hold objects of the program.
    outbox.release(replacement.loaded)
    outbox.release(replacement.timeline)
    if voices.isInUse(replacement.voice) { giveUp(replacement.voice.voice, .cuts) }
  }

  /// Lets the voice that has played silently for a tick take over.
  mutating func takeOver(_ slot: EmitterSlot) {
    guard let key = scene.playlist(of: slot)?.replacementVoice else { return }
    let isWaiting = voices.isTaken(key)
    let isMixed = voices[key.voice].state == .sounding && now - voices[key.voice].begin >= MixTime.tick
    if isMixed || !isWaiting { takeOver(slot, key) }
  }

  /// Gives a player its first voice, or another voice, if it is audible.
  ///
  /// When all voices are in use, the quietest emitter gives up its own to a player that must be heard.
  mutating func takePlayerVoice(_ slot: EmitterSlot) {
    guard !scene.emitters[slot].isLimited, scene.audibility(of: slot).audible >= Audibility.threshold,
      makeRoom(for: slot)
    else {
      return
    }
    promote(slot, isNew: false)
    let now = now
    scene.emitters.store(slot) { $0.switched = now }
  }

  /// Whether a voice is free for a player; the quietest emitter may have to give up its own.
  mutating func makeRoom(for slot: EmitterSlot) -> Bool {
    guard voices.isFull else { return true }
    guard scene.emitters[slot].priority == .mustBeHeard, voices.hasFree else {
      return false
    }
    var victim: (slot: EmitterSlot, score: Float)?
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let other = voices[index].slot, scene.emitters[other].status == .playing,
        scene.emitters[other].priority < .mustBeHeard
      else {
        continue
      }
      let score = scene.audibility(of: other).audible * scene.emitters[other].priority.factor
      if score < victim?.score ?? .infinity { victim = (other, score) }
    }
    guard let victim else { return false }
    demote(victim.slot, isStolen: true)
    return true
  }

  /// Opens a second voice for a player; `nil` where none is free.
  mutating func openVoice(
    _ slot: EmitterSlot,
    _ role: Voice.Role,
    _ loaded: LoadedSound,
    channelCount: Int,
    begin: Int = 0
  )
    -> VoiceKey?
  {
    guard voices.hasFree else { return nil }
    let values = scene.voiceValues(of: slot, channelCount: channelCount)
    let start = VoiceStart(sound: loaded, values: values, sends: scene.sends(of: slot), place: 0, isLooping: false)
    return voices.open(role, start, for: slot, channelCount: channelCount, at: begin, &outbox.commands)
  }

  /// Opens the stream of a player that does not play, so that it plays with the next mix.
  mutating func prepareVoice(_ slot: EmitterSlot) {
    guard scene.emitters[slot].voice == nil, let playlist = scene.playlist(of: slot), makeRoom(for: slot) else {
      return finishWaiting(slot)
    }
    let channelCount = playlist.timeline.format.channelCount
    guard let key = openVoice(slot, .prepared, playlist.loaded, channelCount: channelCount) else {
      return finishWaiting(slot)
    }
    scene.modify(slot) { $0.voice = key.voice }
  }

  /// Lets the tasks go on that wait for the player to be prepared.
  mutating func finishWaiting(_ slot: EmitterSlot) {
    guard let player = scene.emitters[slot].player else { return }
    outbox.resume(scene.players[player].waiting)
    scene.players[player].waiting = []
  }

  /// Plays the voice that a player holds.
  mutating func wake(_ slot: EmitterSlot) {
    guard let voice = scene.emitters[slot].voice else { return }
    voices.becomePlain(voice)
    guard voices[voice].state == .resting else { return }
    let begin = scene.emitters[slot].began
    voices.resume(
      voice,
      scene.voiceValues(of: slot),
      sends: scene.sends(of: slot),
      at: begin > now ? scene.time(ofFrames: begin) : nil,
      &outbox.commands
    )
    let now = now
    scene.emitters.store(slot) { $0.switched = now }
    soundBegins(slot, isNew: false)
  }
}
