/// The records of the positions of all sources, for a library that forgets them when its device is lost.
///
/// Each position is in the ``LibrarySource`` of its source.
struct PositionRecords: Sendable {
  /// The next record of all positions, on the monotonic clock; `nil` while no source plays, or where none is needed.
  private var next: Int64?

  /// Nanoseconds between two records: for as long a change of speed may be miscounted after a loss.
  private static let period: Int64 = 100_000_000

  /// Begins to record, because a source plays; returns false where the records have begun already.
  mutating func begin() -> Bool {
    guard next == nil else { return false }
    next = 0
    return true
  }

  /// Makes the next record due now.
  mutating func makeDue() { next = 0 }

  /// Records all positions if this is due; returns the nanoseconds until the next time, `nil` where no source plays.
  mutating func recordIfDue(
    at now: Int64,
    in records: inout SourceTable,
    of device: AudioDevice,
    by handle: ContextHandle
  ) -> Int64? {
    guard let next else { return nil }
    guard next <= now else { return next - now }
    guard !device.isSuspended else { return Self.period }
    let isAnyPlaying = Self.recordAll(in: &records, by: handle)
    self.next = isAnyPlaying ? now + Self.period : nil
    return isAnyPlaying ? Self.period : nil
  }

  /// Records all positions; returns whether any source plays, and true on a lost device.
  @discardableResult
  static func recordAll(in records: inout SourceTable, by handle: ContextHandle) -> Bool {
    guard handle.recordsPositions else { return false }
    let sources = records.keys { $0.library.recorded != nil }
    var states: [UInt8] = []
    func readStates(_ keys: [SourceKey]) -> [SourceState] {
      handle.readStates(of: keys.map { records[$0].id }, into: &states)
      return states.map { SourceState(shimNumber: $0) }
    }
    let active = zip(sources, readStates(sources)).filter { $1 == .playing || $1 == .paused }.map(\.0)
    let found = active.map { handle.position(records[$0].id) }
    let recorded = zip(zip(active, found), readStates(active)).map { source, state in
      records[source.0].library.playback(at: source.1, state, by: handle)
    }
    // The check follows the read: the library reports the loss before it stops the sources.
    guard !handle.isLost else { return true }
    for key in sources { records[key].library.store(nil) }
    for (key, position) in zip(active, recorded) { records[key].library.store(position) }
    return recorded.contains { $0?.isPlaying == true }
  }
}
