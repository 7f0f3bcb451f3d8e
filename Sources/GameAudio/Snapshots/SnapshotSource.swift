/// A copy of a state, from which a snapshot is built later.
protocol SnapshotSource: Sendable {
  /// Builds the snapshot, without the lock of the world.
  func makeSnapshot() -> WorldSnapshot
}
