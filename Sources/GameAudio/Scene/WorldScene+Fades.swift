internal import PCM
internal import Spatial3D

// The fades of emitters: the gains that they move, and the completions that the playback carries out.

extension WorldScene {
  /// Begins a fade from the gain in force; returns a fade without a duration, which is over at once.
  mutating func beginFade(
    of slot: EmitterSlot,
    _ kind: EmitterFade.Kind,
    to gain: Gain,
    _ fade: Fade,
    then completion: EmitterFade.Completion = .none
  ) -> EmitterFades.Running? {
    let (key, from) = (EmitterFade.Key(slot: slot, kind: kind), Gain(fadedGain(kind, of: slot)))
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
      setFadedGain(gain, key)
      return running
    }
    fades.begin(running)
    return nil
  }

  /// Sets the gains of all fades for the end of the next tick; ``nextEndedFade()`` returns the fades that are over.
  ///
  /// The mixer moves evenly from one gain to the next, so that each tick sets the gain at its end.
  mutating func moveFades() {
    guard !fades.isEmpty else { return }
    let mix = time.mix
    fades.beginStep()
    while let (key, gain) = fades.nextMoved(at: mix, ahead: MixTime.tick) { setFadedGain(gain, key) }
  }

  /// Sets the last gain of the next fade that is over, and returns the fade; `nil` for no other.
  mutating func nextEndedFade() -> EmitterFades.Running? {
    guard let ended = fades.nextEnded() else { return nil }
    setFadedGain(ended.to, ended.key)
    return ended
  }

  /// Ends a fade at the gain that it has.
  @inline(__always)
  mutating func removeFade(of slot: EmitterSlot, _ kind: EmitterFade.Kind) {
    if !fades.isEmpty { fades.remove(EmitterFade.Key(slot: slot, kind: kind)) }
  }

  /// Ends all fades of an emitter.
  mutating func removeFades(of slot: EmitterSlot) {
    guard !fades.isEmpty else { return }
    removeFade(of: slot, .gain)
    removeFade(of: slot, .level)
    for send in emitters[rare: slot].sends { removeFade(of: slot, .send(ObjectIdentifier(send.unit))) }
  }

  /// Sends a share of an emitter to an effect, with a fade from the share in force; `nil` ends that.
  ///
  /// It returns a fade that is over at once.
  mutating func send(
    _ slot: EmitterSlot,
    to unit: EffectUnit,
    gain: Gain?,
    _ fade: Fade
  ) -> EmitterFades.Running? {
    guard fade.duration > .zero else {
      removeFade(of: slot, .send(ObjectIdentifier(unit)))
      emitters.changeSends(of: slot) { sends in
        sends.removeAll { $0.unit === unit }
        if let gain { sends.append(VoiceSend(unit: unit, gain: gain.rawValue)) }
      }
      updateWeight(of: slot)
      return nil
    }
    if !emitters[rare: slot].sends.contains(where: { $0.unit === unit }) {
      guard gain != nil else { return nil }
      // The fade begins at the share that the buses have in force.
      let inherited = mixer.buses[emitters.bus(of: slot)].totals.sends.first { $0.unit === unit }?.gain ?? 0
      emitters.changeSends(of: slot) { $0.append(VoiceSend(unit: unit, gain: inherited)) }
    }
    let completion: EmitterFade.Completion = gain == nil ? .removeSend : .none
    return beginFade(of: slot, .send(ObjectIdentifier(unit)), to: gain ?? .silence, fade, then: completion)
  }

  private mutating func setFadedGain(_ gain: Gain, _ key: EmitterFade.Key) {
    switch key.kind {
    case .gain: emitters.setGain(gain.rawValue, of: key.slot)
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

  private func fadedGain(_ kind: EmitterFade.Kind, of slot: EmitterSlot) -> Float {
    switch kind {
    case .gain: emitters[slot].gain
    case .level: emitters[slot].fade
    case .send(let unit): emitters[rare: slot].sends.first { ObjectIdentifier($0.unit) == unit }?.gain ?? 0
    }
  }
}
