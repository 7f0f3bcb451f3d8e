internal import PCM
internal import Spatial3D

// The states of a player, and the changes between them.

extension WorldState {
  /// Plays a player from its position, or resumes a paused one, at a frame of the mix or now.
  mutating func playDeck(_ slot: EmitterSlot, at moment: Int? = nil, fadingIn fade: Fade? = nil) {
    touch(slot)
    finishWaiting(slot)
    let begin = moment.map { min(max($0, now), Frames.last) } ?? now
    switch emitters[slot].status {
    case .playing:
      // A start that has not come may have another moment.
      guard let moment, emitters[slot].began > now else { return }
      let index = Int(emitters[slot].deck)
      let ends = players.decks[index].ends
      // The tasks that wait for the end of the sound wait on.
      players.decks[index].ends = Observers()
      stopDeck(slot, keepsAppointments: true)
      players.decks[index].ends = ends
      playDeck(slot, at: moment, fadingIn: fade)
    case .pausing:
      changeDeck(of: slot) { $0.silentSince = nil }
      guard moment == nil else {
        // The voice is not silent yet.
        if emitters[slot].voice >= 0 { giveUpVoice(slot, .fades) }
        rest(slot, keepsVoice: false)
        return playDeck(slot, at: moment, fadingIn: fade)
      }
      setStatus(.playing, of: slot)
      emitters[slot].fade = 1
      guard isHeard(slot) else { return }
      // The pause has silenced the voice, maybe since the last mix.
      let voice = Int(emitters[slot].voice)
      voices.voices[voice].values.gain = voiceValues(of: slot, channelCount: voices.voices[voice].channelCount).gain
      outbox.append(.set(voice, voices.voices[voice].values, .gain))
    case .paused:
      setStatus(.playing, of: slot)
      noteActivity()
      run(slot, from: begin, isScheduled: moment != nil)
      fadeIn(slot, fade)
    case .stopping:
      guard moment == nil else {
        stopDeck(slot, keepsAppointments: true)
        return playDeck(slot, at: moment, fadingIn: fade)
      }
      // The voice goes on, and the level rises from the level in force.
      removeFade(of: slot, .level)
      setStatus(.playing, of: slot)
      beginFade(of: slot, .level, to: .unity, fade ?? .declick)
      updateWeight(of: slot)
    case .idle, .loading:
      // A player that waits for a sound plays.
      guard moment != nil || deck(of: slot)?.awaitsOpening != true else {
        changeDeck(of: slot) { $0.isWaitPaused = false }
        return
      }
      start(slot, at: begin, isScheduled: moment != nil, fadingIn: fade)
    }
  }

  /// Reserves a voice for a player that does not play, and opens its stream.
  mutating func prepareDeck(_ slot: EmitterSlot) {
    if !isRunning(slot) || emitters[slot].status == .paused {
      if let deck = deck(of: slot), deck.isEnd(deck.position), !isRunning(slot) { seekDeck(slot, toFrame: 0) }
      if emitters[slot].voice < 0 { return holdVoice(slot) }
      // It is being opened for another task.
      if voices.voices[Int(emitters[slot].voice)].state == .opening { return }
    }
    finishWaiting(slot)
  }

  private mutating func start(_ slot: EmitterSlot, at begin: Int, isScheduled: Bool, fadingIn fade: Fade?) {
    guard let deck = deck(of: slot) else { return }
    if deck.isEnd(deck.position) { seekDeck(slot, toFrame: 0) }
    guard enter(slot, at: begin) else { return }
    run(slot, from: begin, isScheduled: isScheduled)
    fadeIn(slot, fade)
  }

  /// Lets a player that has no sound play, if the limits admit it.
  private mutating func enter(_ slot: EmitterSlot, at begin: Int) -> Bool {
    emitters.setNewest(slot)
    emitters[slot].hasSounded = false
    emitters[slot].isHeld = false
    emitters[slot].crowd = 1
    emitters[slot].began = begin
    guard let admission = admit(slot) else {
      postEnd(.refused, ofDeck: slot, isDeferred: true)
      return false
    }
    if admission.isVirtual { hold(slot) }
    noteBegin(of: slot)
    noteActivity()
    setStatus(.playing, of: slot)
    for victim in admission.victims { end(victim, .stolen) }
    emitters[slot].fade = 1
    changeDeck(of: slot) { ($0.hasFailed, $0.awaitsOpening) = (false, false) }
    return true
  }

