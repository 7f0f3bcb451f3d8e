/// The ramp of a gain to a target over 64 frames, in mixes of any length.
///
/// The library reaches a new gain at the end of the next mix. An offline mix can have a single frame, in which a whole
/// change of a gain is a click. Pure: no call and no lock.
struct GainRamp: Sendable {
  /// The gain at the end of the last mix.
  private(set) var gain: Float
  private(set) var framesLeft = ShortFade.length

  init(from gain: Float) { self.gain = gain }

  /// Whether no mix has moved the gain since the target was set.
  var isUntouched: Bool { framesLeft == ShortFade.length }

  /// Begins again at the gain in force, for another target.
  mutating func restart() { framesLeft = ShortFade.length }

  /// Moves the gain to its value at the end of the next mix.
  mutating func advance(by frames: Int, to target: Float) {
    guard frames < framesLeft else { return (gain, framesLeft) = (target, 0) }
    gain += (target - gain) * Float(frames) / Float(framesLeft)
    framesLeft -= frames
  }
}
