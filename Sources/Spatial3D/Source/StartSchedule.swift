/// Sources that wait for a frame of the mix to start at, where the library cannot wait itself.
///
/// Pure: who keeps it starts them. A source that waits counts as playing, as it does in a library that can.
struct StartSchedule: Sendable {
  private struct Entry: Sendable {
    let id: UInt32
    var frame: Int
    /// In which order they were asked for.
    let order: Int
    /// What the source is to be taken for: it waits while that is playing.
    var state = SourceState.playing
  }

  /// A source whose time has come.
  struct Due: Hashable, Sendable {
    let key: SourceKey
    let id: UInt32
  }

  private var entries: [SourceKey: Entry] = [:]
  /// Of sources that wait, and of those that were started so and hold what they played since.
  private(set) var leadIns: [SourceKey: LeadIn] = [:]
  private var playing: [SourceKey: UInt32] = [:]
  private var lastOrder = 0

  var isEmpty: Bool { entries.isEmpty && leadIns.isEmpty }

  /// Lets a source wait for a frame, in place of one that it waited for.
  mutating func add(_ key: SourceKey, id: UInt32, frame: Int) {
    lastOrder += 1
    entries[key] = Entry(id: id, frame: frame, order: lastOrder)
  }

  /// Lets a source that waits, or is held, wait for another frame.
  mutating func move(_ key: SourceKey, to frame: Int) { entries[key]?.frame = frame }

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

  /// Whether there is a source to be started, or looked after until its sound begins.
  var hasStarts: Bool { nextFrame != nil || !playing.isEmpty }

  /// Takes out the sources whose frame has come, in the order in which they were asked for.
  mutating func takeDue(at frame: Int) -> [Due] {
    let due = entries.filter { $0.value.state == .playing && $0.value.frame <= frame }
    for key in due.keys { entries[key] = nil }
    return due.sorted { $0.value.order < $1.value.order }.map { Due(key: $0.key, id: $0.value.id) }
  }
}

// MARK: - Lead-ins

extension StartSchedule {
  /// Notes what a source holds ahead of its sound.
  mutating func add(_ leadIn: LeadIn, of key: SourceKey) { leadIns[key] = leadIn }

  /// Takes out what a source held ahead of its sound.
  mutating func takeLeadIn(of key: SourceKey) -> LeadIn? {
    playing[key] = nil
    return leadIns.removeValue(forKey: key)
  }

  /// Notes that a source plays the silence.
  mutating func beginLeadIn(of due: Due) { playing[due.key] = due.id }

  /// Notes that the sound has begun.
  mutating func endLeadIn(of key: SourceKey) { playing[key] = nil }

  /// The sources that play silence.
  var leading: [Due] { playing.map { Due(key: $0.key, id: $0.value) } }

  /// How many frames of silence the library counts in that are not the sound's.
  func silence(of key: SourceKey) -> Int { leadIns[key]?.length ?? 0 }
}
