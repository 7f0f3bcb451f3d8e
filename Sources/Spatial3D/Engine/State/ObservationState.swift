/// How a context observes its sources, and the output; each observed source has an ``ObservedSource`` in its record.
struct ObservationState: Sendable {
  /// The observed sources, by their names in the library.
  private(set) var keysByID: [UInt32: SourceKey] = [:]

  /// The streams of all sources.
  private(set) var streams: [Stream] = []

  /// The observed sources that play, and their names in the library, in parallel arrays.
  private(set) var playing: [SourceKey] = []
  private(set) var playingIDs: [UInt32] = []

  /// The subscribers to the events of the output.
  var eventSubscriptions: [Subscription<ContextEvent>] = []
  var isConnected = true
  /// Whether the library sends events; `nil` before the first request.
  var hasHints: Bool?
  /// The next count of loops, on the monotonic clock; `nil` if it has to be computed again.
  var nextLoop: Int64?
  /// The next poll of all playing sources, on the monotonic clock.
  var nextSweep: Int64?
  /// The next record of all positions, on the monotonic clock; `nil` while no source plays, or where none is needed.
  var nextRecord: Int64?

  // These arrays are kept for their memory.
  var hints: [UInt32] = []
  var states: [UInt8] = []

  var isEmpty: Bool { keysByID.isEmpty }
  var isPlaying: Bool { !playing.isEmpty }
}

extension ContextState {
  /// Adds a source to the observed ones.
  mutating func addObserved(_ source: ObservedSource, of key: SourceKey) {
    records[key].observed = source
    observation.add(key, records[key].id, source.stream)
    updatePlaying(key)
  }

  /// Removes a source from the observed ones.
  mutating func removeObserved(_ key: SourceKey) {
    leavePlaying(key)
    observation.remove(records[key].id, records[observed: key].stream)
    records[key].observed = nil
  }

  /// Updates the list of playing sources after a change of one; returns whether it is the first in the list.
  @discardableResult
  mutating func updatePlaying(_ key: SourceKey) -> Bool {
    guard records[observed: key].isPlaying else {
      leavePlaying(key)
      return false
    }
    guard records[observed: key].playingIndex == nil else { return false }
    records[observed: key].playingIndex = observation.addPlaying(key, records[key].id)
    return observation.playing.count == 1
  }

  private mutating func leavePlaying(_ key: SourceKey) {
    guard let index = records[observed: key].playingIndex else { return }
    records[observed: key].playingIndex = nil
    if let moved = observation.removePlaying(at: index) { records[observed: moved].playingIndex = index }
  }
}

extension ObservationState {
  fileprivate mutating func add(_ key: SourceKey, _ id: UInt32, _ stream: Stream?) {
    keysByID[id] = key
    if let stream { streams.append(stream) }
  }

  fileprivate mutating func remove(_ id: UInt32, _ stream: Stream?) {
    keysByID[id] = nil
    if let stream { streams.removeAll { $0 === stream } }
  }

  /// Appends a source to the playing ones, and returns its index.
  fileprivate mutating func addPlaying(_ key: SourceKey, _ id: UInt32) -> Int {
    playing.append(key)
    playingIDs.append(id)
    return playing.count - 1
  }

  /// Removes a source from the playing ones; returns the source that has its index now, if there is one.
  fileprivate mutating func removePlaying(at index: Int) -> SourceKey? {
    let last = playing.removeLast()
    let lastID = playingIDs.removeLast()
    guard index < playing.count else { return nil }
    playing[index] = last
    playingIDs[index] = lastID
    return last
  }
}
