internal import Spatial3D

// The limits of sounds and buses.

extension WorldState {
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

  /// The decision of one limit.
  fileprivate struct LimitDecision: Sendable {
    let result: PlaybackLimit.Decision
    /// The emitters and players that the limit has compared: the result contains an index of them.
    let players: [EmitterSlot]
  }

  /// Decides whether an emitter may begin; returns `nil` if a limit refuses it.
  ///
  /// The sound's limit comes first, then the limits of the buses from the emitter's own bus to the root. No emitter
  /// ends before all limits have admitted the newcomer.
  func admit(_ slot: EmitterSlot) -> Admission? {
    let index = Int(emitters[slot].sound)
    // Most sounds have no limit.
    guard sounds[index].limit != nil || mixer.buses.hasLimits else { return Admission() }
    var admission = Admission()
    if let limit = sounds[index].limit {
      let identity = sounds[index].identity
      let plays = sounds.plays(of: identity)
      let decision = decide(limit, about: slot, playing: plays.counted, last: plays.lastBegin) { other in
        sounds[Int(emitters[other].sound)].identity == identity
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

  private func player(_ slot: EmitterSlot) -> PlaybackLimit.Player {
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

  /// Stores the beginning of an emitter for the spacings of its sound and of its buses.
  mutating func storeBegin(of slot: EmitterSlot) {
    let begin = emitters[slot].began
    sounds.change(playsOf: sounds[Int(emitters[slot].sound)].identity) { $0.lastBegin = begin }
    mixer.setBegin(begin, on: emitters.bus(of: slot))
  }

  /// Whether a spacing refuses a beginning at a frame.
  func isTooSoon(_ slot: EmitterSlot, at frame: Int) -> Bool {
    let rate = time.physics.sampleRate
    func refuses(_ limit: PlaybackLimit?, _ last: Int?) -> Bool {
      guard let limit, let last else { return false }
      return limit.isTooSoon(framesSinceLast: abs(frame - last), sampleRate: rate)
    }
    let index = Int(emitters[slot].sound)
    if refuses(sounds[index].limit, sounds.plays(of: sounds[index].identity).lastBegin) { return true }
    return mixer.buses.path(from: emitters.bus(of: slot)).contains {
      refuses(mixer.buses[$0].limit, mixer.buses[$0].lastBegin)
    }
  }
}

// MARK: - Counting

extension WorldState {
  /// Changes an emitter, and then all that follows from its values: its end, its weight, and the counts of the limits.
  @inline(__always)
  mutating func modify(_ slot: EmitterSlot, _ body: (inout EmitterRecord) -> Void) {
    emitters.modify(slot, body)
    updateWeight(of: slot)
    updateCount(of: slot)
  }

  /// Stores the largest score of an emitter, after a change of its sound, its sends or the model of distance.
  mutating func updateWeight(of slot: EmitterSlot) {
    let index = Int(emitters[slot].sound)
    let peak = emitters[slot].isWaitingForVoice ? sounds[index].peak(in: time.physics.distanceModel) : nil
    emitters.updateWeight(of: slot, peak)
  }

  /// Counts an emitter for the limits, or no longer, after a change of its state.
  ///
  /// One on a paused bus does not count.
  mutating func updateCount(of slot: EmitterSlot) {
    let bus = emitters.bus(of: slot)
    let change = emitters.updateCount(of: slot, isBusPaused: mixer.buses[bus].totals.isPaused)
    guard change != 0 else { return }
    sounds.change(playsOf: sounds[Int(emitters[slot].sound)].identity) { $0.counted += change }
    mixer.count(change, on: bus)
    if change < 0 { limits.setHasRoom() }
  }

  /// Moves the count of an emitter to another bus, before the emitter.
  mutating func moveCount(of slot: EmitterSlot, toBus bus: BusIndex) {
    guard emitters[slot].isCounted else { return }
    mixer.count(-1, on: emitters.bus(of: slot))
    mixer.count(1, on: bus)
    limits.setHasRoom()
  }
}

// MARK: - Emitters that wait for a limit

extension WorldState {
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
    let index = Int(emitters[slot].sound)
    if let limit = sounds[index].limit, !limit.hasRoom(beside: sounds.plays(of: sounds[index].identity).counted) {
      return false
    }
    return mixer.hasRoom(on: emitters.bus(of: slot))
  }
}
