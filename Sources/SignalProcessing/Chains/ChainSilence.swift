/// The silence in front of a chain, and whether sound from before this silence is left in the chain.
///
/// The silence in front of a step is the silence in front of the chain, less the tails of the steps before it. A tail
/// becomes shorter with other settings, with a bypass and with a fault. Earlier sound may then leave the chain for the
/// time of the former tails. The silence therefore counts again from the end of these tails on.
struct ChainSilence: Sendable {
  /// The silent frames of the sound and the keys until now.
  private(set) var frames = Self.endless
  /// The tails of the steps at the last call; `nil` for a step whose sound does not end.
  private var tails: [Int?]
  /// The frames until the sound under former tails has left the chain.
  private var framesLeft = 0

  /// The silence of a chain without sound in it.
  ///
  /// Chosen: more than all tails together, and sums with it are numbers.
  private static let endless = 1 << 60

  init(stepCount: Int) { tails = Array(repeating: 0, count: stepCount) }

  /// Whether no sound is in the chain.
  var isEndless: Bool { frames == Self.endless }

  /// Whether sound under former tails has left the chain.
  var hasOneSetOfTails: Bool { framesLeft == 0 }

  /// Counts frames, which end with `silent` silent frames.
  mutating func count(_ frameCount: Int, silent: Int) {
    let isSilent = silent == frameCount
    framesLeft = max(framesLeft - frameCount, 0)
    if isSilent, isEndless { return }
    frames = framesLeft > 0 ? 0 : isSilent ? min(frames + silent, Self.endless) : silent
  }

  /// The chain rests: it holds no sound.
  mutating func rest() { (frames, framesLeft) = (Self.endless, 0) }

  /// Takes the tails of the steps, after each piece of sound and after each change of the steps.
  mutating func take(_ steps: [RunningStep]) {
    var (former, isShorter) = (0, false)
    for index in steps.indices {
      let (before, now) = (tails[index], steps[index].tail)
      tails[index] = now
      // A step whose sound does not end holds the chain awake, until it has no sound of its own.
      former += max(before ?? 0, now ?? 0)
      if let now, now < before ?? .max { isShorter = true }
    }
    if isShorter, !isEndless { (framesLeft, frames) = (max(framesLeft, former), 0) }
  }
}
