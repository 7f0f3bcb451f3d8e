internal import PCM
internal import Spatial3D

// The limits of sounds and buses, and the compensation of copies.

extension WorldScene {
  /// The decision of one limit.
  fileprivate struct LimitDecision: Sendable {
    let result: PlaybackLimit.Decision
    /// The emitters and players that the limit has compared: the result contains an index of them.
    let players: [EmitterSlot]
  }

  /// The frame from which on a beginning counts for the copies that begin now.
  ///
  /// Listeners perceive sounds that begin within about 50 ms as one, by the precedence effect: only then do copies
  /// become one louder sound.
  private var firstCopyFrame: Int { now - frames(ofMilliseconds: 50) }

  /// Lowers an emitter that begins by the number of copies that have begun in the last 50 ms.
  mutating func compensate(_ slot: EmitterSlot) {
    let beginning = CopyCompensation.Beginning(
      slot: slot,
      order: emitters[slot].order,
      identity: sounds[emitters[slot].sound].identity,
      frame: max(emitters[slot].began, now)
    )
    if beginning.frame > now + MixTime.tick { copies.plan(beginning) } else { count(beginning) }
  }

  mutating func count(_ beginning: CopyCompensation.Beginning) {
    let gain = copies.count(beginning, forgettingBefore: firstCopyFrame, in: &sounds)
    modify(beginning.slot) { $0.copyGain = gain }
  }

  /// Lowers the copies to which others have come since the last tick.
  ///
  /// The planned starts of emitters that were stopped meanwhile are dropped.
  mutating func stepCopies() {
    for beginning in copies.takePlanned(upTo: now + MixTime.tick)
    where isCurrent(beginning) && emitters[beginning.slot].isSounding { count(beginning) }
    if copies.takeHasNew() {
      for beginning in copies.beginnings where isCurrent(beginning) {
        let gain = CopyCompensation.gain(of: beginning.identity, in: sounds)
        if gain < emitters[beginning.slot].copyGain { modify(beginning.slot) { $0.copyGain = gain } }
      }
    }
    copies.forget(before: firstCopyFrame, in: &sounds)
  }

  /// Whether the emitter has not begun again, and still has its slot.
  func isCurrent(_ beginning: CopyCompensation.Beginning) -> Bool {
    emitters[beginning.slot].isUsed && emitters[beginning.slot].order == beginning.order
  }

  /// The decision of all limits about an emitter that may begin.
  struct Admission: Sendable {
    /// The emitters that end in favor of it.
    var victims: [EmitterSlot] = []
    /// Whether it has no voice.
    var isVirtual = false

    /// Applies the decision of one limit; returns `false` if the limit refuses the newcomer.
    fileprivate mutating func adopt(_ decision: LimitDecision) -> Bool {
      switch decision.result {
      case .admit: break
      case .refuse: return false
      case .admitVirtually: isVirtual = true
      case .steal(let index): victims.append(decision.players[index])
      }
      return true
    }
  }

  /// Decides whether an emitter may begin; returns `nil` if a limit refuses it.
  ///
  /// The sound's limit comes first, then the limits of the buses from the emitter's own bus to the root. No emitter
  /// ends before all limits have admitted the newcomer.
  func admit(_ slot: EmitterSlot) -> Admission? {
    let index = emitters[slot].sound
    // Most sounds have no limit.
    guard sounds[index].limit != nil || mixer.buses.hasLimits else { return Admission() }
    var admission = Admission()
    if let limit = sounds[index].limit {
      let identity = sounds[index].identity
      let plays = sounds.plays(of: identity)
      let decision = decide(limit, about: slot, playing: plays.counted, last: plays.lastBegin) { other in
        sounds[emitters[other].sound].identity == identity
      }
      guard admission.adopt(decision) else { return nil }
    }
    var next: BusIndex? = emitters.bus(of: slot)
    while let bus = next {
      next = mixer.buses[bus].parent
      guard let limit = mixer.buses[bus].limit else { continue }
      let victims = admission.victims
      let ending = victims.count { mixer.buses.isBus(self.emitters.bus(of: $0), inside: bus) }
      let (playing, last) = (mixer.buses[bus].counted - ending, mixer.buses[bus].lastBegin)
      let decision = decide(limit, about: slot, playing: playing, last: last) { other in
        mixer.buses.isBus(self.emitters.bus(of: other), inside: bus) && !victims.contains(other)
      }
      guard admission.adopt(decision) else { return nil }
    }
    return admission
  }

