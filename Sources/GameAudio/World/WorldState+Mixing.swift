internal import PCM
internal import Spatial3D

// Fades of buses, pauses and duckers: the part of a tick that comes before the choice.

extension WorldState {
  /// Takes one pause back; the last one lets the sounds go on, with a fade.
  mutating func resumeBus(_ bus: BusIndex, _ fade: Fade) {
    guard playback.scene.mixer.takePause(of: bus) else { return }
    carryOut(playback.scene.mixer.beginFade(of: bus, .pause, to: .gain(.unity), fade, at: playback.scene.time.mix))
    carryOut(playback.scene.mixer.endPause(of: bus, at: playback.scene.time.mix, ahead: MixTime.tick))
  }

  /// Moves the fades and the duckers to the end of the next tick.
  mutating func stepBuses() {
    if !playback.scene.mixer.duckers.isEmpty { playback.voices.predictPowers(in: &playback.scene) }
    carryOut(playback.scene.mixer.step(at: playback.scene.time.mix, ahead: MixTime.tick))
  }
}
