/// How a context observes its sources, and the output; each observed source has an ``ObservedSource`` in its record.
struct ObservationState: Sendable {
  /// The observed sources, by their names in the library.
  fileprivate(set) var keysByID: [UInt32: SourceKey] = [:]

  /// The streams of all sources.
  fileprivate(set) var streams: [Stream] = []

  /// The observed sources that play, and their names in the library, in parallel arrays.
  fileprivate(set) var playing: [SourceKey] = []
  fileprivate(set) var playingIDs: [UInt32] = []

  /// The subscribers to the events of the output.
  var eventSubscriptions: [Subscription<ContextEvent>] = []
  var isConnected = true
  /// Whether the library sends events; `nil` before the first request.
  var hasHints: Bool?
  /// The next count of loops, on the monotonic clock; `nil` if it has to be computed again.
  var nextLoop: Int64?
  /// The next poll of all playing sources, on the monotonic clock.
  var nextSweep: Int64?

  // These arrays are kept for their memory.
  var hints: [UInt32] = []
  var states: [UInt8] = []

  var isEmpty: Bool { keysByID.isEmpty }
  var isPlaying: Bool { !playing.isEmpty }
}

extension ContextState {
  /// Adds a source to the observed sources.
  mutating func addObserved(_ source: ObservedSource, of key: SourceKey) {
    records[key].observed = source
    observation.keysByID[records[key].id] = key
    if let stream = source.stream { observation.streams.append(stream) }
    updatePlaying(key)
  }

  /// Removes a source from the observed sources, and requests no more events if no other observed source plays.
  mutating func removeObserved(_ key: SourceKey) {
    leavePlaying(key)
    observation.keysByID[records[key].id] = nil
    if let stream = records[observed: key].stream { observation.streams.removeAll { $0 === stream } }
    records[key].observed = nil
    if !observation.isPlaying, !device.isOffline { handle.wantHints(false) }
  }

  /// Stores another name of a source in the library.
  mutating func rename(_ key: SourceKey, to id: UInt32) {
    let old = records[key].id
    records[key].scene.id = id
    guard records.isObserved(key) else { return }
    observation.keysByID[old] = nil
    observation.keysByID[id] = key
    if let index = records[observed: key].playingIndex { observation.playingIDs[index] = id }
  }

  /// Updates the list of playing sources after a change of one; returns whether it is the first in the list.
  @discardableResult
  mutating func updatePlaying(_ key: SourceKey) -> Bool {
    guard records[observed: key].isPlaying else {
      leavePlaying(key)
      return false
    }
    guard records[observed: key].playingIndex == nil else { return false }
    records[observed: key].playingIndex = observation.playing.count
    observation.playing.append(key)
    observation.playingIDs.append(records[key].id)
    return observation.playing.count == 1
  }

  private mutating func leavePlaying(_ key: SourceKey) {
    guard let index = records[observed: key].playingIndex else { return }
    records[observed: key].playingIndex = nil
    // The last one takes the index.
    let last = observation.playing.removeLast()
    let lastID = observation.playingIDs.removeLast()
    guard index < observation.playing.count else { return }
    observation.playing[index] = last
    observation.playingIDs[index] = lastID
    records[observed: last].playingIndex = index
  }
}
