/// The sources of a context that somebody observes.
///
/// What the context's lock guards. Looking at the library is others' work.
struct Watch: Sendable {
  private(set) var sources: [WatchedSource?] = []
  private var free: [Int] = []
  /// Where a source is, by its slot in the scene.
  private var places: [Int: Int] = [:]
  private var placesByID: [UInt32: Int] = [:]

  /// Those that play, and their names in the library, side by side.
  private(set) var playing: [Int] = []
  private(set) var playingIDs: [UInt32] = []

  /// Who is told of the device.
  var eventSubscriptions: [Subscription<ContextEvent>] = []
  var isConnected = true
  /// Whether the library rings; `nil` before it was asked to.
  var hasHints: Bool?
  /// When loops are counted again, on the monotonic clock; `nil` where that has to be found out anew.
  var nextLoop: Int64?
  /// When all that play are looked at again, on the monotonic clock.
  var nextSweep: Int64?

  /// When sources begin that were told to play later, observed or not, on the library's clock.
  var starts: [SourceKey: Duration] = [:]

  /// When it is noted again where sources are, on the monotonic clock; `nil` while none plays or nobody needs to know.
  var nextMarks: Int64?

  // Kept for their memory.
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
      // Trapping where there is none, and in place: a copy would be a reference or two of each source and look.
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

  /// Brings the list of those that play up to date with what was told of one; says whether it is the first.
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
