internal import Spatial3D

// The choice of the emitters that have a voice.

extension WorldState {
  /// Gives the voices to the emitters with the highest scores.
  mutating func choose() {
    selector.begin()
    var (taken, places) = (0, playback.voices.streamLimit)
    for index in playback.voices.indices where playback.voices[index].isTaken {
      guard let slot = playback.voices[index].slot else { continue }
      // An emitter that fades out keeps its voice until then. A second voice of a player, and a voice that rests, stay.
      let isMain = playback.scene.emitters[slot].voice == index && playback.voices[index].state != .resting
      guard isMain, playback.scene.emitters[slot].status == .playing, let candidate = playback.scene.candidate(slot)
      else {
        if isMain, playback.scene.emitters[slot].status == .playing {
          playback.demote(slot, isStolen: false)
        } else {
          taken += 1
        }
        if playback.voices[index].isTaken, playback.voices[index].isStream { places -= 1 }
        continue
      }
      taken += 1
      if playback.voices[index].isStream, !candidate.isStream { places -= 1 }
      selector.add(real: candidate)
    }
    let free = max(playback.voices.limit - taken, 0)
    let spares = playback.voices.freeCount
    gatherWaiting(free: free)
    selector.decide(free: free, spares: spares, streamPlaces: places)
    reportEssentials()
    for slot in selector.choice.displaced { playback.demote(slot, isStolen: true) }
    for slot in selector.choice.promoted { playback.promote(slot) }
    endFadesForEssentials()
    endUnchosen()
  }

  /// Ends the fades of stopped emitters that hold the voices of those that must be heard; these have them next time.
  private mutating func endFadesForEssentials() {
    var missing = selector.choice.waiting.count { $0.isEssential && playback.scene.emitters[$0.slot].voice == nil }
    while missing > 0, let slot = playback.quietestStopping {
      playback.end(slot, .stopped)
      missing -= 1
    }
  }

  /// Adds the virtual emitters that may get a voice.
  private mutating func gatherWaiting(free: Int) {
    let loudest = playback.scene.space.listeners.rendered.gain.rawValue
    guard loudest > 0, playback.scene.emitters.count > 0 else { return }
    selector.computeBounds(
      of: playback.scene.emitters.columns,
      at: playback.scene.space.listeners,
      buses: playback.scene.mixer.buses.bounds
    )
    let first = selector.firstRange(free: free, loudestListener: loudest)
    addWaiting(in: first)
    if let next = selector.nextRange(after: first, free: free, loudestListener: loudest) { addWaiting(in: next) }
  }

  private mutating func addWaiting(in range: VoiceSelector.BoundRange) {
    var next = selector.slot(after: nil, in: range)
    while let slot = next {
      playback.scene.updateListener(of: slot)
      playback.scene.updatePath(of: slot)
      if let candidate = playback.scene.candidate(slot) { selector.add(waiting: candidate) }
      next = selector.slot(after: slot, in: range)
    }
  }

  /// Ends the emitters that are to stop where they find no voice.
  private mutating func endUnchosen() {
    guard playback.scene.emitters.stoppingCount > 0 else { return }
    let grace = playback.scene.frames(ofMilliseconds: WorldScene.startGrace)
    for slot in playback.scene.emitters.indices
    where playback.scene.emitters[slot].behavior == .stop && playback.scene.emitters[slot].status == .playing {
      guard playback.scene.emitters[slot].voice == nil,
        !playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].totals.isPaused
      else { continue }
      if playback.now - playback.scene.emitters[slot].began > grace { playback.end(slot, .stolen) }
    }
  }

  /// Reports once that more emitters must be heard than there are voices.
  private mutating func reportEssentials() {
    // An emitter that fades out gives up its voice for an emitter that waits.
    guard !selector.hasReportedEssentials, selector.lacksVoicesForEssentials, playback.quietestStopping == nil else {
      return
    }
    selector.setReportedEssentials()
    playback.outbox.report(
      Diagnostic(
        code: .tooManyEssentialSounds,
        message:
          "More than \(playback.voices.limit) emitters have the priority .mustBeHeard, and the quietest of them have no voice."
          + " Give some of them a lower priority, or the world more voices. This is reported once."
      )
    )
  }
}
