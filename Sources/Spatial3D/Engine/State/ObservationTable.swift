/// The observed sources of a context.
///
/// The context's lock guards it. It does not call the library.
struct ObservationTable: Sendable {
  private(set) var sources: [ObservedSource?] = []
  private var free: [Int] = []
  /// The index of a source in `sources`, by its slot in the scene.
  private var slots: [Int: Int] = [:]
  private var slotsByID: [UInt32: Int] = [:]

  /// The playing sources and their OpenAL names, in parallel arrays.
  private(set) var playing: [Int] = []
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

  /// The scheduled starts of sources, observed or not, on the library's clock.
  var starts: [SourceKey: Duration] = [:]

  /// The next record of all positions, on the monotonic clock; `nil` while no source plays, or where none is needed.
  var nextRecord: Int64?

  // These arrays are kept for their memory.
  var hints: [UInt32] = []
  var states: [UInt8] = []

  var isEmpty: Bool { slots.isEmpty }
  var streams: [Stream] { sources.compactMap { $0?.stream } }
  var isPlaying: Bool { !playing.isEmpty }

  func slot(of key: SourceKey) -> Int? {
    guard !slots.isEmpty, let slot = slots[key.slot], self[slot].key == key else { return nil }
    return slot
  }

  func slot(ofID id: UInt32) -> Int? { slotsByID[id] }

  subscript(slot: Int) -> ObservedSource {
    _read {
      // This traps on a free index, and yields in place: a copy would retain a reference or two for each source and
      // poll.
      // swift-format-ignore: NeverForceUnwrap
      yield sources[slot]!
    }
    _modify {
      // swift-format-ignore: NeverForceUnwrap
      yield &sources[slot]!
    }
  }

  mutating func add(_ source: ObservedSource) -> Int {
    let slot = free.popLast() ?? sources.count
    if slot == sources.count { sources.append(source) } else { sources[slot] = source }
    slots[source.key.slot] = slot
    slotsByID[source.id] = slot
    updatePlaying(slot)
    return slot
  }

  mutating func remove(_ slot: Int) {
    guard let source = sources[slot] else { return }
    leavePlaying(slot)
    slots[source.key.slot] = nil
    slotsByID[source.id] = nil
    sources[slot] = nil
    free.append(slot)
  }

  /// Updates the list of playing sources after a change of one; returns whether it is the first in the list.
  @discardableResult
  mutating func updatePlaying(_ slot: Int) -> Bool {
    guard self[slot].isPlaying else {
      leavePlaying(slot)
      return false
    }
    guard self[slot].playingPosition == nil else { return false }
    self[slot].playingPosition = playing.count
    playing.append(slot)
    playingIDs.append(self[slot].id)
    return playing.count == 1
  }

  private mutating func leavePlaying(_ slot: Int) {
    guard let index = self[slot].playingPosition else { return }
    self[slot].playingPosition = nil
    let last = playing.removeLast()
    let lastID = playingIDs.removeLast()
    guard last != slot else { return }
    playing[index] = last
    playingIDs[index] = lastID
    self[last].playingPosition = index
  }
}
