internal import PCM
internal import Spatial3D

// Fades of buses, pauses and duckers: the part of a tick that comes before the choice.

extension WorldState {
  /// Takes one pause back; the last one lets the sounds go on, with a fade.
  mutating func resumeBus(_ bus: BusIndex, _ fade: Fade) {
    guard mixer.takePause(of: bus) else { return }
    carryOut(mixer.beginFade(of: bus, .pause, to: .gain(.unity), fade, at: time.mix))
    carryOut(mixer.endPause(of: bus, at: time.mix, ahead: AudioWorld.tick))
  }

  /// Moves the fades and the duckers to the end of the next tick.
  mutating func stepBuses() {
    if !mixer.duckers.isEmpty { predictPowers() }
    carryOut(mixer.step(at: time.mix, ahead: AudioWorld.tick))
  }

  /// Predicts the power of each bus, including the buses inside it.
  private mutating func predictPowers() {
    mixer.beginPowers()
    for index in voices.indices {
      guard let slot = emitterOfFirst(index) else { continue }
      mixer.addPower(power(of: slot), to: emitters.bus(of: slot))
    }
    mixer.endPowers()
  }

  /// The predicted level of a bus, including the buses inside it.
  func level(ofBus index: BusIndex) -> Decibels {
    var sum: Float = 0
    for voice in voices.indices {
      guard let slot = emitterOfFirst(voice) else { continue }
      if mixer.buses.isBus(emitters.bus(of: slot), inside: index) { sum += power(of: slot) }
    }
    return max(Decibels(factor: sum.squareRoot()), -160)
  }

  /// The emitter whose first voice a voice is, if it sounds: the second voice of a player is silent, or waits.
  private func emitterOfFirst(_ voice: VoiceIndex) -> EmitterSlot? {
    guard voices[voice].state == .sounding, let slot = voices[voice].slot else { return nil }
    return emitters[slot].voice == voice ? slot : nil
  }

  /// The predicted power of an emitter at the listener, at its present position in the sound.
  ///
  /// An emitter that begins at a moment has its voice ahead of the moment.
  private func power(of slot: EmitterSlot) -> Float {
    guard emitters[slot].began <= now else { return 0 }
    let audible = audibility(of: slot, envelope: soundLevel(of: slot)).audible
    return audible * audible
  }
}
