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
    let (key, from) = (EmitterFade.Key(slot: slot, kind: kind), Gain(playback.scene.fadedGain(kind, of: slot)))
    let running = EmitterFades.Running(
      key: key,
      from: from,
      to: gain,
      begin: playback.now,
      fade: fade,
      completion: completion
    )
    guard fade.duration > .zero else {
      playback.scene.fades.remove(key)
      return complete(running)
    }
    playback.scene.fades.begin(running)
  }

  /// Sets the gains of all fades for the end of the next tick, and completes the fades that are over.
  ///
  /// The mixer moves evenly from one gain to the next, so that each tick sets the gain at its end.
  mutating func stepFades() {
    guard !playback.scene.fades.isEmpty else { return }
    let now = playback.scene.time.mix
    playback.scene.fades.beginStep()
    while let (key, gain) = playback.scene.fades.nextMoved(at: now, ahead: MixTime.tick) {
      playback.scene.setFadedGain(gain, key)
    }
    while let fade = playback.scene.fades.nextEnded() { complete(fade) }
  }

  private mutating func complete(_ running: EmitterFades.Running) {
    playback.scene.setFadedGain(running.to, running.key)
    switch running.completion {
    case .none: break
    case .end: playback.end(running.key.slot, .stopped)
    case .pause: playback.rest(running.key.slot)
    case .removeSend: playback.removeSend(running.key.kind, of: running.key.slot)
    }
  }

  /// Sends a share of an emitter to an effect, with a fade from the share in force; `nil` ends that.
  mutating func send(_ slot: EmitterSlot, to unit: EffectUnit, gain: Gain?, _ fade: Fade) {
    guard fade.duration > .zero else {
      playback.scene.removeFade(of: slot, .send(ObjectIdentifier(unit)))
      playback.scene.emitters.changeSends(of: slot) { sends in
        sends.removeAll { $0.unit === unit }
        if let gain { sends.append(VoiceSend(unit: unit, gain: gain.rawValue)) }
      }
      return playback.scene.updateWeight(of: slot)
    }
    if !playback.scene.emitters[rare: slot].sends.contains(where: { $0.unit === unit }) {
      guard gain != nil else { return }
      // The fade begins at the share that the buses have in force.
      let inherited =
        playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].totals.sends.first { $0.unit === unit }?.gain
        ?? 0
      playback.scene.emitters.changeSends(of: slot) { $0.append(VoiceSend(unit: unit, gain: inherited)) }
    }
    let completion: EmitterFade.Completion = gain == nil ? .removeSend : .none
    beginFade(of: slot, .send(ObjectIdentifier(unit)), to: gain ?? .silence, fade, then: completion)
  }
}
