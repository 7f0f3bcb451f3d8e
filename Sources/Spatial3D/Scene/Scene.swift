/// The values that a game has set in a context; the library has a copy of them.
///
/// A setter returns whether there is a change to apply; the caller applies it. Pure: no call and no lock.
struct Scene: Sendable {
  private(set) var listener = Listener()
  private(set) var distanceModel = DistanceModel.inverseClamped
  private(set) var dopplerFactor: Float = 1
  private(set) var speedOfSound = Scene.librarySpeedOfSound
  /// The room that the scene plays in.
  var room = RoomSlots()
  /// How many effects a source may feed.
  var sendLimit = 0
  private var listenerComplaints: ListenerProperties = []
  private var physicsComplaints: PhysicsProperties = []

  private var records: [SourceRecord] = []
  private var freeSlots: [Int] = []
  private var lastGeneration: UInt64 = 0
  /// The flat sounds of sources for which no diagnostic was reported yet.
  private var multichannelWarnings: [SourceKey: MultichannelWarning] = [:]

  var sourceCount: Int { records.count - freeSlots.count }
}

// MARK: - Sources

extension Scene {
  /// Takes a slot for a source, with everything at its default.
  mutating func addSource(id: UInt32, channelFactor: Float = 1) -> SourceKey {
    lastGeneration += 1
    let source = SourceRecord(id: id, generation: lastGeneration, channelFactor: channelFactor)
    guard let slot = freeSlots.popLast() else {
      records.append(source)
      return SourceKey(slot: records.count - 1, generation: lastGeneration)
    }
    records[slot] = source
    return SourceKey(slot: slot, generation: lastGeneration)
  }

  /// Frees a source's slot.
  mutating func removeSource(_ key: SourceKey) {
    records[key.slot].generation = 0
    freeSlots.append(key.slot)
    multichannelWarnings[key] = nil
  }

  /// Sets the factor of a source's gains while its sound is always placed; returns whether the change is audible.
  mutating func setChannelFactor(_ factor: Float, of key: SourceKey) -> Bool {
    guard records[key.slot].channelFactor != factor else { return false }
    records[key.slot].channelFactor = factor
    return records[key.slot].values.spatialization == .always
  }

  /// Stores a source's new sound if it is only placed on request.
  mutating func setMultichannelWarning(_ sound: MultichannelWarning?, of key: SourceKey) {
    guard !records[key.slot].wasUnplacedReported else { return }
    multichannelWarnings[key] = sound
    records[key.slot].hasMultichannelWarning = sound != nil
  }

  /// Takes the sound of a source that is not audible from the source's position: once.
  @inline(__always)
  mutating func takeUnplacedSound(of key: SourceKey) -> MultichannelWarning? {
    guard records[key.slot].isUnplaced else { return nil }
    records[key.slot].hasMultichannelWarning = false
    records[key.slot].wasUnplacedReported = true
    return multichannelWarnings.removeValue(forKey: key)
  }

  /// Runs a closure on a source's values.
  @inline(__always)
  func read<Value>(_ key: SourceKey, _ body: (SourceValues) -> Value) -> Value { body(records[key.slot].values) }

  /// Runs a closure on a source's values; the closure returns whether it changed the property, and so does this.
  @inline(__always)
  mutating func change(_ key: SourceKey, _ body: (inout SourceValues) -> Bool) -> Bool {
    body(&records[key.slot].values)
  }

  /// Adopts some properties; returns the changed ones, none where the source no longer exists.
  mutating func adopt(
    _ properties: SourceProperties,
    of values: SourceValues,
    for key: SourceKey
  ) -> SourceProperties {
    guard records[key.slot].generation == key.generation else { return [] }
    return records[key.slot].values.adopt(properties, of: values)
  }

  /// Runs a closure with a source's slot.
  ///
  /// The closure may only read it. It is `inout` because Swift 6.3 copies a borrowed slot to the stack, at the cost of
  /// an eighth of the closure's work.
  @inline(__always)
  mutating func withRecord(of key: SourceKey, _ body: (inout SourceRecord) -> Void) { body(&records[key.slot]) }

  /// Runs a closure with all slots, by index, to iterate over many of them.
  @inline(__always)
  mutating func withRecords(_ body: (inout MutableSpan<SourceRecord>) -> Void) {
    var records = records.mutableSpan
    body(&records)
  }

  /// Runs a closure on the effects that a source feeds, and returns its result.
  mutating func changeEffectSends<Result>(_ key: SourceKey, _ body: (inout EffectSends) -> Result) -> Result {
    body(&records[key.slot].effectSends)
  }

  /// Removes all sends to an effect slot; returns the sources that had one.
  mutating func forget(_ effectSlot: UInt32) -> [SourceKey] {
    sources { $0.effectSends.sends.contains { $0.slot == effectSlot } }
      .filter { records[$0.slot].effectSends.forget(effectSlot) }
  }

