/// A copy of a state, from which a snapshot is built without the lock of the world.
protocol SnapshotSource: Sendable {
  /// Stores a line for each slot, and returns the rest of the snapshot.
  func read(into lines: inout [EmitterLine], _ names: inout SnapshotNames) -> SnapshotRest
}

/// A snapshot without its emitters, and the values that the lines of the emitters refer to.
struct SnapshotRest: Sendable {
  var snapshot: WorldSnapshot
  /// The lowest score of all emitters with a voice, and of the streams; 0 for none.
  let lowestScore: Float
  let lowestScoreOfStreams: Float

  /// Shares the memory of the parts that are equal in an earlier snapshot.
  mutating func share(with other: SnapshotRest) {
    func share<Part: Equatable>(_ part: WritableKeyPath<WorldSnapshot, [Part]>) {
      let earlier = other.snapshot[keyPath: part]
      if snapshot[keyPath: part] == earlier { snapshot[keyPath: part] = earlier }
    }
    share(\.listeners)
    share(\.zones)
    share(\.portals)
    share(\.players)
    share(\.buses)
    share(\.clocks)
  }
}
