/// Sources that wait for a start time, for libraries that cannot schedule a start themselves.
///
/// Pure: its owner starts the sources. A waiting source counts as playing, like in a library that schedules starts
/// itself. Times are in nanoseconds of the clock, because the mix rate may change meanwhile.
struct StartSchedule: Sendable {
  private struct Entry: Sendable {
    let id: UInt32
    var time: Int64
    /// The order of the requests.
    let order: Int
    let startsInSilence: Bool
    /// The frame of the sound at which the source starts; `nil` if none was set.
    var startFrame: Int?
    /// The state to report: the source waits only while it is `.playing`.
    var state = SourceState.playing
  }

  /// A source with a start time that has passed.
  struct Due: Hashable, Sendable {
    let key: SourceKey
    let id: UInt32
    /// Whether the source starts in the silence ahead of its sound.
    let startsInSilence: Bool
  }

  private var entries: [SourceKey: Entry] = [:]
  private var lastOrder = 0
  /// The paddings of waiting sources, and of started ones until the silence is over.
  private(set) var paddings: [SourceKey: SilencePadding] = [:]
  /// The sources that were started in their silence, with their OpenAL names.
  private(set) var led: [SourceKey: UInt32] = [:]

  var isEmpty: Bool { entries.isEmpty && paddings.isEmpty }

  /// Schedules a source; a new time replaces the old one.
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

  /// Notes the frame at which a source starts; returns whether it waits or is paused.
  mutating func noteSeek(of key: SourceKey, to frame: Int) -> Bool {
    entries[key]?.startFrame = frame
    return entries[key] != nil
  }

  /// The frame at which a waiting or paused source starts; `nil` if none was set.
  func startFrame(of key: SourceKey) -> Int? { entries[key]?.startFrame }

  /// Removes a source.
  mutating func remove(_ key: SourceKey) { entries[key] = nil }

  /// Pauses a waiting source.
  mutating func pause(_ key: SourceKey) {
    if entries[key]?.state == .playing { entries[key]?.state = .paused }
  }

  /// Resumes a paused source; returns whether it was paused.
  mutating func resume(_ key: SourceKey) -> Bool {
    guard entries[key]?.state == .paused else { return false }
    entries[key]?.state = .playing
    return true
  }

  /// The state to report for a source; `nil` if the library's state is right.
  func state(of key: SourceKey) -> SourceState? { entries[key]?.state }

  /// The next start time.
  var nextTime: Int64? { entries.values.lazy.filter { $0.state == .playing }.map(\.time).min() }

  /// Removes the sources with a start time that has passed, and returns them in the order of the requests.
  mutating func takeDue(_ isDue: (Int64) -> Bool) -> [Due] {
    let due = entries.filter { $0.value.state == .playing && isDue($0.value.time) }
    for key in due.keys { entries[key] = nil }
    return due.sorted { $0.value.order < $1.value.order }
      .map { Due(key: $0.key, id: $0.value.id, startsInSilence: $0.value.startsInSilence) }
  }
}

// MARK: - Lead-ins

extension StartSchedule {
  /// Notes the padding of a source.
  mutating func add(_ padding: SilencePadding, of key: SourceKey) { paddings[key] = padding }

  /// Removes the padding of a source; if the source waits to start in it, it then waits for the start of its sound.
  mutating func takePadding(of key: SourceKey) -> SilencePadding? {
    led[key] = nil
    guard let padding = paddings.removeValue(forKey: key) else { return nil }
    if let entry = entries[key], entry.startsInSilence {
      entries[key] = Entry(
        id: entry.id,
        time: padding.time,
        order: entry.order,
        startsInSilence: false,
        state: entry.state
      )
    }
    return padding
  }

  /// Notes that a source plays its silence.
  mutating func beginPadding(of due: Due) { led[due.key] = due.id }

  /// The number of frames of silence in the library's count that do not belong to the sound.
  func silence(of key: SourceKey) -> Int { paddings[key]?.length ?? 0 }
}
