/// The settings of the mix of a world behind its main bus, and the gain of the fader.
struct StripState: Sendable {
  /// Whether a strip processes the mix: not in a world whose mix the library plays.
  var isPresent = false
  /// The frame of the mix of its first settings with a memory; `nil` without any.
  var begin: Int?
  /// Whether the next tick changes the strip.
  var isChanged = false
  var loudnessTarget: Insert.Leveler?
  var limiter: Insert.Limiter?
  /// The number of its newest settings.
  var version = 0
  /// Whether the fader of the main bus has its gain, or takes it over.
  var hasFader = false
  /// The gain that the fader was moved to last.
  var faderGain: Float = 1
}
