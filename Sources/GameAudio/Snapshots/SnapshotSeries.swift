/// The snapshots of a recording, each as its difference from the snapshot before it.
struct SnapshotSeries: Sendable {
  private struct Entry: Sendable {
    let rest: SnapshotRest
    let difference: LineDifference
  }

  private var entries: [Entry] = []
  private var names = SnapshotNames()
  /// The lines of the last snapshot.
  private var lines: [EmitterLine] = []
  /// Memory for the next lines and for their difference.
  private var nextLines: [EmitterLine] = []
  private var buffer: [UInt32] = []

  var count: Int { entries.count }

  /// The bytes of the differences.
  var byteCount: Int { entries.reduce(0) { $0 + $1.difference.byteCount } }

  /// Appends the snapshot of a copy of the state.
  mutating func append(_ source: any SnapshotSource) {
    var rest = source.read(into: &nextLines, &names)
    if let last = entries.last { rest.share(with: last.rest) }
    entries.append(Entry(rest: rest, difference: LineDifference(from: lines, to: nextLines, &buffer)))
    swap(&lines, &nextLines)
  }

  /// The snapshots, the oldest one first.
  var snapshots: [WorldSnapshot] {
    var lines: [EmitterLine] = []
    return entries.map { entry in
      let isWhole = entry.difference.apply(to: &lines)
      assert(isWhole)
      return WorldSnapshot(entry.rest, lines, names)
    }
  }
}
