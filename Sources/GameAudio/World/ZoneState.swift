internal import Spatial3D

/// The reverb zones of a world, and the units that they sound with.
struct ZoneState: Sendable {
  var zones: [ReverbZone] = []
  var pool = ZonePool()
  /// The effect of each unit of the pool, while it exists.
  var effects = [EffectUnit?](repeating: nil, count: ZonePool.capacity)
  /// The positions of the effects in the order in which they were made: the library mixes them in that order.
  var order = InlineArray<3, Int>(repeating: 0)
  var openedCount = 0
  /// The number of sends that the output grants a source.
  var sendLimit = 2
  /// Whether feeds that begin have their levels at once: nothing has played since the zones got their units.
  var begins = false
  var hasReportedReverb = false
  var faults = SpaceFaults()
  var hasReportedLimit = false
  /// The weights of the zones; the memory stays from tick to tick.
  var weights = ZoneWeights()
  /// The seconds that the reverb of each zone rings on.
  var ringing: [Float] = []

  var isInUse: Bool { !zones.isEmpty || pool.isInUse }
}

/// The shares of a voice that go to the units of zones: two at most.
struct VoiceFeeds: Equatable, Sendable {
  /// One of the shares; the unit of a missing share is -1.
  struct Feed: Equatable, Sendable {
    var unit: Int8 = -1
    var gain: Float = 0
    /// The number of ticks since the share has ended.
    private var endedTicks: Int8 = 0

    init(unit: Int8 = -1, gain: Float = 0) { (self.unit, self.gain) = (unit, gain) }

    /// Counts a tick in which the emitter has another share, `nil` for none; returns whether the send has ended.
    ///
    /// The send of a share that has ended is 0 for a number of ticks.
    mutating func ends(with share: Float?, after ticks: Int8) -> Bool {
      endedTicks = share == nil && gain == 0 ? endedTicks + 1 : 0
      return endedTicks >= ticks
    }
  }

  var first = Feed()
  var second = Feed()

  /// The number of shares.
  var count: Int { first.unit < 0 ? 0 : second.unit < 0 ? 1 : 2 }

  /// Adds a share, if there is room for it.
  mutating func append(_ feed: Feed) {
    if first.unit < 0 { first = feed } else if second.unit < 0 { second = feed }
  }

  /// The share that goes to a unit; `nil` for none.
  func gain(ofUnit unit: Int) -> Float? {
    Int(first.unit) == unit ? first.gain : Int(second.unit) == unit ? second.gain : nil
  }
}
