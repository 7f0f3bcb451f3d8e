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
    for index in voices.voices.indices where isFirst(index) {
      let slot = voices.voices[index].slot
      mixer.addPower(power(of: slot), to: emitters.bus(of: slot))
    }
    mixer.endPowers()
  }

  /// The predicted level of a bus, including the buses inside it.
  func level(ofBus index: BusIndex) -> Decibels {
    var sum: Float = 0
    for voice in voices.voices.indices where isFirst(voice) {
      let slot = voices.voices[voice].slot
      if mixer.buses.isBus(emitters.bus(of: slot), inside: index) { sum += power(of: slot) }
    }
    return max(Decibels(factor: sum.squareRoot()), -160)
  }

  /// Whether a voice sounds and is the first voice of its emitter: the second voice of a player is silent, or waits.
  private func isFirst(_ voice: VoiceIndex) -> Bool {
    let slot = voices.voices[voice].slot
    return voices.voices[voice].state == .sounding && slot >= 0 && Int(emitters[slot].voice) == voice
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