  /// The values of the scene's room and output that affect the routing of a source.
  var feeds: RoomFeeds { RoomFeeds(of: room, sendLimit: sendLimit) }

  /// All sources for which a closure returns true.
  func sources(where isWanted: (SourceRecord) -> Bool) -> [SourceKey] {
    records.indices
      .filter { records[$0].generation != 0 && isWanted(records[$0]) }
      .map { SourceKey(slot: $0, generation: records[$0].generation) }
  }

  /// Whether this is the first diagnostic about a property of a source.
  mutating func complain(about property: SourceProperties, of key: SourceKey) -> Bool {
    records[key.slot].complaints.insert(property).inserted
  }

  /// The library's clock when the source last started from its beginning.
  func startClock(of key: SourceKey) -> Int64 { records[key.slot].startClock }

  /// The requested frame of the source's next start; `nil` for none.
  func startFrame(of key: SourceKey) -> Int? {
    let frame = records[key.slot].startFrame
    return frame >= 0 ? Int(frame) : nil
  }

  /// Forgets a requested start frame: a source that is stopped or rewound starts at its beginning.
  mutating func forgetStartFrame(of key: SourceKey) { records[key.slot].startFrame = -1 }

  /// Stores the clock of a start.
  ///
  /// A start at a requested frame is no start from the beginning.
  mutating func noteStart(at clock: Int64, of key: SourceKey) {
    records[key.slot].startClock = records[key.slot].startFrame >= 0 ? -1 : clock
    records[key.slot].startFrame = -1
  }

  /// Stores a seek of a source: a source that is not held starts at the frame when it is played next.
  mutating func noteSeek(of key: SourceKey, to frame: Int, isHeld: Bool) {
    records[key.slot].startClock = -1
    records[key.slot].startFrame = isHeld ? -1 : Int32(clamping: frame)
  }

  /// All sources, with their names in the library and their requested start frames.
  var sources: [(key: SourceKey, id: UInt32, startFrame: Int32)] {
    records.indices.filter { records[$0].generation != 0 }.map { slot in
      let record = records[slot]
      return (SourceKey(slot: slot, generation: record.generation), record.id, record.startFrame)
    }
  }
}

// MARK: - The listener

extension Scene {
  /// Adopts the usable parts of a listener; returns which parts changed and which were not usable.
  mutating func setListener(_ newValue: Listener) -> (changed: ListenerProperties, unusable: ListenerProperties) {
    listener.adopt(newValue)
  }

  /// Adopts some parts of a listener; returns the changed ones.
  mutating func adopt(_ parts: ListenerProperties, of other: Listener) -> ListenerProperties {
    var merged = listener
    if parts.contains(.position) { merged.position = other.position }
    if parts.contains(.velocity) { merged.velocity = other.velocity }
    if parts.contains(.orientation) { merged.orientation = other.orientation }
    if parts.contains(.gain) { merged.gain = other.gain }
    return listener.adopt(merged).changed
  }

  /// The parts without a diagnostic so far; marks them as reported.
  mutating func complain(about parts: ListenerProperties) -> ListenerProperties {
    defer { listenerComplaints.formUnion(parts) }
    return parts.subtracting(listenerComplaints)
  }
}

// MARK: - The whole scene

extension Scene {
  /// Sets the model of all sources without one of their own; returns these sources, or none where the model is the
  /// same.
  mutating func setDistanceModel(_ model: DistanceModel) -> [SourceKey] {
    guard model != distanceModel else { return [] }
    distanceModel = model
    return sources { $0.values.attenuation.model == nil }
  }

  /// Whether this is the first diagnostic about a property of the whole scene.
  mutating func complain(about property: PhysicsProperties) -> Bool {
    physicsComplaints.insert(property).inserted
  }

  /// Sets the Doppler factor and returns whether it changed.
  mutating func setDopplerFactor(_ factor: Float) -> Bool {
    defer { dopplerFactor = factor }
    return factor != dopplerFactor
  }

  /// The Doppler factor for the library, whose speed of sound stays ``librarySpeedOfSound``.
  ///
  /// Only the quotient of the two is audible. OpenAL Soft 1.19 also derives from the speed how fast a room loses its
  /// high frequencies: it aborts in the mixer at a high speed.
  var libraryDopplerFactor: Float { dopplerFactor * (Self.librarySpeedOfSound / speedOfSound) }

  static let librarySpeedOfSound: Float = 343.3

  /// Sets the speed of sound and returns whether it changed.
  mutating func setSpeedOfSound(_ speed: Float) -> Bool {
    defer { speedOfSound = speed }
    return speed != speedOfSound
  }
}

/// Properties of a whole context for which a diagnostic was reported.
struct PhysicsProperties: OptionSet, Sendable {
  let rawValue: UInt8

  static let dopplerFactor = PhysicsProperties(rawValue: 1 << 0)
  static let speedOfSound = PhysicsProperties(rawValue: 1 << 1)
  static let reverb = PhysicsProperties(rawValue: 1 << 2)
}
