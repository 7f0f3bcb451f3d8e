internal import Spatial3D

extension WorldState {
  /// Gives the voices to the emitters with the highest scores, and carries out what follows.
  mutating func choose() {
    selector.begin(streamLimit: playback.voices.streamLimit)
    for index in playback.voices.indices {
      let tooQuiet = selector.gather(playback.voices[index], index, in: &playback.scene)
      if let tooQuiet { playback.demote(tooQuiet, isStolen: false) }
    }
    let free = max(playback.voices.limit - selector.takenCount, 0)
    let spares = playback.voices.freeCount
    selector.gatherWaiting(in: &playback.scene, free: free)
    selector.decide(free: free, spares: spares)
    // An emitter that fades out gives up its voice for an emitter that waits.
    if selector.lacksVoicesForEssentials, playback.voices.quietestStopping(in: playback.scene.emitters) == nil {
      selector.setReportedEssentials()
      playback.outbox.report(.tooManyEssentialSounds(voices: playback.voices.limit))
    }
    for slot in selector.choice.displaced { playback.demote(slot, isStolen: true) }
    for slot in selector.choice.promoted { playback.promote(slot) }
    // Emitters that fade out end early for emitters that must be heard, which get the voices in the next choice.
    var missing = selector.choice.waiting.count { $0.isEssential && playback.scene.emitters[$0.slot].voice == nil }
    while missing > 0, let slot = playback.voices.quietestStopping(in: playback.scene.emitters) {
      playback.end(slot, .stopped)
      missing -= 1
    }
    guard playback.scene.emitters.stoppingCount > 0 else { return }
    for slot in playback.scene.emitters.indices where playback.scene.endsWithoutVoice(slot) {
      playback.end(slot, .stolen)
    }
  }
}