  /// The decision of one limit; it reads the emitters only where one of them has to end.
  private func decide(
    _ limit: PlaybackLimit,
    about slot: EmitterSlot,
    playing: Int,
    last: Int?,
    among condition: (EmitterSlot) -> Bool
  ) -> LimitDecision {
    var slots: [EmitterSlot] = []
    let result = limit.decide(
      player(slot),
      playing: playing,
      among: {
        slots = emitters.indices.filter { emitters[$0].isCounted && condition($0) }
        return slots.map { player($0) }
      },
      framesSinceLast: last.map { abs(emitters[slot].began - $0) },
      sampleRate: time.physics.sampleRate
    )
    return LimitDecision(result: result, players: slots)
  }

  func player(_ slot: EmitterSlot) -> PlaybackLimit.Player {
    var distance: Float = 0
    if emitters[slot].isPlaced {
      let way = emitters.position(of: slot) - space.listeners[emitters[slot].listener].position
      distance = (way * way).sum().squareRoot()
    }
    return PlaybackLimit.Player(
      order: emitters.order(of: slot),
      loudness: audibility(of: slot).audible,
      distance: distance
    )
  }

  /// Whether a spacing refuses a beginning at a frame.
  func isTooSoon(_ slot: EmitterSlot, at frame: Int) -> Bool {
    let rate = time.physics.sampleRate
    func refuses(_ limit: PlaybackLimit?, _ last: Int?) -> Bool {
      guard let limit, let last else { return false }
      return limit.isTooSoon(framesSinceLast: abs(frame - last), sampleRate: rate)
    }
    let index = emitters[slot].sound
    if refuses(sounds[index].limit, sounds.plays(of: sounds[index].identity).lastBegin) { return true }
    return mixer.buses.path(from: emitters.bus(of: slot)).contains {
      refuses(mixer.buses[$0].limit, mixer.buses[$0].lastBegin)
    }
  }

  /// Keeps an emitter virtual until its limits have room.
  mutating func limit(_ slot: EmitterSlot) {
    modify(slot) { $0.isLimited = true }
    limits.append(slot, order: emitters[slot].order)
  }

  /// Lets the oldest emitters that the limits keep virtual have a voice, where others have ended since the last tick.
  mutating func releaseLimited() {
    guard var waiting = limits.takeWaiting() else { return }
    var kept = 0
    for index in waiting.indices {
      let entry = waiting[index]
      guard emitters[entry.slot].isLimited, emitters[entry.slot].order == entry.order else { continue }
      // The emitters of a paused bus do not count, and come back with it.
      guard !mixer.buses[emitters.bus(of: entry.slot)].totals.isPaused, hasRoom(for: entry.slot) else {
        waiting[kept] = entry
        kept += 1
        continue
      }
      modify(entry.slot) { $0.isLimited = false }
    }
    waiting.removeLast(waiting.count - kept)
    limits.putBack(waiting)
  }

  /// Whether the limits have room for an emitter that they keep virtual, or that was paused.
  func hasRoom(for slot: EmitterSlot) -> Bool {
    let index = emitters[slot].sound
    if let limit = sounds[index].limit, !limit.hasRoom(beside: sounds.plays(of: sounds[index].identity).counted) {
      return false
    }
    return mixer.hasRoom(on: emitters.bus(of: slot))
  }
}
