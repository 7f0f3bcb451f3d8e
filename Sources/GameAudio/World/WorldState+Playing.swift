internal import Spatial3D

// The states of an emitter, and the changes between them.

extension WorldState {
  /// Begins an emitter, or resumes a paused one; a start that lies ahead has a moment.
  mutating func play(_ slot: EmitterSlot, at moment: Duration? = nil) {
    if moment == nil {
      if playback.scene.emitters[slot].isPaused || playback.scene.emitters[slot].status == .pausing {
        return resume(slot)
      }
    }
    let frame = min(max(moment.map { playback.scene.frames(in: $0) } ?? playback.now, playback.now), Frames.last)
    if playback.scene.emitters[slot].status != .idle {
      // If a beginning so soon is refused, the present sound plays on.
      guard !playback.scene.isTooSoon(slot, at: frame) else { return playback.post(.ended(.refused), of: slot) }
      playback.finish(slot, .stopped, isCut: false)
    }
    prepareBeginning(of: slot, at: frame)
    playback.scene.emitters.store(slot) { ($0.laps, $0.keepsPosition) = (0, false) }
    // The next answer counts as the first; the last answer stays in force until then.
    if playback.scene.emitters[slot].hasRareSettings { playback.scene.emitters[rare: slot].rays.begin() }
    playback.updateForm(of: slot)
    // The limits compare the loudness of the beginning.
    if let sound = playback.scene.sounds[playback.scene.emitters[slot].sound].loaded {
      let (place, now) = (playback.scene.startFrame(of: slot, in: sound), playback.now)
      playback.scene.modify(slot) { $0.clock.seek(to: place, at: now) }
    }
    guard admitBeginning(of: slot, as: .loading) else { return refuse(slot) }
    playback.begin(slot)
  }

  /// Makes the beginning of an emitter or a player the newest, and resets the values of its last beginning.
  mutating func prepareBeginning(of slot: EmitterSlot, at frame: Int) {
    playback.scene.emitters.setNewest(slot)
    playback.scene.modify(slot) {
      ($0.hasSounded, $0.isLimited) = (false, false)
      ($0.copyGain, $0.began) = (1, frame)
    }
  }

  /// Gives a prepared emitter or player its first status, and ends the others that limits end for it.
  ///
  /// Returns `false` if a limit refuses the beginning.
  mutating func admitBeginning(of slot: EmitterSlot, as status: EmitterRecord.Status) -> Bool {
    guard let admission = playback.scene.admit(slot) else { return false }
    if admission.isVirtual { playback.scene.limit(slot) }
    playback.scene.drawVariation(of: slot)
    prepareMix()
    playback.scene.modify(slot) { $0.status = status }
    playback.scene.sounds.countUse(of: playback.scene.emitters[slot].sound)
    playback.scene.storeBegin(of: slot)
    // The newcomer counts already: an end makes room for no emitter that a limit keeps virtual.
    for victim in admission.victims { playback.end(victim, .stolen) }
    return true
  }

  /// Prepares the mix for another emitter or player that plays: nothing updates the space and the duckers before the
  /// first.
  mutating func prepareMix() {
    if playback.scene.emitters.activeCount == 0 {
      playback.scene.mixer.setDucked(until: playback.now)
      // The listener may have moved since the last sound.
      playback.stepZones()
      playback.scene.space.searchRoutes()
    }
    if session.reportsBeginning() { playback.outbox.report(.playedInInterruption) }
  }

  private mutating func refuse(_ slot: EmitterSlot) {
    playback.post(.ended(.refused), of: slot)
    if !playback.scene.emitters[slot].hasHandle { playback.removeSlot(slot) }
  }

  /// Fades an emitter out, to its end.
  mutating func stop(_ slot: EmitterSlot, _ fade: Fade) {
    switch playback.scene.emitters[slot].status {
    case .idle: return
    case .loading, .paused, .pausedBeforeStart: return playback.end(slot, .stopped)
    case .playing, .stopping, .pausing:
      guard fade.duration > .zero, playback.isHeard(slot), playback.scene.emitters[slot].began <= playback.now else {
        return playback.end(slot, .stopped, isCut: fade.duration <= .zero)
      }
      playback.scene.modify(slot) { $0.status = .stopping }
      playback.complete(playback.scene.beginFade(of: slot, .level, to: .silence, fade, then: .end))
    }
  }

  /// Fades an emitter out, and pauses it at the position that it has then.
  mutating func pause(_ slot: EmitterSlot, _ fade: Fade) {
    guard playback.scene.emitters[slot].status == .playing else {
      guard playback.scene.emitters[slot].status == .loading else { return }
      return playback.scene.modify(slot) { $0.status = .pausedBeforeStart }
    }
    guard fade.duration > .zero, playback.isHeard(slot) else { return playback.completePause(of: slot) }
    playback.scene.modify(slot) { $0.status = .pausing }
    playback.complete(playback.scene.beginFade(of: slot, .level, to: .silence, fade, then: .pause))
  }

  private mutating func resume(_ slot: EmitterSlot) {
    let wasPaused = playback.scene.emitters[slot].isPaused
    if wasPaused, !playback.scene.hasRoom(for: slot) { playback.scene.limit(slot) }
    let now = playback.now
    if playback.scene.emitters[slot].status == .pausedBeforeStart {
      prepareMix()
      playback.scene.modify(slot) { ($0.status, $0.began) = (.loading, now) }
      return playback.begin(slot)
    }
    if wasPaused { prepareMix() }
    let step = playback.scene.step(of: slot)
    playback.scene.modify(slot) {
      $0.status = .playing
      $0.clock.setStep(step, at: now)
      if wasPaused { $0.switched = now }
    }
    guard wasPaused else {
      playback.complete(playback.scene.beginFade(of: slot, .level, to: .unity, .declick))
      return
    }
    playback.takeFreeVoice(slot)
    playback.scene.stopClockIfVirtual(of: slot)
  }

  /// Moves an emitter to a position in its sound; an emitter that does not play begins there.
  mutating func seek(_ slot: EmitterSlot, to time: Duration) {
    let isMoved = playback.scene.emitters[slot].isSounding || playback.scene.emitters[slot].status == .paused
    guard isMoved, let sound = playback.scene.sounds[playback.scene.emitters[slot].sound].loaded else {
      playback.scene.emitters.store(slot) { $0.start = max(time / .seconds(1), 0) }
      return
    }
    let seconds = time / .seconds(1)
    let frame = min(max(seconds * Double(sound.sampleRate), 0), sound.lastFrame)
    if let fault = sound.fault(ofPosition: seconds) { playback.outbox.report(playback.firstReport(of: fault, slot)) }
    playback.postLaps(of: slot)
    let now = playback.now
    playback.scene.modify(slot) {
      $0.clock.seek(to: frame, at: max(now, $0.began))
      $0.laps = 0
    }
    if playback.isHeard(slot) { playback.changeVoice(of: slot) }
  }
}
