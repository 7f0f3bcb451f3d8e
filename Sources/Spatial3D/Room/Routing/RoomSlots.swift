/// The effect slots that hold the rooms of a context: the room that sources feed, and the rooms that ring out.
///
/// A new room gets slots of its own, which sources feed by the other of two sends: one send falls while the other
/// rises, and the tail of the old room rings out. Pure: no call and no lock.
struct RoomSlots: Sendable {
  /// A room's slots: its reverb, and equalisers behind it.
  struct Unit: Equatable, Sendable {
    var slot: UInt32
    var equalizers: [UInt32] = []
    /// The time of the last feed, and the length of the tail after it, in nanoseconds of the clock.
    var leftAt: Int64 = 0
    var tail: Int64 = 0
    /// Whether a room is loaded.
    var isLoaded = false

    /// The time at which the unit is silent.
    var end: Int64 { leftAt + tail }
  }

  /// The number of rooms that may sound at once; the send of a unit is its index modulo 2.
  static let capacity = 4

  /// The units by index; an index that was not needed yet is empty.
  private(set) var units = [Unit?](repeating: nil, count: capacity)
  /// The reverb that was set.
  private(set) var reverb: Reverb?
  private(set) var plan: ReverbPlan?
  /// The index that is fed; `nil` while the context is dry.
  private(set) var current: Int?
  /// The newest unit of each send, in order.
  private(set) var newest: [Int?] = [nil, nil]
  /// The index that was fed last, also while the context is dry.
  private(set) var last: Int?
  private var changedAt: Int64?

  /// The result for the room that is fed; `nil` while no room is fed.
  func resolution(_ limits: EffectLimits) -> ReverbResolution? {
    guard current != nil, let reverb else { return nil }
    return plan?.resolution(of: reverb, limits)
  }

  /// The factor for the gains of sources on the path into the room.
  var boost: Float {
    guard current != nil, let reverb, let plan else { return 1 }
    return plan.boost(reverb.level)
  }

  /// The slot that sources feed.
  var slot: UInt32? { current.flatMap { units[$0]?.slot } }

  /// The index for the next room at a clock; the index that was fed last if no mix happened since its start.
  ///
  /// If all units of the send sound, it is the index of the unit that is silent soonest.
  func index(at clock: Int64) -> Int {
    if let last, clock == changedAt { return last }
    let send = last.map { 1 - $0 % 2 } ?? 0
    let indices = stride(from: send, to: Self.capacity, by: 2)
    func isSilent(_ index: Int) -> Bool {
      units[index].map { $0.end <= clock } ?? false
    }
    return indices.first(where: isSilent) ?? indices.first { units[$0] == nil }
      ?? indices.min { (units[$0]?.end ?? 0) < (units[$1]?.end ?? 0) } ?? send
  }

  /// The loaded units that have rung out, each once after it was fed: they cost the same CPU time as audible units.
  mutating func takeSilent(at clock: Int64) -> [Unit] {
    units.indices.compactMap { index in
      guard index != current, let unit = units[index], unit.isLoaded, unit.end <= clock else { return nil }
      units[index]?.isLoaded = false
      return unit
    }
  }

  /// Sets the slots of an index.
  mutating func setUnit(_ unit: Unit, at index: Int) { units[index] = unit }

  /// Feeds an index from now on.
  mutating func feed(_ index: Int, _ reverb: Reverb, _ plan: ReverbPlan, at clock: Int64) {
    leave(at: clock)
    units[index]?.tail = reverb.room.tail
    units[index]?.isLoaded = true
    (self.reverb, self.plan, current, last, changedAt) = (reverb, plan, index, index, clock)
    newest[index % 2] = index
  }

  /// Feeds no room from now on.
  mutating func stop(at clock: Int64) {
    leave(at: clock)
    (reverb, plan, current) = (nil, nil, nil)
  }

  /// Stores a reverb that found no free slots.
  mutating func fail(_ reverb: Reverb, at clock: Int64) {
    stop(at: clock)
    self.reverb = reverb
  }

  /// Stores another level of the same room.
  mutating func setLevel(of reverb: Reverb) { self.reverb = reverb }

  private mutating func leave(at clock: Int64) {
    if let current { units[current]?.leftAt = clock }
  }
}

extension RoomAcoustics {
  /// The duration of the tail after the end of the input, in nanoseconds, with a margin.
  fileprivate var tail: Int64 {
    let ratio = max(highFrequencyDecayRatio, lowFrequencyDecayRatio, 1)
    return Int64(saturating: 1.5 * Double(decayTime.inSeconds * ratio) * 1e9) + 500_000_000
  }
}

/// The values of a context's room and output that decide the paths of its sources.
struct RoomFeeds: Sendable {
  /// The newest slot of each of the two sends; 0 for none.
  let slots: SIMD2<UInt32>
  /// The send that is fed; `nil` while the scene is dry.
  let current: Int?
  /// The send that was fed last.
  let last: Int?
  /// How many sends a source has.
  let sendLimit: Int
  /// The factor for the gains of sources on the path into the room.
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
