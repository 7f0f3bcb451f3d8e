// The random choices of plays.

extension WorldState {
  /// Starts the random numbers over.
  mutating func setSeed(_ seed: UInt64) {
    sounds.seed = seed
    sounds.random = RandomSequence(seed: seed)
    sounds.forgetChoices()
  }

  /// Draws the variation of a play that the limits have admitted.
  mutating func vary(_ slot: EmitterSlot) {
    let family = emitters.use(of: slot).family
    guard family >= 0 else { return }
    let draw = sounds.draw(from: family)
    emitters.setUse(SoundTable.Use(index: draw.index), of: slot)
    emitters.changeRare(slot) { ($0.variation, $0.bend) = (draw.gain, draw.pitch) }
  }

  /// Goes over to newer samples of the sound, if there are any.
  mutating func moveToSuccessor(_ slot: EmitterSlot) {
    if sounds.hasSuccessors { emitters.setUse(sounds.moveToSuccessor(emitters.use(of: slot)), of: slot) }
  }
}
