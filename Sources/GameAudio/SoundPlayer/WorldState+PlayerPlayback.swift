internal import PCM
internal import Spatial3D

// The states of a player, and the changes between them.

extension WorldState {
  /// Plays a player from its position, or resumes a paused one, at a frame of the mix or now.
  mutating func playPlayer(_ slot: EmitterSlot, at moment: Int? = nil, fadingIn fade: Fade? = nil) {
    touch(slot)
    finishWaiting(slot)
    let begin = moment.map { min(max($0, now), Frames.last) } ?? now
    switch emitters[slot].status {
    case .playing:
      // A start that has not come may have another moment.
      guard let moment, emitters[slot].began > now else { return }
      guard let player = emitters[slot].player else { return }
      let ends = players[player].ends
      // The tasks that wait for the end of the sound wait on.
      players[player].ends = Observers()
      stopPlayer(slot, keepsScheduledSounds: true)
      players[player].ends = ends
      playPlayer(slot, at: moment, fadingIn: fade)
    case .pausing:
      changePlaylist(of: slot) { $0.silentSince = nil }
      guard moment == nil else {
        // The voice is not silent yet.
        if emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
        rest(slot, keepsVoice: false)
        return playPlayer(slot, at: moment, fadingIn: fade)
      }
      modify(slot) { ($0.status, $0.fade) = (.playing, 1) }
      guard let voice = emitters[slot].voice, voices.isSounding(voice) else { return }
      // The pause has silenced the voice, maybe since the last mix.
      let gain = voiceValues(of: slot, channelCount: voices[voice].channelCount).gain
      voices.setGain(gain, of: voice, &outbox.commands)
    case .paused:
      noteActivity()
      modify(slot) { $0.status = .playing }
      run(slot, from: begin, isScheduled: moment != nil)
      fadeIn(slot, fade)
    case .stopping:
      guard moment == nil else {
        stopPlayer(slot, keepsScheduledSounds: true)
        return playPlayer(slot, at: moment, fadingIn: fade)
      }
      // The voice goes on, and the level rises from the level in force.
      removeFade(of: slot, .level)
      modify(slot) { $0.status = .playing }
      beginFade(of: slot, .level, to: .unity, fade ?? .declick)
    case .idle, .loading:
      // A player that waits for a sound plays.
      guard moment != nil || playlist(of: slot)?.awaitsOpening != true else {
        changePlaylist(of: slot) { $0.isWaitPaused = false }
        return
      }
      start(slot, at: begin, isScheduled: moment != nil, fadingIn: fade)
    }
  }

  /// Reserves a voice for a player that does not play, and opens its stream.
  mutating func preparePlayer(_ slot: EmitterSlot) {
    if !isRunning(slot) || emitters[slot].status == .paused {
      if let playlist = playlist(of: slot), playlist.isEnd(playlist.position), !isRunning(slot) {
        seekPlayer(slot, toFrame: 0)
      }
      guard let voice = emitters[slot].voice else { return prepareVoice(slot) }
      // It is being opened for another task.
      if voices[voice].state == .opening { return }
    }
    finishWaiting(slot)
  }

  private mutating func start(_ slot: EmitterSlot, at begin: Int, isScheduled: Bool, fadingIn fade: Fade?) {
    guard let playlist = playlist(of: slot) else { return }
    if playlist.isEnd(playlist.position) { seekPlayer(slot, toFrame: 0) }
    guard enter(slot, at: begin) else { return }
    run(slot, from: begin, isScheduled: isScheduled)
    fadeIn(slot, fade)
  }

  /// Lets a player that has no sound play, if the limits admit it.
  private mutating func enter(_ slot: EmitterSlot, at begin: Int) -> Bool {
    emitters.setNewest(slot)
    modify(slot) {
      ($0.hasSounded, $0.isLimited) = (false, false)
      ($0.copyGain, $0.began) = (1, begin)
    }
    guard let admission = admit(slot) else {
      postEnd(.refused, ofPlayer: slot, isDeferred: true)
      return false
    }
    if admission.isVirtual { limit(slot) }
    storeBegin(of: slot)
    noteActivity()
    modify(slot) { $0.status = .playing }
    for victim in admission.victims { end(victim, .stolen) }
    modify(slot) { $0.fade = 1 }
    changePlaylist(of: slot) { ($0.hasFailed, $0.awaitsOpening) = (false, false) }
    return true
  }

  /// Lets a player play, whatever its state is, for a sound that another voice begins; `false` if a limit refuses that.
  mutating func enterForNextTimeline(_ slot: EmitterSlot) -> Bool {
    touch(slot)
    finishWaiting(slot)
    switch emitters[slot].status {
    case .playing: return true
    case .pausing, .stopping: removeFade(of: slot, .level)
    case .paused: noteActivity()
    case .idle, .loading: return enter(slot, at: now)
    }
    changePlaylist(of: slot) { $0.silentSince = nil }
    modify(slot) { ($0.status, $0.fade) = (.playing, 1) }
    return true
  }

