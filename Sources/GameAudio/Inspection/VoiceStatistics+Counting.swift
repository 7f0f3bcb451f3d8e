internal import Spatial3D

extension VoiceStatistics {
  /// Counts the emitters of a scene.
  ///
  /// The world's lock is held meanwhile. The parts are borrowed: a change finds arrays that nothing else shares.
  init(_ scene: borrowing WorldScene, _ voices: borrowing VoicePool) {
    self = voices.statistics
    var power: Float = 0
    for slot in scene.emitters.indices where scene.emitters[slot].isUsed {
      switch scene.emitters[slot].status {
      case .idle: continue
      case .loading: waiting += 1
      case .paused, .pausedBeforeStart: paused += 1
      case .playing, .stopping, .pausing:
        if voices.isSounding(scene.emitters[slot].voice) {
          real += 1
          let path = scene.space.path(of: scene.emitters.placed(slot))
          if scene.emitters[rare: slot].occlusion(on: path) != (0, 0) { filtered += 1 }
          continue
        }
        if scene.emitters[slot].isDelayed(isHeard: false, at: scene.now) {
          waiting += 1
          continue
        }
        var audibility = scene.audibility(of: slot)
        virtual += 1
        if audibility.audible < Audibility.threshold { inaudible += 1 }
        // The choice looks ahead; the sum is of the present.
        audibility.envelope = scene.soundLevel(of: slot)
        power += audibility.audible * audibility.audible
      }
    }
    virtualLevel = Decibels(factor: power.squareRoot())
  }
}
