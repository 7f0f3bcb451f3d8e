/// What a game has set of a context: the truth, of which the library has a copy.
///
/// Setting tells whether there is something to hand over; handing over is others' work. Pure: no call and no lock.
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

  private var places: [SourcePlace] = []
  private var freeSlots: [Int] = []
  private var lastGeneration: UInt64 = 0
  /// The sounds of those sources that have a flat one which was not told of yet.
  private var flatSounds: [SourceKey: FlatSound] = [:]

  /// How many sources there are.
  var sourceCount: Int { places.count - freeSlots.count }
}

// MARK: - Sources

extension Scene {
  /// Takes a place for a source, with everything at its default.
  mutating func addSource(id: UInt32, channelFactor: Float = 1) -> SourceKey {
    lastGeneration += 1
    let source = SourcePlace(id: id, generation: lastGeneration, channelFactor: channelFactor)
    guard let slot = freeSlots.popLast() else {
      places.append(source)
      return SourceKey(slot: places.count - 1, generation: lastGeneration)
    }
    places[slot] = source
    return SourceKey(slot: slot, generation: lastGeneration)
  }

  /// Gives a source's place back.
  mutating func removeSource(_ key: SourceKey) {
    places[key.slot].generation = 0
    freeSlots.append(key.slot)
    flatSounds[key] = nil
  }

  /// Sets what a source's gains are multiplied with while its sound is always placed; returns whether that is heard.
  mutating func setChannelFactor(_ factor: Float, of key: SourceKey) -> Bool {
    guard places[key.slot].channelFactor != factor else { return false }
    places[key.slot].channelFactor = factor
    return places[key.slot].values.spatialization == .always
  }

  /// Notes the sound that a source got, if it is one that has to be asked for to be placed.
  mutating func setFlatSound(_ sound: FlatSound?, of key: SourceKey) {
    guard !places[key.slot].wasToldUnplaced else { return }
    flatSounds[key] = sound
    places[key.slot].hasFlatSound = sound != nil
  }

  /// The sound of a source that is not heard from the source's place: told once.
  @inline(__always)
  mutating func takeUnplacedSound(of key: SourceKey) -> FlatSound? {
    guard places[key.slot].isUnplaced else { return nil }
    places[key.slot].hasFlatSound = false
    places[key.slot].wasToldUnplaced = true
    return flatSounds.removeValue(forKey: key)
  }

  /// Runs a closure on a source's values.
  @inline(__always)
  func read<Value>(_ key: SourceKey, _ body: (SourceValues) -> Value) -> Value { body(places[key.slot].values) }

  /// Runs a closure on a source's values, which returns whether it changed the property, and returns the same.
  @inline(__always)
  mutating func change(_ key: SourceKey, _ body: (inout SourceValues) -> Bool) -> Bool {
    body(&places[key.slot].values)
  }

  /// Takes over some properties; returns those that differ, none where there is no such source any more.
  mutating func adopt(
    _ properties: SourceProperties,
    of values: SourceValues,
    for key: SourceKey
  ) -> SourceProperties {
    guard places[key.slot].generation == key.generation else { return [] }
    return places[key.slot].values.adopt(properties, of: values)
  }

  /// Runs a closure with a source's place.
  ///
  /// To be read alone. It is lent where it stands: Swift 6.3 copies one that is borrowed to the stack, which costs an eighth of
  /// what is done with it.
  @inline(__always)
  mutating func withPlace(of key: SourceKey, _ body: (inout SourcePlace) -> Void) { body(&places[key.slot]) }

  /// Runs a closure with all places, by slot, to go through many of them.
  @inline(__always)
  mutating func withPlaces(_ body: (inout MutableSpan<SourcePlace>) -> Void) {
    var places = places.mutableSpan
    body(&places)
  }

  /// Runs a closure on the effects that a source feeds, and returns the same.
  mutating func changeEffectSends<Result>(_ key: SourceKey, _ body: (inout EffectSends) -> Result) -> Result {
    body(&places[key.slot].effectSends)
  }

  /// Sends no source to an effect slot any more; returns those that were.
  mutating func forget(_ effectSlot: UInt32) -> [SourceKey] {
    sources { $0.effectSends.sends.contains { $0.slot == effectSlot } }
      .filter { places[$0.slot].effectSends.forget(effectSlot) }
  }

  /// What of the scene's room and output matters to where a source's paths go.
  var feeds: RoomFeeds { RoomFeeds(of: room, sendLimit: sendLimit) }

