// The texts of a world and of its emitters and players, for a log.

extension Emitter: CustomStringConvertible {
  /// The number, the sound and the state, such as `emitter 3 (steps.ogg): playing`.
  public var description: String { world.description(of: slot) }
}

extension SoundPlayer: CustomStringConvertible {
  /// The sound and the state, such as `a player (theme.ogg): paused`.
  public var description: String { world.description(of: slot) }
}

extension AudioWorld: CustomStringConvertible {
  /// The number of emitters and players, of those that play, and of voices, such as
  /// `a world: 12 of 300 play, 64 voices`.
  public var description: String {
    withState { state in
      let count = state.playback.scene.emitters.count - state.playback.scene.emitters.freeSlots.count
      return
        "a world: \(state.playback.scene.emitters.activeCount) of \(count) play, \(state.playback.voices.limit) voices"
    }
  }

  /// The emitter or the player of a slot, and its state.
  fileprivate func description(of slot: EmitterSlot) -> String {
    withState { state in
      let status = state.playback.scene.emitters[slot].status
      return "\(state.playback.scene.ownerInWords(of: slot)): \(WorldSnapshot.State(status))"
    }
  }
}
