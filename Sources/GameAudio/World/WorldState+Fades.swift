internal import Spatial3D

/// A gain that moves from tick to tick.
struct RunningFade: Sendable {
  /// The gain that moves.
  enum Kind: Hashable, Sendable { case gain, level, send(ObjectIdentifier) }
  /// The change at the end.
  enum Completion: Sendable { case none, end, pause, removeSend }

  let slot: EmitterSlot
  let kind: Kind
  let from: Gain
  let to: Gain
  var begin: Int
  let fade: Fade
  let completion: Completion

  /// The gain of an emitter that moves: at most one fade moves it.
  struct Key: Hashable, Sendable {
    let slot: Int32
    let kind: Kind
  }

  var key: Key { Key(slot: Int32(slot), kind: kind) }
}

extension WorldState {
  /// Begins a fade from the gain that is in force.
  mutating func beginFade(
    of slot: EmitterSlot,
    _ kind: RunningFade.Kind,
    to gain: Gain,
    _ fade: Fade,
    then completion: RunningFade.Completion = .none
  ) {
    let from = Gain(value(kind, of: slot))
    let running = RunningFade(
      slot: slot,
      kind: kind,
      from: from,
      to: gain,
      begin: now,
      fade: fade,
      completion: completion
    )
    guard fade.duration > .zero else {
      fades.fades.remove(running.key)
      return complete(running)
    }
    fades.fades.set(running, for: running.key)
  }

  /// Ends a fade at the gain that it has.
  mutating func removeFade(of slot: EmitterSlot, _ kind: RunningFade.Kind) {
    if !fades.fades.isEmpty { fades.fades.remove(RunningFade.Key(slot: Int32(slot), kind: kind)) }
  }

  /// Ends all fades of an emitter.
  mutating func removeFades(of slot: EmitterSlot) {
    guard !fades.fades.isEmpty else { return }
    removeFade(of: slot, .gain)
    removeFade(of: slot, .level)
    for send in emitters[rare: slot].sends { removeFade(of: slot, .send(ObjectIdentifier(send.unit))) }
  }

  /// Sets the gains of all fades for the end of the next tick, and completes the fades that are over.
  ///
  /// The mixer moves evenly from one gain to the next, so that each tick sets the gain at its end.
  mutating func stepFades() {
    for running in fades.fades.values {
      guard now - running.begin < frames(in: running.fade.duration) else {
        fades.finished.append(running.key)
        continue
      }
      let time = time(ofFrames: now + AudioWorld.tick - running.begin)
      setGain(running.fade.gain(from: running.from, to: running.to, after: time), running)
    }
    // A completion may remove another fade of its emitter.
    for key in fades.finished { if let running = fades.fades.remove(key) { complete(running) } }
    fades.finished.removeAll(keepingCapacity: true)
  }

  private mutating func complete(_ running: RunningFade) {
    setGain(running.to, running)
    switch running.completion {
    case .none: break
    case .end: end(running.slot, .stopped)
    case .pause: rest(running.slot)
    case .removeSend: removeSend(running.kind, of: running.slot)
    }
  }

  private mutating func setGain(_ gain: Gain, _ running: RunningFade) {
    switch running.kind {
    case .gain: modify(running.slot) { $0.gain = gain.rawValue }
    case .level: modify(running.slot) { $0.fade = gain.rawValue }
    case .send(let unit):
      changeSends(of: running.slot) { sends in
        for index in sends.indices where ObjectIdentifier(sends[index].unit) == unit {
          sends[index].gain = gain.rawValue
        }
      }
      updateWeight(of: running.slot)
    }
  }

  private func value(_ kind: RunningFade.Kind, of slot: EmitterSlot) -> Float {
    switch kind {
    case .gain: emitters[slot].gain
    case .level: emitters[slot].fade
    case .send(let unit): emitters[rare: slot].sends.first { ObjectIdentifier($0.unit) == unit }?.gain ?? 0
    }
  }

  private mutating func removeSend(_ kind: RunningFade.Kind, of slot: EmitterSlot) {
    guard case .send(let unit) = kind else { return }
    // The release of an effect takes the lock of the context.
    for send in emitters[rare: slot].sends where ObjectIdentifier(send.unit) == unit {
      outbox.release(send.unit)
    }
    changeSends(of: slot) { $0.removeAll { ObjectIdentifier($0.unit) == unit } }
    updateWeight(of: slot)
  }

  /// Sends a share of an emitter to an effect, with a fade from the share in force; `nil` ends that.
  mutating func send(_ slot: EmitterSlot, to unit: EffectUnit, gain: Gain?, _ fade: Fade) {
    guard fade.duration > .zero else {
      removeFade(of: slot, .send(ObjectIdentifier(unit)))
      changeSends(of: slot) { sends in
        sends.removeAll { $0.unit === unit }
        if let gain { sends.append(VoiceSend(unit: unit, gain: gain.rawValue)) }
      }
      return updateWeight(of: slot)
    }
    if !emitters[rare: slot].sends.contains(where: { $0.unit === unit }) {
      guard gain != nil else { return }
      // The fade begins at the share that the buses have in force.
      let inherited = mixer.buses[emitters.bus(of: slot)].totals.sends.first { $0.unit === unit }?.gain ?? 0
      changeSends(of: slot) { $0.append(VoiceSend(unit: unit, gain: inherited)) }
    }
    let completion: RunningFade.Completion = gain == nil ? .removeSend : .none
    beginFade(of: slot, .send(ObjectIdentifier(unit)), to: gain ?? .silence, fade, then: completion)
  }

  private mutating func changeSends(of slot: EmitterSlot, _ body: (inout [VoiceSend]) -> Void) {
    mixer.lastSendsVersion += 1
    let version = mixer.lastSendsVersion
    emitters.changeRare(slot) { rare in
      body(&rare.sends)
      rare.sendsVersion = version
    }
  }
}
