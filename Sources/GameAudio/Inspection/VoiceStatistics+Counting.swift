internal import Spatial3D

extension VoiceStatistics {
  /// Counts the emitters of a copy of the state.
  init(_ copy: WorldCopy) {
    self = copy.voices.statistics
    var bounds = ScoreBounds(copy)
    var power: Float = 0
    for slot in copy.scene.emitters.indices where copy.scene.emitters[slot].isUsed {
      switch copy.scene.emitters[slot].status {
      case .idle: continue
      case .loading: waiting += 1
      case .paused, .pausedBeforeStart: paused += 1
      case .playing, .stopping, .pausing:
        if copy.isHeard(slot) {
          real += 1
          let path = copy.scene.space.path(of: copy.scene.emitters.placed(slot))
          if copy.scene.emitters[rare: slot].occlusion(on: path) != (0, 0) { filtered += 1 }
          continue
        }
        if copy.scene.emitters[slot].isDelayed(isHeard: false, at: copy.scene.now) {
          waiting += 1
          continue
        }
        virtual += 1
        // The choice looks ahead; the sum is of the present.
        let audible = copy.scene.audibility(of: slot, envelope: copy.scene.soundLevel(of: slot)).audible
        power += audible * audible
        if copy.isInaudible(slot, &bounds) { inaudible += 1 }
      }
    }
    virtualLevel = Decibels(factor: power.squareRoot())
  }
}

extension WorldCopy {
  /// Whether an emitter without a voice is below the threshold of a voice.
  @inline(__always)
  fileprivate func isInaudible(_ slot: EmitterSlot, _ bounds: inout ScoreBounds) -> Bool {
    let threshold = Audibility.threshold * scene.emitters[slot].priority.factor
    if let upper = bounds.upper(of: slot) {
      if upper < threshold { return true }
      if bounds.lower(of: slot) > threshold { return false }
    }
    return scene.audibility(of: slot).audible < Audibility.threshold
  }
}
