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
    let family = use(of: slot).family
    guard family >= 0 else { return }
    let draw = sounds.draw(from: family)
    emitters.records[slot].sound = Int32(draw.index)
    changeRare(slot) { ($0.variation, $0.bend) = (draw.gain, draw.pitch) }
  }

  /// The factors of the amplitude and of the frequency that the last play has drawn.
  func drawn(_ slot: EmitterSlot) -> (gain: Float, pitch: Float) {
    let index = Int(emitters.records[slot].rare)
    return index >= 0 ? (emitters.rare[index].variation, emitters.rare[index].bend) : (1, 1)
  }

  /// The index of an emitter's sound in the table, and the index of its family.
  func use(of slot: EmitterSlot) -> SoundTable.Use {
    let index = Int(emitters.records[slot].rare)
    return SoundTable.Use(
      index: Int(emitters.records[slot].sound),
      family: index >= 0 ? emitters.rare[index].family : -1
    )
  }

  mutating func setUse(_ use: SoundTable.Use, of slot: EmitterSlot) {
    emitters.records[slot].sound = Int32(use.index)
    if use.family >= 0 { changeRare(slot) { $0.family = use.family } }
  }

  /// Goes over to newer samples of the sound, if there are any.
  mutating func moveToSuccessor(_ slot: EmitterSlot) {
    if sounds.hasSuccessors { setUse(sounds.moveToSuccessor(use(of: slot)), of: slot) }
  }
}