  /// Lets the clock of a player run from its position, and plays its voice.
  private mutating func run(_ slot: EmitterSlot, from begin: Int, isScheduled: Bool) {
    changePlaylist(of: slot) { $0.isScheduled = isScheduled }
    guard let playlist = playlist(of: slot) else { return }
    let position = emitters[slot].clock.position(at: now)
    let wasPaused = emitters[slot].hasSounded
    let course = LogicalClock.Course(frameCount: playlist.timeline.read(\.length) ?? .max)
    let (step, now) = (step(of: slot), now)
    modify(slot) {
      ($0.began, $0.switched) = (begin, now)
      $0.clock = LogicalClock(course, at: begin, place: wasPaused ? position : Double(playlist.position), step: 0)
      $0.clock.setStep(step, at: begin)
    }
    // A source that was paused in the middle of its queue starts at a moment only from a new queue.
    if emitters[slot].voice != nil, begin > now, wasPaused { giveUpVoice(slot, .cuts) }
    // A paused bus keeps a voice at rest until it is resumed.
    if mixer.buses[emitters.bus(of: slot)].totals.isPaused { return }
    if emitters[slot].voice != nil { return wake(slot) }
    if begin - now <= frames(ofMilliseconds: Self.reservation) { takePlayerVoice(slot) }
  }

  private mutating func fadeIn(_ slot: EmitterSlot, _ fade: Fade?) {
    guard let fade, fade.duration > .zero else { return }
    // The weight keeps the full level: with a level of zero, the next choice would not consider the player.
    emitters.store(slot) { $0.fade = 0 }
    beginFade(of: slot, .level, to: .unity, fade)
    guard let voice = emitters[slot].voice, voices.isSounding(voice) else { return }
    voices.setGain(0, of: voice, &outbox.commands)
  }

  /// Pauses a player in 10 ms; it keeps its voice.
  mutating func pausePlayer(_ slot: EmitterSlot) {
    touch(slot)
    updateCurrentSound(slot)
    changePlaylist(of: slot) { $0.isWaitPaused = $0.awaitsOpening }
    guard emitters[slot].status == .playing || emitters[slot].status == .stopping else { return }
    cancelSecondVoices(slot)
    removeFade(of: slot, .level)
    guard let voice = emitters[slot].voice, voices.isSounding(voice), emitters[slot].began <= now else {
      return rest(slot, keepsVoice: false)
    }
    modify(slot) { ($0.status, $0.fade) = (.pausing, 0) }
    voices.setGain(0, of: voice, &outbox.commands)
    let now = now
    changePlaylist(of: slot) { $0.silentSince = now }
  }

  /// Pauses a player at once, while the mix stands still.
  mutating func haltPlayer(_ slot: EmitterSlot) {
    touch(slot)
    updateCurrentSound(slot)
    changePlaylist(of: slot) { $0.isWaitPaused = $0.awaitsOpening }
    guard emitters[slot].status == .playing || emitters[slot].status == .stopping else { return }
    cancelSecondVoices(slot)
    removeFade(of: slot, .level)
    rest(slot, keepsVoice: isHeard(slot) && emitters[slot].began <= now)
  }

  /// The end of a pause's fade: the clock and the source stand.
  private mutating func rest(_ slot: EmitterSlot, keepsVoice: Bool) {
    postProgress(of: slot)
    let now = now
    modify(slot) {
      ($0.status, $0.hasSounded, $0.fade) = (.paused, true, 1)
      let position = $0.clock.position(at: now)
      $0.clock = LogicalClock($0.clock.course, at: now, place: position, step: 0)
    }
    changePlaylist(of: slot) { $0.silentSince = nil }
    guard let voice = emitters[slot].voice else { return }
    guard keepsVoice, voices.isSounding(voice) else { return giveUpVoice(slot, .cuts) }
    voices.rest(voice, &outbox.commands)
  }

  /// Pauses the sources whose gain is zero by now.
  mutating func settlePause(_ slot: EmitterSlot) {
    guard emitters[slot].status == .pausing, let since = playlist(of: slot)?.silentSince,
      now - since >= fadingFrames
    else {
      return
    }
    rest(slot, keepsVoice: true)
  }

  /// Stops a player at its position; its reader, its queue and its voice are free.
  mutating func stopPlayer(_ slot: EmitterSlot, keepsScheduledSounds: Bool = false) {
    touch(slot)
    changePlaylist(of: slot) { playlist in
      if !keepsScheduledSounds { playlist.removeScheduledSounds() }
      playlist.awaitsOpening = false
    }
    if emitters[slot].status != .idle { return end(slot, .stopped) }
    cancelSecondVoices(slot)
    if emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
    finishWaiting(slot)
    // A player without a sound may have waited for the next one.
    postEnd(.stopped, ofPlayer: slot, isDeferred: false)
  }

  /// Fades a player out, to a stop at its position then.
  mutating func fadeOutPlayer(_ slot: EmitterSlot, _ fade: Fade) {
    guard emitters[slot].status != .idle else { return stopPlayer(slot) }
    touch(slot)
    cancelUpcoming(slot)
    changePlaylist(of: slot) { $0.removeScheduledSounds() }
    stop(slot, fade)
  }

