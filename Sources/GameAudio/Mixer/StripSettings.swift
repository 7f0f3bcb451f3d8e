/// The settings of a strip.
struct StripSettings: Hashable, Sendable {
  /// The processors before the fader.
  var inserts: [Insert] = []
  /// The last stages of the main bus, in their order; `nil` for none.
  var loudnessTarget: Insert.Leveler?
  var limiter: Insert.Limiter?

  /// Whether the strip leaves the mix as it is.
  var isEmpty: Bool { self == StripSettings() }

  /// Whether the processors keep something of silence, such as the phase of a chorus: a limiter does not.
  var hasMemory: Bool { !inserts.isEmpty || loudnessTarget != nil }
}
