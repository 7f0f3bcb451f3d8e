/// The snapshots of a recording, each as its difference from the snapshot before it.
struct SnapshotSeries: Sendable {
  private struct Entry: Sendable {
    let rest: SnapshotRest
    let difference: LineDifference
  }

  private var entries: [Entry] = []
  private(set) var names = SnapshotNames()
  /// The lines of the last snapshot; `nil` after the end of the recording, while no other snapshot has come.
  private var lines: [EmitterLine]? = []
  /// Memory for the next lines and for their difference.
  private var nextLines: [EmitterLine] = []
  private var buffer: [UInt32] = []

  var count: Int { entries.count }

  /// The bytes of the differences.
  var byteCount: Int { entries.reduce(0) { $0 + $1.difference.byteCount } }

  /// Appends the snapshot of a copy of the state.
  mutating func append(_ source: any SnapshotSource) {
    names.beginSnapshot()
    var rest = source.read(into: &nextLines, &names)
    if let last = entries.last { rest.share(with: last.rest) }
    let lines = lines ?? lastLines
    self.lines = nil
    entries.append(Entry(rest: rest, difference: LineDifference(from: lines, to: nextLines, &buffer)))
    self.lines = nextLines
    nextLines = lines
  }

  /// The bytes that only further snapshots need.
  var spareByteCount: Int {
    ((lines?.capacity ?? 0) + nextLines.capacity) * MemoryLayout<EmitterLine>.stride
      + buffer.capacity * MemoryLayout<UInt32>.stride
  }

  /// Releases the memory that only further snapshots need.
  mutating func finish() {
    (lines, nextLines, buffer) = (nil, [], [])
    names.forgetNumbers()
  }

  /// The lines of the last snapshot, from the differences of all.
  private var lastLines: [EmitterLine] {
    var lines: [EmitterLine] = []
    for entry in entries { _ = entry.difference.apply(to: &lines) }
    return lines
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
