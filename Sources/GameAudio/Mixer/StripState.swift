/// The settings of the mix of a world behind its main bus, and the gain of the fader.
struct StripState: Sendable {
  /// Whether a strip processes the mix: not in a world whose mix the library plays.
  var isPresent = false
  /// The frame of the mix of its first settings with a memory; `nil` without any.
  var begin: Int?
  var loudnessTarget: Insert.Leveler?
  var limiter: Insert.Limiter?
  /// Whether the fader of the main bus has its gain, or takes it over.
  var hasFader = false
}
