/// The parts of a snapshot that a state does not hold, as they were when it was copied.
struct SnapshotMoment: Sendable {
  /// The reasons for which the context is suspended.
  var suspensions: [String]
  /// The reason for which the whole context is silent; `nil` for none.
  var suspension: SilenceReason?
  var clocks: [WorldSnapshot.Clock]
}

/// A copy of a state, from which a snapshot is built later.
protocol SnapshotSource: Sendable {
  func makeSnapshot() -> WorldSnapshot
}
