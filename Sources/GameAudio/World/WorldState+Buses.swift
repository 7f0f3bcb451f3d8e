internal import Spatial3D

// The buses, and the emitters that follow from their changes.

extension WorldState {
  /// Hands changed totals of buses to the emitters, and effects that are no longer used to the release queue.
  ///
  /// A gain needs no work for each emitter: the choice and the voices read the totals.
  mutating func carryOut(_ change: MixerChange) {
    for unit in change.released { playback.outbox.release(unit) }
    guard !change.totals.isEmpty else { return }
    var isAnyResumed = false
    for slot in playback.scene.emitters.indices where playback.scene.emitters[slot].isUsed {
      let bus = playback.scene.emitters.bus(of: slot)
      if playback.scene.mixer.buses.isPitchChanged(of: bus) { playback.scene.emitters.notePitch(of: slot) }
      guard playback.scene.mixer.buses.isPauseChanged(of: bus) else { continue }
      playback.scene.updateCount(of: slot)
      playback.adoptPause(of: slot)
      if !playback.scene.mixer.buses[bus].totals.isPaused, playback.scene.emitters[slot].isSounding {
        isAnyResumed = true
      }
    }
    if change.totals.contains(.pause) { playback.scene.limits.setHasRoom() }
    // The emitters go on from the positions at which they were paused, not from the positions at the next choice.
    if isAnyResumed { choose() }
  }
}
