/// The clocks of beats.
struct ClockTable: Sendable {
  /// The clocks by their numbers, as their values at a time of the mix.
  var clocks: [Int: @Sendable (Duration) -> WorldSnapshot.Clock] = [:]
  /// The number of the newest clock.
  var last = 0
}
