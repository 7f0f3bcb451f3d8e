/// A change of a gain over at least 64 frames of the mix, however short the mixes are.
///
/// The library changes a gain over the length of a mix, or over the first 64 frames of a longer one. An offline mix can have
/// a single frame, in which the change would be a step. A mix of fewer than 64 frames therefore gets a gain between the old
/// one and the new one, by its share of the ramp. A longer mix gets the new gain. Pure: no call and no lock.
struct GainRamp: Equatable, Sendable {
  /// The library's gain of a source, and the least and the largest gain: all of them change together.
  typealias Gains = SIMD3<Float>

  /// The gains at the end of the last mix.
  private(set) var reached: Gains
  private var target: Gains
  private var framesLeft = 0

  init(at gains: Gains) { (reached, target) = (gains, gains) }

  /// Whether the gains have not reached their target.
  var isRunning: Bool { framesLeft > 0 }

  /// The gains at the end of the next mix; another target begins another ramp.
  mutating func advance(by frames: Int, to target: Gains) -> Gains {
    if target != self.target { (self.target, framesLeft) = (target, ShortFade.length) }
    let share = frames < framesLeft ? Float(frames) / Float(framesLeft) : 1
    reached = share < 1 ? reached + (target - reached) * share : target
    framesLeft = max(framesLeft - frames, 0)
    return reached
  }

  /// Ends the ramp at gains: a mix of 64 frames or more has reached them, or a sound begins with them.
  mutating func end(at gains: Gains) { self = GainRamp(at: gains) }
}
