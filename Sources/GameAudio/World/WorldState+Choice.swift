internal import Spatial3D

// The choice of the emitters that have a voice.

extension WorldState {
  /// The milliseconds ahead of a start at which its voice is reserved.
  static let reservation = 200

  /// Gives the voices to the emitters with the highest scores.
  mutating func choose() {
    selector.begin()
    var (taken, places) = (0, voices.streamLimit)
    for index in voices.indices where voices[index].isTaken {
      guard let slot = voices[index].slot else { continue }
      // An emitter that fades out keeps its voice until then. A second voice of a player, and a voice that rests, stay.
      let isMain = emitters[slot].voice == index && voices[index].state != .resting
      guard isMain, emitters[slot].status == .playing, let candidate = candidate(slot) else {
        if isMain, emitters[slot].status == .playing { demote(slot, isStolen: false) } else { taken += 1 }
        if voices[index].isTaken, voices[index].isStream { places -= 1 }
        continue
      }
      taken += 1
      if voices[index].isStream, !candidate.isStream { places -= 1 }
      selector.add(real: candidate)
    }
    let free = max(voices.limit - taken, 0)
    let spares = voices.freeCount
    gatherWaiting(free: free)
    selector.decide(free: free, spares: spares, streamPlaces: places)
    reportEssentials()
    for slot in selector.choice.displaced { demote(slot, isStolen: true) }
    for slot in selector.choice.promoted { promote(slot) }
    endFadesForEssentials()
    endUnchosen()
  }

  /// Ends the fades of stopped emitters that hold the voices of those that must be heard; these have them next time.
  private mutating func endFadesForEssentials() {
    var missing = selector.choice.waiting.count { $0.isEssential && emitters[$0.slot].voice == nil }
    while missing > 0, let slot = quietestStopping {
      end(slot, .stopped)
      missing -= 1
    }
  }

  /// The emitter that has faded out furthest, of those that fade to their ends.
  private var quietestStopping: EmitterSlot? {
    var quietest: EmitterSlot?
    for voice in voices.indices where voices[voice].state == .sounding && voices[voice].role == .plain {
      guard let slot = voices[voice].slot, emitters[slot].status == .stopping else { continue }
      if let known = quietest, emitters[known].fade <= emitters[slot].fade { continue }
      quietest = slot
    }
    return quietest
  }

  /// Adds the virtual emitters that may get a voice.
  private mutating func gatherWaiting(free: Int) {
    let loudest = space.listeners.rendered.gain.rawValue
    guard loudest > 0, emitters.count > 0 else { return }
    selector.computeBounds(of: emitters.columns, at: space.listeners, buses: mixer.buses.bounds)
    let first = selector.firstRange(free: free, loudestListener: loudest)
    addWaiting(in: first)
    if let next = selector.nextRange(after: first, free: free, loudestListener: loudest) { addWaiting(in: next) }
  }

  private mutating func addWaiting(in range: VoiceSelector.BoundRange) {
    var next = selector.slot(after: nil, in: range)
    while let slot = next {
      updateListener(of: slot)
      updatePath(of: slot)
      if let candidate = candidate(slot) { selector.add(waiting: candidate) }
      next = selector.slot(after: slot, in: range)
    }
  }

  /// An emitter with its score; `nil` for an emitter that is too quiet, or that must not change now.
  private func candidate(_ slot: EmitterSlot) -> VoiceChoice.Candidate? {
    let record = emitters[slot]
    let isReal = record.voice != nil
    if !isReal {
      guard record.began - now <= frames(ofMilliseconds: Self.reservation),
        !(record.behavior == .stop && record.hasSounded) || record.keepsPosition
      else {
        return nil
      }
      if isNearlyOver(slot) { return nil }
      if record.hasSounded, !record.keepsPosition, now - record.switched < frames(ofMilliseconds: 50) { return nil }
    }
    let audible = audibility(of: slot).audible
    guard audible >= (isReal || !record.hasSounded ? Audibility.threshold : Audibility.thresholdOfReturn) else {
      return nil
    }
    return VoiceChoice.Candidate(
      slot: slot,
      score: audible * record.priority.factor * (isReal ? Audibility.hysteresis : 1),
      order: emitters.order(of: slot),
      isEssential: record.priority == .mustBeHeard,
      isProtected: isReal && now - record.switched < frames(ofMilliseconds: 100),
      isStream: needsStreamPlace(slot)
    )
  }

  /// Whether a virtual emitter ends before a voice is worth it: its last 100 ms without a beginning are a click.
  private func isNearlyOver(_ slot: EmitterSlot) -> Bool {
    let record = emitters[slot]
    guard emitters.end(of: slot) < now + frames(ofMilliseconds: 100), !record.isPlayer, !record.keepsPosition else {
      return false
    }
    return record.hasSounded || now - record.began > frames(ofMilliseconds: Self.startGrace)
  }

  /// Whether an emitter competes for the streams; a player has its own stream before them.
  func needsStreamPlace(_ slot: EmitterSlot) -> Bool {
    !emitters[slot].isPlayer && sounds[Int(emitters[slot].sound)].loaded?.stream != nil
  }

  /// Ends the emitters that are to stop where they find no voice.
  private mutating func endUnchosen() {
    guard emitters.stoppingCount > 0 else { return }
    let grace = frames(ofMilliseconds: Self.startGrace)
    for slot in emitters.indices
    where emitters[slot].behavior == .stop && emitters[slot].status == .playing {
      guard emitters[slot].voice == nil, !mixer.buses[emitters.bus(of: slot)].totals.isPaused else { continue }
      if now - emitters[slot].began > grace { end(slot, .stolen) }
    }
  }

  /// Reports once that more emitters must be heard than there are voices.
  private mutating func reportEssentials() {
    // An emitter that fades out gives up its voice for an emitter that waits.
    guard !selector.hasReportedEssentials, selector.lacksVoicesForEssentials, quietestStopping == nil else { return }
    selector.setReportedEssentials()
    outbox.report(
      Diagnostic(
        code: .tooManyEssentialSounds,
        message:
          "More than \(voices.limit) emitters have the priority .mustBeHeard, and the quietest of them have no voice."
          + " Give some of them a lower priority, or the world more voices. This is reported once."
      )
    )
  }
}
