/// The observed sources of a context.
///
/// The context's lock guards it. It does not call the library.
struct Watch: Sendable {
  private(set) var sources: [WatchedSource?] = []
  private var free: [Int] = []
  /// The index of a source in `sources`, by its slot in the scene.
  private var places: [Int: Int] = [:]
  private var placesByID: [UInt32: Int] = [:]

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

  /// The next update of the marks, on the monotonic clock; `nil` while no source plays or no marks are needed.
  var nextMarks: Int64?

  // These arrays are kept for their memory.
  var hints: [UInt32] = []
  var states: [UInt8] = []

  var isEmpty: Bool { places.isEmpty }
  var streams: [Stream] { sources.compactMap { $0?.stream } }
  var isPlaying: Bool { !playing.isEmpty }

  func place(of key: SourceKey) -> Int? {
    guard !places.isEmpty, let place = places[key.slot], self[place].key == key else { return nil }
    return place
  }

  func place(ofID id: UInt32) -> Int? { placesByID[id] }

  subscript(place: Int) -> WatchedSource {
    _read {
      // This traps on a free index, and yields in place: a copy would retain a reference or two for each source and
      // poll.
      // swift-format-ignore: NeverForceUnwrap
      yield sources[place]!
    }
    _modify {
      // swift-format-ignore: NeverForceUnwrap
      yield &sources[place]!
    }
  }

  mutating func add(_ source: WatchedSource) -> Int {
    let place = free.popLast() ?? sources.count
    if place == sources.count { sources.append(source) } else { sources[place] = source }
    places[source.key.slot] = place
    placesByID[source.id] = place
    updatePlaying(place)
    return place
  }

  mutating func remove(_ place: Int) {
    guard let source = sources[place] else { return }
    leavePlaying(place)
    places[source.key.slot] = nil
    placesByID[source.id] = nil
    sources[place] = nil
    free.append(place)
  }

  /// Updates the list of playing sources after a change of one; returns whether it is the first in the list.
  @discardableResult
  mutating func updatePlaying(_ place: Int) -> Bool {
    guard self[place].isPlaying else {
      leavePlaying(place)
      return false
    }
    guard self[place].playingPlace == nil else { return false }
    self[place].playingPlace = playing.count
    playing.append(place)
    playingIDs.append(self[place].id)
    return playing.count == 1
  }

  private mutating func leavePlaying(_ place: Int) {
    guard let index = self[place].playingPlace else { return }
    self[place].playingPlace = nil
    let last = playing.removeLast()
    let lastID = playingIDs.removeLast()
    guard last != place else { return }
    playing[index] = last
    playingIDs[index] = lastID
    self[last].playingPlace = index
  }
}
