/// The random choices of plays, which follow from a number.
///
/// Pure: no call and no lock.
struct VariationSource: Sendable {
  /// The choices that were made for a sound, for as long as the sound exists.
  private struct Choices: Sendable {
    var history = VariationHistory()
    var life: SoundContent.Life
  }

  /// The number that the random choices follow from.
  private(set) var seed: UInt64 = 0
  private(set) var random = RandomSequence(seed: 0)
  /// The choices for each identity of a sound.
  private var choices: [Int: Choices] = [:]

  /// Starts the random numbers over, and forgets all choices.
  mutating func setSeed(_ seed: UInt64) {
    self.seed = seed
    random = RandomSequence(seed: seed)
    for identity in choices.keys { choices[identity]?.history = VariationHistory() }
  }

  /// Continues with the random numbers of a recording.
  mutating func setRandom(_ random: RandomSequence) { self.random = random }

  /// Begins or continues the choices for a sound.
  mutating func add(_ identity: Int, _ life: SoundContent.Life) {
    choices[identity, default: Choices(life: life)].life = life
  }

  /// Draws the variation of a play.
  mutating func draw(from family: SoundFamily) -> SoundFamily.Draw {
    let identity = family.key.first.identity
    // The history is in one variable at a time: a change of a shared history would copy it.
    var history = choices[identity]?.history ?? VariationHistory()
    choices[identity]?.history = VariationHistory()
    let draw = family.draw(after: &history, using: &random)
    choices[identity]?.history = history
    return draw
  }

  /// Removes the choices for sounds that are gone.
  mutating func purge() {
    if choices.values.contains(where: \.life.isOver) { choices = choices.filter { !$0.value.life.isOver } }
  }
}
