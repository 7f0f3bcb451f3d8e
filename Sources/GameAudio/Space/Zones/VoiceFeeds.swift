/// The shares of a voice that go to the units of zones: two at most.
struct VoiceFeeds: Equatable, Sendable {
  /// One of the shares.
  struct Feed: Equatable, Sendable {
    let unit: UnitIndex
    var gain: Float
    /// The number of ticks since the share has ended.
    private var endedTicks: Int8 = 0

    init(unit: UnitIndex, gain: Float) { (self.unit, self.gain) = (unit, gain) }

    /// Counts a tick in which the emitter has another share, `nil` for none; returns whether the send has ended.
    ///
    /// The send of a share that has ended is 0 for a number of ticks.
    mutating func ends(with share: Float?, after ticks: Int8) -> Bool {
      endedTicks = share == nil && gain == 0 ? endedTicks + 1 : 0
      return endedTicks >= ticks
    }
  }

  var first: Feed?
  /// It exists only beside a first share.
  var second: Feed?

  /// The number of shares.
  var count: Int { first == nil ? 0 : second == nil ? 1 : 2 }

  /// Adds a share, if there is room for it.
  mutating func append(_ feed: Feed) {
    if first == nil { first = feed } else if second == nil { second = feed }
  }

  /// The share that goes to a unit; `nil` for none.
  func gain(of unit: UnitIndex) -> Float? {
    if let first, first.unit == unit { return first.gain }
    if let second, second.unit == unit { return second.gain }
    return nil
  }
}

/// A change of the send of a source to the unit of a zone.
struct FeedChange: Equatable, Sendable {
  let unit: UnitIndex
  /// The new gain; `nil` ends the send.
  let gain: Float?
}

/// The shares of a voice after a tick, and the changes of its sends.
struct FeedStep: Sendable {
  fileprivate(set) var feeds = VoiceFeeds()
  /// The changes in their order; the first ``changeCount`` of them exist.
  private(set) var changes = InlineArray<4, FeedChange?>(repeating: nil)
  private(set) var changeCount = 0

  /// Moves the shares of a voice to the shares that its emitter is to have.
  ///
  /// A share that ends is 0 for a mix, in which the library fades the send out. A share that begins may need the send
  /// of the ended one, and waits for that mix: the library changes the unit of a send within a frame, which clicks. An
  /// output may be inside of a mix when the share is set to 0, and fades the send out in the next mix: this takes two
  /// ticks.
  ///
  /// - Parameters:
  ///   - old: The shares that the source has.
  ///   - wanted: The shares of the emitter.
  ///   - room: The number of sends that the game leaves to zones.
  ///   - endTicks: The number of ticks for which a share that ends is 0.
  ///   - exists: Whether a unit has an effect.
  @inline(__always)
  init(
    from old: VoiceFeeds,
    to wanted: VoiceFeeds,
    room: Int,
    endTicks: Int8,
    exists: (UnitIndex) -> Bool
  ) {
    if let feed = old.first, exists(feed.unit) { move(feed, to: wanted, endTicks) }
    if let feed = old.second, exists(feed.unit) { move(feed, to: wanted, endTicks) }
    if let feed = wanted.first, old.gain(of: feed.unit) == nil, exists(feed.unit) { begin(feed, room) }
    if let feed = wanted.second, old.gain(of: feed.unit) == nil, exists(feed.unit) { begin(feed, room) }
  }

  /// Begins a share, unless the shares that end have no room left for it.
  private mutating func begin(_ feed: VoiceFeeds.Feed, _ room: Int) {
    guard feeds.count < min(room, 2) else { return }
    add(FeedChange(unit: feed.unit, gain: feed.gain))
    feeds.append(feed)
  }

  /// Moves a share that the source has, and keeps it as it is unless it has moved by an audible step.
  private mutating func move(_ old: VoiceFeeds.Feed, to wanted: VoiceFeeds, _ endTicks: Int8) {
    let gain = wanted.gain(of: old.unit)
    var feed = old
    if feed.ends(with: gain, after: endTicks) { return add(FeedChange(unit: feed.unit, gain: nil)) }
    if ZoneLaw.isMoved(gain ?? 0, from: old.gain) {
      feed.gain = gain ?? 0
      add(FeedChange(unit: feed.unit, gain: feed.gain))
    }
    feeds.append(feed)
  }

  private mutating func add(_ change: FeedChange) {
    changes[changeCount] = change
    changeCount += 1
  }
}
