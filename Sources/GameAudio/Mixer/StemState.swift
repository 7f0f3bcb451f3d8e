/// The changes of a strip, and the gain of its fader, as the mixer of a world has asked for them last.
struct StemState: Sendable {
  /// The number of the newest settings.
  var version = 0
  /// Whether the next tick changes the strip.
  var isChanged = false
  /// The gain that the fader was moved to last.
  var faderGain: Float = 1
}
