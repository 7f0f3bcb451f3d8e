/// A place in the strip of a bus, at which a tap receives the sound.
///
/// AVFAudio: the bus of a node with `installTap(onBus:)`. Wwise: the place of an effect slot.
public enum TapPoint: String, Hashable, Sendable, CaseIterable, Codable {
  /// The sum of the sounds of the bus.
  case beforeInserts

  /// Behind the inserts, and before the fader.
  case afterInserts

  /// The sound that leaves the bus; of the main bus the sound that the output plays, behind the limiter.
  case afterFader
}
