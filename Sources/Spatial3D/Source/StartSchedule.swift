/// Sources that wait for a frame of the mix to start at, where the library cannot wait itself.
///
/// Pure: who keeps it starts them. A source that waits counts as playing, as it does in a library that can.
struct StartSchedule: Sendable {
  private struct Entry: Sendable {
    let id: UInt32
    let frame: Int
    /// In which order they were asked for.
    let order: Int
    /// What the source is to be taken for: it waits while that is playing.
    var state = SourceState.playing
  }

  private var entries: [SourceKey: Entry] = [:]
  private var lastOrder = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Lets a source wait for a frame, in place of one that it waited for.
  mutating func add(_ key: SourceKey, id: UInt32, frame: Int) {
    lastOrder += 1
    entries[key] = Entry(id: id, frame: frame, order: lastOrder)
  }

  /// Takes a source out.
  mutating func remove(_ key: SourceKey) { entries[key] = nil }

  /// Holds a source that waits.
  mutating func pause(_ key: SourceKey) {
    if entries[key]?.state == .playing { entries[key]?.state = .paused }
  }

  /// Lets a source that was held wait on; returns whether it was.
  mutating func resume(_ key: SourceKey) -> Bool {
    guard entries[key]?.state == .paused else { return false }
    entries[key]?.state = .playing
    return true
  }

  /// Ends the wait of a source, which counts as stopped from now on, until it is taken out.
  mutating func stop(_ key: SourceKey) { entries[key]?.state = .stopped }

  /// What a source is to be taken for; `nil` for one that is what the library says.
  func state(of key: SourceKey) -> SourceState? { entries[key]?.state }

  /// The next frame that a source waits for.
  var nextFrame: Int? { entries.values.lazy.filter { $0.state == .playing }.map(\.frame).min() }

  /// Takes out the sources whose frame has come, in the order in which they were asked for.
  mutating func takeDue(at frame: Int) -> [UInt32] {
    let due = entries.filter { $0.value.state == .playing && $0.value.frame <= frame }
    for key in due.keys { entries[key] = nil }
    return due.values.sorted { $0.order < $1.order }.map(\.id)
  }
}