  /// All sources that a closure says yes to.
  func sources(where isWanted: (SourcePlace) -> Bool) -> [SourceKey] {
    places.indices
      .filter { places[$0].generation != 0 && isWanted(places[$0]) }
      .map { SourceKey(slot: $0, generation: places[$0].generation) }
  }

  /// Whether this is the first complaint about a property of a source.
  mutating func complain(about property: SourceProperties, of key: SourceKey) -> Bool {
    places[key.slot].complaints.insert(property).inserted
  }

  /// The library's clock when the source last started from its beginning.
  func startClock(of key: SourceKey) -> Int64 { places[key.slot].startClock }

  /// The frame that the source starts at next, where one was asked for.
  func startFrame(of key: SourceKey) -> Int? {
    let frame = places[key.slot].startFrame
    return frame >= 0 ? Int(frame) : nil
  }

  /// Forgets a frame that was asked for: a source that is ended starts at its beginning.
  mutating func forgetStartFrame(of key: SourceKey) { places[key.slot].startFrame = -1 }

  /// Notes a start at a clock.
  ///
  /// A start at a frame that was asked for is none from the beginning.
  mutating func noteStart(at clock: Int64, of key: SourceKey) {
    places[key.slot].startClock = places[key.slot].startFrame >= 0 ? -1 : clock
    places[key.slot].startFrame = -1
  }

  /// Notes that a source was moved to a frame: now, or at its next start where it does not play.
  mutating func noteSeek(of key: SourceKey, to frame: Int, isHeld: Bool) {
    places[key.slot].startClock = -1
    places[key.slot].startFrame = isHeld ? -1 : Int32(clamping: frame)
  }

  /// Where all sources are, and their names in the library.
  var sources: [(key: SourceKey, id: UInt32, startFrame: Int32)] {
    places.indices.filter { places[$0].generation != 0 }.map { slot in
      let place = places[slot]
      return (SourceKey(slot: slot, generation: place.generation), place.id, place.startFrame)
    }
  }
}

// MARK: - The listener

extension Scene {
  /// Takes over what is usable of a listener; returns which parts changed and which were not usable.
  mutating func setListener(_ newValue: Listener) -> (changed: ListenerProperties, unusable: ListenerProperties) {
    listener.adopt(newValue)
  }

  /// Takes over some parts of a listener; returns those that differ.
  mutating func adopt(_ parts: ListenerProperties, of other: Listener) -> ListenerProperties {
    var merged = listener
    if parts.contains(.position) { merged.position = other.position }
    if parts.contains(.velocity) { merged.velocity = other.velocity }
    if parts.contains(.orientation) { merged.orientation = other.orientation }
    if parts.contains(.gain) { merged.gain = other.gain }
    return listener.adopt(merged).changed
  }

  /// Which of some parts were never complained about before; they have been now.
  mutating func complain(about parts: ListenerProperties) -> ListenerProperties {
    defer { listenerComplaints.formUnion(parts) }
    return parts.subtracting(listenerComplaints)
  }
}

// MARK: - The whole scene

extension Scene {
  /// Sets the model of all sources without one of their own; returns those sources, or none where it was the same.
  mutating func setDistanceModel(_ model: DistanceModel) -> [SourceKey] {
    guard model != distanceModel else { return [] }
    distanceModel = model
    return sources { $0.values.attenuation.model == nil }
  }

  /// Whether this is the first complaint about a property of the whole.
  mutating func complain(about property: PhysicsProperties) -> Bool {
    physicsComplaints.insert(property).inserted
  }

  /// Sets the Doppler factor and returns whether it was another one.
  mutating func setDopplerFactor(_ factor: Float) -> Bool {
    defer { dopplerFactor = factor }
    return factor != dopplerFactor
  }

  /// The Doppler factor for the library, whose speed of sound stays ``librarySpeedOfSound``.
  ///
  /// Only the quotient of the two is heard. OpenAL Soft 1.19 also computes from the speed how fast a room loses its high
  /// frequencies: it aborts in the mixer for a fast one.
  var libraryDopplerFactor: Float { dopplerFactor * (Self.librarySpeedOfSound / speedOfSound) }

  static let librarySpeedOfSound: Float = 343.3

  /// Sets the speed of sound and returns whether it was another one.
  mutating func setSpeedOfSound(_ speed: Float) -> Bool {
    defer { speedOfSound = speed }
    return speed != speedOfSound
  }
}