  /// Lets a player play, whatever its state is, for a sound that another voice begins; `false` if a limit refuses that.
  mutating func enterForNextTape(_ slot: EmitterSlot) -> Bool {
    touch(slot)
    finishWaiting(slot)
    switch emitters[slot].status {
    case .playing: return true
    case .pausing, .stopping: removeFade(of: slot, .level)
    case .paused: noteActivity()
    case .idle, .loading: return enter(slot, at: now)
    }
    changeDeck(of: slot) { $0.silentSince = nil }
    emitters[slot].fade = 1
    setStatus(.playing, of: slot)
    return true
  }

  /// Lets the clock of a player run from its position, and plays its voice.
  private mutating func run(_ slot: EmitterSlot, from begin: Int, isScheduled: Bool) {
    guard
      let deck = changeDeck(
        of: slot,
        { deck in
          deck.isScheduled = isScheduled
          return deck
        }
      )
    else { return }
    let position = emitters[slot].clock.position(at: now)
    let wasPaused = emitters[slot].hasSounded
    let course = LogicalClock.Course(frameCount: deck.feed.read(\.length) ?? .max)
    emitters[slot].began = begin
    emitters[slot].switched = now
    emitters[slot].clock = LogicalClock(
      course,
      at: begin,
      place: wasPaused ? position : Double(deck.position),
      step: 0
    )
    emitters[slot].clock.setStep(step(of: slot), at: begin)
    updateEnd(of: slot)
    updateWeight(of: slot)
    // A source that was paused in the middle of its queue starts at a moment only from a new queue.
    if emitters[slot].voice >= 0, begin > now, wasPaused { giveUpVoice(slot, .cuts) }
    // A paused bus keeps a voice at rest until it is resumed.
    if mixer.buses[emitters.bus(of: slot)].totals.isPaused { return }
    if emitters[slot].voice >= 0 { return wake(slot) }
    updateWeight(of: slot)
    if begin - now <= frames(ofMilliseconds: Self.reservation) { takeDeckVoice(slot) }
  }

  private mutating func fadeIn(_ slot: EmitterSlot, _ fade: Fade?) {
    guard let fade, fade.duration > .zero else { return }
    emitters[slot].fade = 0
    beginFade(of: slot, .level, to: .unity, fade)
    let voice = Int(emitters[slot].voice)
    guard voice >= 0, voices.voices[voice].state == .sounding else { return }
    voices.voices[voice].values.gain = 0
    outbox.append(.set(voice, voices.voices[voice].values, .gain))
  }

  /// Pauses a player in 10 ms; it keeps its voice.
  mutating func pauseDeck(_ slot: EmitterSlot) {
    touch(slot)
    adoptSound(slot)
    changeDeck(of: slot) { $0.isWaitPaused = $0.awaitsOpening }
    guard emitters[slot].status == .playing || emitters[slot].status == .stopping else { return }
    cancelSecondVoices(slot)
    removeFade(of: slot, .level)
    guard isHeard(slot), emitters[slot].began <= now else { return rest(slot, keepsVoice: false) }
    setStatus(.pausing, of: slot)
    emitters[slot].fade = 0
    let voice = Int(emitters[slot].voice)
    voices.voices[voice].values.gain = 0
    outbox.append(.set(voice, voices.voices[voice].values, .gain))
    let now = now
    changeDeck(of: slot) { $0.silentSince = now }
  }

  /// Pauses a player at once, while the mix stands still.
  mutating func haltDeck(_ slot: EmitterSlot) {
    touch(slot)
    adoptSound(slot)
    changeDeck(of: slot) { $0.isWaitPaused = $0.awaitsOpening }
    guard emitters[slot].status == .playing || emitters[slot].status == .stopping else { return }
    cancelSecondVoices(slot)
    removeFade(of: slot, .level)
    rest(slot, keepsVoice: isHeard(slot) && emitters[slot].began <= now)
  }

