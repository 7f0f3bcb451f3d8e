internal import Spatial3D

extension WorldState {
  /// Begins a fade from the gain that is in force.
  mutating func beginFade(
    of slot: EmitterSlot,
    _ kind: EmitterFade.Kind,
    to gain: Gain,
    _ fade: Fade,
    then completion: EmitterFade.Completion = .none
  ) {
    let (key, from) = (EmitterFade.Key(slot: slot, kind: kind), Gain(value(kind, of: slot)))
    let running = EmitterFades.Running(
      key: key,
      from: from,
      to: gain,
      begin: now,
      fade: fade,
      completion: completion
    )
    guard fade.duration > .zero else {
      fades.remove(key)
      return complete(running)
    }
    fades.begin(running)
  }

  /// Ends a fade at the gain that it has.
  mutating func removeFade(of slot: EmitterSlot, _ kind: EmitterFade.Kind) {
    fades.remove(EmitterFade.Key(slot: slot, kind: kind))
  }

  /// Ends all fades of an emitter.
  mutating func removeFades(of slot: EmitterSlot) {
    guard !fades.isEmpty else { return }
    removeFade(of: slot, .gain)
    removeFade(of: slot, .level)
    for send in emitters[rare: slot].sends { removeFade(of: slot, .send(ObjectIdentifier(send.unit))) }
  }

  /// Sets the gains of all fades for the end of the next tick, and completes the fades that are over.
  ///
  /// The mixer moves evenly from one gain to the next, so that each tick sets the gain at its end.
  mutating func stepFades() {
    guard !fades.isEmpty else { return }
    let now = time.mix
    fades.beginStep()
    while let (key, gain) = fades.nextMoved(at: now, ahead: AudioWorld.tick) { setGain(gain, key) }
    while let fade = fades.nextEnded() { complete(fade) }
  }

  private mutating func complete(_ running: EmitterFades.Running) {
    setGain(running.to, running.key)
    switch running.completion {
    case .none: break
    case .end: end(running.key.slot, .stopped)
    case .pause: rest(running.key.slot)
    case .removeSend: removeSend(running.key.kind, of: running.key.slot)
    }
  }

  private mutating func setGain(_ gain: Gain, _ key: EmitterFade.Key) {
    switch key.kind {
    case .gain: modify(key.slot) { $0.gain = gain.rawValue }
    case .level: modify(key.slot) { $0.fade = gain.rawValue }
    case .send(let unit):
      emitters.changeSends(of: key.slot) { sends in
        for index in sends.indices where ObjectIdentifier(sends[index].unit) == unit {
          sends[index].gain = gain.rawValue
        }
      }
      updateWeight(of: key.slot)
    }
  }

  private func value(_ kind: EmitterFade.Kind, of slot: EmitterSlot) -> Float {
    switch kind {
    case .gain: emitters[slot].gain
    case .level: emitters[slot].fade
    case .send(let unit): emitters[rare: slot].sends.first { ObjectIdentifier($0.unit) == unit }?.gain ?? 0
    }
  }

  private mutating func removeSend(_ kind: EmitterFade.Kind, of slot: EmitterSlot) {
    guard case .send(let unit) = kind else { return }
    // The release of an effect takes the lock of the context.
    for send in emitters[rare: slot].sends where ObjectIdentifier(send.unit) == unit {
      outbox.release(send.unit)
    }
    emitters.changeSends(of: slot) { $0.removeAll { ObjectIdentifier($0.unit) == unit } }
    updateWeight(of: slot)
  }

  /// Sends a share of an emitter to an effect, with a fade from the share in force; `nil` ends that.
  mutating func send(_ slot: EmitterSlot, to unit: EffectUnit, gain: Gain?, _ fade: Fade) {
    guard fade.duration > .zero else {
      removeFade(of: slot, .send(ObjectIdentifier(unit)))
      emitters.changeSends(of: slot) { sends in
        sends.removeAll { $0.unit === unit }
        if let gain { sends.append(VoiceSend(unit: unit, gain: gain.rawValue)) }
      }
      return updateWeight(of: slot)
    }
    if !emitters[rare: slot].sends.contains(where: { $0.unit === unit }) {
      guard gain != nil else { return }
      // The fade begins at the share that the buses have in force.
      let inherited = mixer.buses[emitters.bus(of: slot)].totals.sends.first { $0.unit === unit }?.gain ?? 0
      emitters.changeSends(of: slot) { $0.append(VoiceSend(unit: unit, gain: inherited)) }
    }
    let completion: EmitterFade.Completion = gain == nil ? .removeSend : .none
    beginFade(of: slot, .send(ObjectIdentifier(unit)), to: gain ?? .silence, fade, then: completion)
  }
}
