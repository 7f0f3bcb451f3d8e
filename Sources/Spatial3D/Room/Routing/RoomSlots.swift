/// Which of the library's effect slots hold the rooms of a scene: the one that is fed, and those that fade away.
///
/// A new room goes into slots of its own, which sources feed by the other of two sends: one falls while the other rises, and what
/// the old room still has rings out. Pure: no call and no lock.
struct RoomSlots: Sendable {
  /// A room's slots: its reverb, and equalisers behind it.
  struct Unit: Equatable, Sendable {
    var slot: UInt32
    var equalizers: [UInt32] = []
    /// When the unit was last fed, and for how long it sounds after that, in nanoseconds of the library's clock.
    var leftAt: Int64 = 0
    var tail: Int64 = 0
    /// Whether there is a room in it.
    var isLoaded = false

    /// When the unit is silent.
    var end: Int64 { leftAt + tail }
  }

  /// How many rooms may sound at once; a unit's send is its place modulo 2.
  static let capacity = 4

  /// By place; a place that was not needed yet is empty.
  private(set) var units = [Unit?](repeating: nil, count: capacity)
  /// What was asked for.
  private(set) var reverb: Reverb?
  private(set) var plan: ReverbPlan?
  /// The place that is fed; `nil` while the scene is dry.
  private(set) var current: Int?
  /// The newest unit of each send, in order.
  private(set) var newest: [Int?] = [nil, nil]
  /// The place that was fed last, also while the scene is dry.
  private(set) var last: Int?
  private var changedAt: Int64?

  /// How loud the room is that is fed, and what comes of it; `nil` while there is none.
  func resolution(_ limits: EffectLimits) -> ReverbResolution? {
    guard current != nil, let reverb else { return nil }
    return plan?.resolution(of: reverb, limits)
  }

  /// What the gains of sources are to be multiplied with on their way into the room.
  var boost: Float {
    guard current != nil, let reverb, let plan else { return 1 }
    return plan.boost(reverb.level)
  }

  /// The slot that sources feed.
  var slot: UInt32? { current.flatMap { units[$0]?.slot } }

  /// The place for the next room at a clock; the one that is fed where nothing was mixed since.
  ///
  /// Where all sound, it is the one that is silent soonest.
  func place(at clock: Int64?) -> Int {
    if let last, let clock, clock == changedAt { return last }
    let send = last.map { 1 - $0 % 2 } ?? 0
    let places = stride(from: send, to: Self.capacity, by: 2)
    func isSilent(_ place: Int) -> Bool {
      guard let unit = units[place], let clock else { return false }
      return unit.end <= clock
    }
    return places.first(where: isSilent) ?? places.first { units[$0] == nil }
      ?? places.min { (units[$0]?.end ?? 0) < (units[$1]?.end ?? 0) } ?? send
  }

  /// The units that nothing is heard of any more, each once after it was fed: they cost as much as those that are heard.
  mutating func takeSilent(at clock: Int64?) -> [Unit] {
    guard let clock else { return [] }
    return units.indices.compactMap { place in
      guard place != current, let unit = units[place], unit.isLoaded, unit.end <= clock else { return nil }
      units[place]?.isLoaded = false
      return unit
    }
  }

  /// Notes the slots of a place.
  mutating func setUnit(_ unit: Unit, at place: Int) { units[place] = unit }

  /// Feeds a place from now on.
  mutating func feed(_ place: Int, _ reverb: Reverb, _ plan: ReverbPlan, at clock: Int64?) {
    leave(at: clock)
    units[place]?.tail = reverb.room.tail
    units[place]?.isLoaded = true
    (self.reverb, self.plan, current, last, changedAt) = (reverb, plan, place, place, clock)
    newest[place % 2] = place
  }

  /// Feeds no room from now on.
  mutating func stop(at clock: Int64?) {
    leave(at: clock)
    (reverb, plan, current) = (nil, nil, nil)
  }

  /// Notes a reverb that there are no slots for.
  mutating func fail(_ reverb: Reverb, at clock: Int64?) {
    stop(at: clock)
    self.reverb = reverb
  }

  /// Notes another level of the same room.
  mutating func setLevel(of reverb: Reverb) { self.reverb = reverb }

  private mutating func leave(at clock: Int64?) {
    if let current { units[current]?.leftAt = clock ?? 0 }
  }
}

extension RoomAcoustics {
  /// How long the room sounds after what it is fed with ends, in nanoseconds and with something to spare.
  fileprivate var tail: Int64 {
    let ratio = max(highFrequencyDecayRatio, lowFrequencyDecayRatio, 1)
    return Int64(1.5 * decayTime.inSeconds * ratio * 1e9) + 500_000_000
  }
}

/// What of a scene's room and output matters to where a source's paths go: a few numbers.
struct RoomFeeds: Sendable {
  /// The newest slot of each of the two sends; 0 for none.
  let slots: SIMD2<UInt32>
  /// The send that is fed; `nil` while the scene is dry.
  let current: Int?
  /// The send that was fed last.
  let last: Int?
  /// How many sends a source has.
  let sendLimit: Int
  /// What the gains of sources are to be multiplied with on their way into the room.
  let boost: Float

  init(of room: RoomSlots, sendLimit: Int) {
    func slot(_ send: Int) -> UInt32 { room.newest[send].flatMap { room.units[$0]?.slot } ?? 0 }
    slots = room.last == nil ? .zero : [slot(0), slot(1)]
    current = room.current.map { $0 % 2 }
    last = room.last.map { $0 % 2 }
    self.sendLimit = sendLimit
    boost = room.boost
  }
}