  /// The end of a pause's fade: the clock and the source stand.
  private mutating func rest(_ slot: EmitterSlot, keepsVoice: Bool) {
    postProgress(of: slot)
    setStatus(.paused, of: slot)
    emitters[slot].hasSounded = true
    emitters[slot].fade = 1
    emitters.activeCount -= 1
    let position = emitters[slot].clock.position(at: now)
    emitters[slot].clock = LogicalClock(emitters[slot].clock.course, at: now, place: position, step: 0)
    changeDeck(of: slot) { $0.silentSince = nil }
    updateEnd(of: slot)
    updateWeight(of: slot)
    let voice = Int(emitters[slot].voice)
    guard voice >= 0 else { return }
    guard keepsVoice, voices.voices[voice].state == .sounding else { return giveUpVoice(slot, .cuts) }
    voices.voices[voice].state = .resting
    outbox.append(.pause(voice, VoiceKey(voice: voice, use: voices.voices[voice].use)))
  }

  /// Pauses the sources whose gain is zero by now.
  mutating func settlePause(_ slot: EmitterSlot) {
    guard emitters[slot].status == .pausing, let since = deck(of: slot)?.silentSince,
      now - since >= fadingFrames
    else {
      return
    }
    rest(slot, keepsVoice: true)
  }

  /// Stops a player at its position; its reader, its queue and its voice are free.
  mutating func stopDeck(_ slot: EmitterSlot, keepsAppointments: Bool = false) {
    touch(slot)
    changeDeck(of: slot) { deck in
      if !keepsAppointments { deck.removeAppointments() }
      deck.awaitsOpening = false
    }
    if emitters[slot].status != .idle { return end(slot, .stopped) }
    cancelSecondVoices(slot)
    if emitters[slot].voice >= 0 { giveUpVoice(slot, .fades) }
    finishWaiting(slot)
    // A player without a sound may have waited for the next one.
    postEnd(.stopped, ofDeck: slot, isDeferred: false)
  }

  /// Fades a player out, to a stop at its position then.
  mutating func fadeOutDeck(_ slot: EmitterSlot, _ fade: Fade) {
    guard emitters[slot].status != .idle else { return stopDeck(slot) }
    touch(slot)
    cancelFollowing(slot)
    changeDeck(of: slot) { $0.removeAppointments() }
    stop(slot, fade)
  }

  /// Moves a player to a frame of the current sound.
  mutating func seekDeck(_ slot: EmitterSlot, toFrame frame: Int) {
    touch(slot)
    adoptSound(slot)
    cancelSecondVoices(slot)
    guard let position = changeDeck(of: slot, { $0.rewind(toFrame: frame) }), let deck = deck(of: slot) else { return }
    changeDeck(of: slot) { $0.position = position }
    replaceTape(slot, deck.loaded, position)
  }

  /// Plays another timeline from a position on, in the present state of the player.
  mutating func replaceTape(_ slot: EmitterSlot, _ loaded: LoadedSound, _ position: Int) {
    load(loaded, of: slot)
    forgetFormer(slot)
    cancelReplacement(slot)
    let hadVoice = emitters[slot].voice >= 0
    if hadVoice { giveUpVoice(slot, .fades) }
    guard isRunning(slot) else {
      if hadVoice { holdVoice(slot) }
      return
    }
    let step = emitters[slot].clock.step
    let begin = max(now, emitters[slot].began)
    let course = LogicalClock.Course(frameCount: deck(of: slot)?.feed.read(\.length) ?? .max)
    emitters[slot].clock = LogicalClock(course, at: begin, place: Double(position), step: step)
    updateEnd(of: slot)
    if emitters[slot].status == .paused {
      if hadVoice { holdVoice(slot) }
      return
    }
    emitters[slot].clock.setStep(self.step(of: slot), at: begin)
    updateEnd(of: slot)
    if emitters[slot].status == .pausing { return rest(slot, keepsVoice: false) }
    changeDeck(of: slot) { $0.isScheduled = false }
    if begin - now <= frames(ofMilliseconds: Self.reservation) { takeDeckVoice(slot) }
  }

