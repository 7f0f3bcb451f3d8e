/// How far a processed device renders ahead, in frames.
struct AheadLimits: Hashable, Sendable {
  /// The frames at the beginning.
  let ahead: Int
  /// The largest number to which `ahead` grows; `nil` where it does not grow.
  let growth: Int?
  /// The largest number that the player has room for.
  let capacity: Int

  /// The limits for a requested time, at a rate, on an output with periods of some frames at this rate.
  init(_ asked: Duration?, _ rate: Int, period: Int) {
    let format = PCMFormat.mono(sampleRate: rate)
    capacity = max(format.frameCount(in: .milliseconds(200)), 2 * period)
    guard let asked else {
      ahead = max(format.frameCount(in: .milliseconds(20)), 2 * period)
      growth = max(format.frameCount(in: .milliseconds(80)), ahead)
      return
    }
    ahead = min(max(format.frameCount(in: asked), 2 * period), capacity)
    growth = nil
  }
}
