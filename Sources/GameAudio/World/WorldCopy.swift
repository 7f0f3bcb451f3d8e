internal import Spatial3D

/// A copy of what a world plays, which tools read without the lock of the world.
struct WorldCopy: Sendable {
  private(set) var scene: WorldScene
  let voices: VoicePool
  /// The reasons for which the context is suspended.
  let suspensions: [String]
  /// The reason for which the whole context is silent; `nil` for none.
  let silence: SilenceReason?
  let clocks: [WorldSnapshot.Clock]

  init(_ state: borrowing WorldState) {
    (scene, voices) = (state.playback.scene, state.playback.voices)
    // A reference would delay the release of a unit, and with it the beginning of the next unit.
    scene.space.zones.forgetEffects()
    // The device has a lock of its own for the suspensions.
    let reasons = state.playback.outbox.context.suspensions.keys
    suspensions = reasons.map { "\($0)" }.sorted()
    silence = state.session.silence(by: reasons)
    clocks = state.clocks.snapshots(at: scene.time(ofFrames: scene.now))
  }

  /// Finds the paths of all emitters, as of now.
  ///
  /// Emitters without a voice have the paths of the last choice, and emitters with a voice the paths of the last tick.
  mutating func updatePaths() {
    guard !scene.space.portals.isEmpty else { return }
    for slot in scene.emitters.indices where scene.emitters[slot].isUsed { updatePath(of: slot) }
  }

  /// Finds the path of an emitter, as of now.
  mutating func updatePath(of slot: EmitterSlot) {
    guard let emitter = scene.emitters.placed(slot) else { return }
    if isHeard(slot) { scene.space.catchUpPath(of: emitter) } else { scene.space.updatePath(of: emitter) }
  }

  /// Whether an emitter has a voice that sounds.
  func isHeard(_ slot: EmitterSlot) -> Bool { voices.isSounding(scene.emitters[slot].voice) }

  /// Whether the start of an emitter or player lies ahead, or a limit keeps it virtual.
  func isDelayed(_ slot: EmitterSlot) -> Bool {
    scene.emitters[slot].isDelayed(isHeard: isHeard(slot), at: scene.now)
  }

  /// The score of an emitter in the choice of the voices.
  func score(of slot: EmitterSlot) -> Float {
    scene.audibility(of: slot).audible * scene.emitters[slot].priority.factor
      * (scene.emitters[slot].voice != nil ? Audibility.hysteresis : 1)
  }
}
