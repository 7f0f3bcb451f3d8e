/// Sources that wait for a moment to start at, where the library cannot wait itself.
///
/// Pure: who keeps it starts them. A source that waits counts as playing, as it does in a library that can. Times are nanoseconds
/// of the clock: the mix may change its rate meanwhile.
struct StartSchedule: Sendable {
  private struct Entry: Sendable {
    let id: UInt32
    var time: Int64
    /// In which order they were asked for.
    let order: Int
    let startsInSilence: Bool
    /// The frame of the sound that it starts at, where one was asked for.
    var startFrame: Int?
    /// What the source is to be taken for: it waits while that is playing.
    var state = SourceState.playing
  }

  /// A source whose time has come.
  struct Due: Hashable, Sendable {
    let key: SourceKey
    let id: UInt32
    /// Whether it starts in the silence that it holds ahead of its sound.
    let startsInSilence: Bool
  }

  private var entries: [SourceKey: Entry] = [:]
  private var lastOrder = 0
  /// What sources hold ahead of their sounds: of those that wait, and of those that were started so until it is over.
  private(set) var leadIns: [SourceKey: LeadIn] = [:]
  /// Those that were started in their silence, by their names.
  private(set) var led: [SourceKey: UInt32] = [:]

  var isEmpty: Bool { entries.isEmpty && leadIns.isEmpty }

  /// Lets a source wait for a moment, in place of one that it waited for.
  mutating func add(
    _ key: SourceKey,
    id: UInt32,
    time: Int64,
    startFrame: Int? = nil,
    startsInSilence: Bool = false
  ) {
    lastOrder += 1
    let order = lastOrder
    entries[key] = Entry(id: id, time: time, order: order, startsInSilence: startsInSilence, startFrame: startFrame)
  }

  /// Notes the frame that a source starts at; returns whether it waits, or is held.
  mutating func noteSeek(of key: SourceKey, to frame: Int) -> Bool {
    entries[key]?.startFrame = frame
    return entries[key] != nil
  }

  /// The frame that a source which waits, or is held, starts at, where one was asked for.
  func startFrame(of key: SourceKey) -> Int? { entries[key]?.startFrame }

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

  /// What a source is to be taken for; `nil` for one that is what the library says.
  func state(of key: SourceKey) -> SourceState? { entries[key]?.state }

  /// The next moment that a source waits for.
  var nextTime: Int64? { entries.values.lazy.filter { $0.state == .playing }.map(\.time).min() }

  /// Takes out the sources whose time has come, in the order in which they were asked for.
  mutating func takeDue(_ isDue: (Int64) -> Bool) -> [Due] {
    let due = entries.filter { $0.value.state == .playing && isDue($0.value.time) }
    for key in due.keys { entries[key] = nil }
    return due.sorted { $0.value.order < $1.value.order }
      .map { Due(key: $0.key, id: $0.value.id, startsInSilence: $0.value.startsInSilence) }
  }
}

// MARK: - Lead-ins

extension StartSchedule {
  /// Notes what a source holds ahead of its sound.
  mutating func add(_ leadIn: LeadIn, of key: SourceKey) { leadIns[key] = leadIn }

  /// Takes out what a source held ahead of its sound; one that waits for a start in it waits for its sound.
  mutating func takeLeadIn(of key: SourceKey) -> LeadIn? {
    led[key] = nil
    guard let leadIn = leadIns.removeValue(forKey: key) else { return nil }
    if let entry = entries[key], entry.startsInSilence {
      entries[key] = Entry(
        id: entry.id,
        time: leadIn.time,
        order: entry.order,
        startsInSilence: false,
        state: entry.state
      )
    }
    return leadIn
  }

  /// Notes that a source plays its silence.
  mutating func beginLeadIn(of due: Due) { led[due.key] = due.id }

  /// How many frames of silence the library counts in that are not the sound's.
  func silence(of key: SourceKey) -> Int { leadIns[key]?.length ?? 0 }
}