  /// Lets another voice go on with a changed timeline, at the same position.
  ///
  /// It plays silently for a tick, and then the two change their gains in one mix: their sum stays. Until then the
  /// levels come from the old timeline, on which the position is larger by the offset.
  mutating func relieve(_ slot: EmitterSlot, after old: TapeFeed, offset: Int) {
    cancelReplacement(slot)
    guard let deck = deck(of: slot) else { return }
    load(deck.loaded, of: slot)
    adoptLength(of: slot)
    // The present voice goes on until the newest timeline has a voice of its own.
    if let old = deck.relief, voices.voices[old.voice].use == old.use { giveUp(old.voice, .cuts) }
    let former = deck.former.map { Deck.Former(feed: $0.feed, offset: $0.offset + offset) }
    changeDeck(of: slot) { $0.relief = nil }
    cancelFollowing(slot)
    guard emitters[slot].voice >= 0 else { return forgetFormer(slot) }
    guard isHeard(slot), emitters[slot].status != .pausing, emitters[slot].began <= now else {
      return replaceTape(slot, deck.loaded, deckPosition(of: slot))
    }
    let key = openVoice(slot, .relief, deck.loaded, channelCount: deck.feed.format.channelCount)
    guard let key else {
      giveUpVoice(slot, .fades)
      forgetFormer(slot)
      return takeDeckVoice(slot)
    }
    changeDeck(of: slot) { deck in
      deck.relief = key
      deck.former = former ?? Deck.Former(feed: old, offset: offset)
    }
  }

  /// Forgets the timeline of a voice that another voice has replaced.
  ///
  /// The closures of its tracks may hold objects of the program, and go to the release queue.
  private mutating func forgetFormer(_ slot: EmitterSlot) {
    guard let former = deck(of: slot)?.former else { return }
    outbox.release(former.feed)
    changeDeck(of: slot) { $0.former = nil }
  }

  /// Ends the voice of the next timeline and the voice of a replacement.
  ///
  /// A voice that waits with a changed timeline replaces the present voice at once.
  mutating func cancelSecondVoices(_ slot: EmitterSlot) {
    cancelFollowing(slot)
    cancelReplacement(slot)
    if let key = deck(of: slot)?.relief { takeOver(slot, key) }
  }

  /// Ends the other voices of a player that loses its own: each of them would make it real again, beyond the limit.
  mutating func endSecondVoices(_ slot: EmitterSlot) {
    guard let deck = deck(of: slot) else { return }
    cancelFollowing(slot)
    cancelReplacement(slot)
    guard let key = deck.relief else { return }
    changeDeck(of: slot) { $0.relief = nil }
    if voices.voices[key.voice].use == key.use { giveUp(key.voice, .cuts) }
    forgetFormer(slot)
  }

  /// Ends the voice that waits for what follows.
  mutating func cancelFollowing(_ slot: EmitterSlot) {
    guard let following = deck(of: slot)?.following else { return }
    // The tick that switches to a sound may not have come: its voice is audible.
    let silencing: Silencing = following.begin < now ? .fades : .cuts
    if let key = following.voice, voices.voices[key.voice].use == key.use { giveUp(key.voice, silencing) }
    changeDeck(of: slot) { $0.removeFollowing() }
  }

  /// Lets the voice that has played silently take over: the timeline of the present voice is out of date.
  mutating func takeOver(_ slot: EmitterSlot, _ key: VoiceKey) {
    changeDeck(of: slot) { $0.relief = nil }
    forgetFormer(slot)
    replaceVoice(of: slot, by: key)
  }

  /// Fades the voice of a player out, and gives a voice that has played silently the values of the player.
  mutating func replaceVoice(of slot: EmitterSlot, by key: VoiceKey) {
    if emitters[slot].voice >= 0 { giveUpVoice(slot, .fades) }
    guard voices.voices[key.voice].use == key.use, voices.voices[key.voice].isTaken else { return takeDeckVoice(slot) }
    emitters[slot].voice = Int32(key.voice)
    voices.voices[key.voice].role = .plain
    guard voices.voices[key.voice].state == .sounding else { return }
    // The player may have changed since the last tick, in which the voice was silent.
    let values = voiceValues(of: slot)
    let changes = values.changes(from: voices.voices[key.voice].values)
    voices.voices[key.voice].values = values
    outbox.append(.set(key.voice, values, changes))
    if changes.contains(.sends) { outbox.append(.setSends(key.voice, sends(of: slot))) }
  }

  /// A call has touched the player: the end of an interruption does not resume it.
  mutating func touch(_ slot: EmitterSlot) { changeDeck(of: slot) { $0.isUntouched = false } }
}