  /// Moves a player to a frame of the current sound.
  mutating func seekPlayer(_ slot: EmitterSlot, toFrame frame: Int) {
    touch(slot)
    updateCurrentSound(slot)
    cancelSecondVoices(slot)
    guard let position = changePlaylist(of: slot, { $0.seek(toFrame: frame) }), let playlist = playlist(of: slot)
    else { return }
    replaceTimeline(slot, playlist.loaded, position)
  }

  /// Plays another timeline from a position on, in the present state of the player.
  mutating func replaceTimeline(_ slot: EmitterSlot, _ loaded: LoadedSound, _ position: Int) {
    load(loaded, of: slot)
    forgetPrevious(slot)
    cancelReplacementReader(slot)
    let hadVoice = emitters[slot].voice != nil
    if hadVoice { giveUpVoice(slot, .fades) }
    guard isRunning(slot) else {
      if hadVoice { prepareVoice(slot) }
      return
    }
    let step = emitters[slot].clock.step
    let begin = max(now, emitters[slot].began)
    let course = LogicalClock.Course(frameCount: playlist(of: slot)?.timeline.read(\.length) ?? .max)
    modify(slot) { $0.clock = LogicalClock(course, at: begin, place: Double(position), step: step) }
    if emitters[slot].status == .paused {
      if hadVoice { prepareVoice(slot) }
      return
    }
    let newStep = self.step(of: slot)
    modify(slot) { $0.clock.setStep(newStep, at: begin) }
    if emitters[slot].status == .pausing { return rest(slot, keepsVoice: false) }
    changePlaylist(of: slot) { $0.isScheduled = false }
    if begin - now <= frames(ofMilliseconds: Self.reservation) { takePlayerVoice(slot) }
  }

  /// Lets another voice go on with a changed timeline, at the same position.
  ///
  /// It plays silently for a tick, and then the two change their gains in one mix: their sum stays. Until then the
  /// levels come from the old timeline, on which the position is larger by the offset.
  mutating func beginReplacementVoice(_ slot: EmitterSlot, after old: SharedTimeline, offset: Int) {
    cancelReplacementReader(slot)
    guard let playlist = playlist(of: slot) else { return }
    load(playlist.loaded, of: slot)
    updateLength(of: slot)
    // The present voice goes on until the newest timeline has a voice of its own.
    if let old = playlist.replacementVoice, voices.isInUse(old) { giveUp(old.voice, .cuts) }
    let previous = playlist.previous.map { Playlist.Previous(timeline: $0.timeline, offset: $0.offset + offset) }
    changePlaylist(of: slot) { $0.replacementVoice = nil }
    cancelUpcoming(slot)
    guard emitters[slot].voice != nil else { return forgetPrevious(slot) }
    guard isHeard(slot), emitters[slot].status != .pausing, emitters[slot].began <= now else {
      return replaceTimeline(slot, playlist.loaded, playerPosition(of: slot))
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
  private mutating func forgetPrevious(_ slot: EmitterSlot) {
    guard let previous = playlist(of: slot)?.previous else { return }
    outbox.release(previous.timeline)
    changePlaylist(of: slot) { $0.previous = nil }
  }

  /// Ends the voice of the next timeline and the voice of a replacement.
  ///
  /// A voice that waits with a changed timeline replaces the present voice at once.
  mutating func cancelSecondVoices(_ slot: EmitterSlot) {
    cancelUpcoming(slot)
    cancelReplacementReader(slot)
    if let key = playlist(of: slot)?.replacementVoice { takeOver(slot, key) }
  }

  /// Ends the other voices of a player that loses its own: each of them would make it real again, beyond the limit.
  mutating func endSecondVoices(_ slot: EmitterSlot) {
    guard let playlist = playlist(of: slot) else { return }
    cancelUpcoming(slot)
    cancelReplacementReader(slot)
    guard let key = playlist.replacementVoice else { return }
    changePlaylist(of: slot) { $0.replacementVoice = nil }
    if voices.isInUse(key) { giveUp(key.voice, .cuts) }
    forgetPrevious(slot)
  }

  /// Ends the voice that waits for what follows.
  mutating func cancelUpcoming(_ slot: EmitterSlot) {
    guard let upcoming = playlist(of: slot)?.upcoming else { return }
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
  mutating func replaceVoice(of slot: EmitterSlot, by key: VoiceKey) {
    if emitters[slot].voice != nil { giveUpVoice(slot, .fades) }
    guard voices.isTaken(key) else {
      return takePlayerVoice(slot)
    }
    modify(slot) { $0.voice = key.voice }
    voices.becomePlain(key.voice)
    guard voices.isSounding(key.voice) else { return }
    // The player may have changed since the last tick, in which the voice was silent.
    let values = voiceValues(of: slot)
    let changes = values.changes(from: voices[key.voice].values)
    voices.set(key.voice, values, changes, &outbox.commands)
    if changes.contains(.sends) { outbox.append(.setSends(key.voice, sends(of: slot))) }
  }

  /// A call has touched the player: the end of an interruption does not resume it.
  mutating func touch(_ slot: EmitterSlot) { changePlaylist(of: slot) { $0.isUntouched = false } }
}
