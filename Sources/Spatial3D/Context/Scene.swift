/// What a game has set of a context: the truth, of which the library has a copy.
///
/// Setting tells whether there is something to hand over; handing over is others' work. Pure: no call and no lock.
struct Scene: Sendable {
  private(set) var listener = Listener()
  private(set) var distanceModel = DistanceModel.inverseClamped
  private(set) var dopplerFactor: Float = 1
  private(set) var speedOfSound: Float = 343.3
  private var listenerComplaints: ListenerProperties = []
  private var physicsComplaints: PhysicsProperties = []

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var lastGeneration: UInt64 = 0

  /// One source's place in the table.
  private struct Slot {
    var id: UInt32
    /// Tells a source from those that had its place before.
    var generation: UInt64
    var channelFactor: Float
    var isUsed = true
    var values = SourceValues()
    var complaints: SourceProperties = []
    var startClock: Int64 = -1
    var hasStartFrame = false
  }

  /// How many sources there are.
  var sourceCount: Int { slots.count - freeSlots.count }
}

// MARK: - Sources

extension Scene {
  /// Takes a place for a source, with everything at its default.
  mutating func addSource(id: UInt32, channelFactor: Float = 1) -> SourceKey {
    lastGeneration += 1
    let source = Slot(id: id, generation: lastGeneration, channelFactor: channelFactor)
    guard let slot = freeSlots.popLast() else {
      slots.append(source)
      return SourceKey(slot: slots.count - 1, generation: lastGeneration)
    }
    slots[slot] = source
    return SourceKey(slot: slot, generation: lastGeneration)
  }

  /// Gives a source's place back.
  mutating func removeSource(_ key: SourceKey) {
    slots[key.slot].isUsed = false
    slots[key.slot].generation = 0
    freeSlots.append(key.slot)
  }

  /// Sets what a source's gains are multiplied with while its sound is always placed; returns whether that is heard.
  mutating func setChannelFactor(_ factor: Float, of key: SourceKey) -> Bool {
    guard slots[key.slot].channelFactor != factor else { return false }
    slots[key.slot].channelFactor = factor
    return slots[key.slot].values.spatialization == .always
  }

  /// Runs a closure on a source's values.
  @inline(__always)
  func read<Value>(_ key: SourceKey, _ body: (SourceValues) -> Value) -> Value { body(slots[key.slot].values) }

  /// Runs a closure on a source's values, which returns whether it changed the property, and returns the same.
  @inline(__always)
  mutating func change(_ key: SourceKey, _ body: (inout SourceValues) -> Bool) -> Bool {
    body(&slots[key.slot].values)
  }

  /// Takes over some properties; returns those that differ, none where there is no such source any more.
  @inline(__always)
  mutating func adopt(
    _ properties: SourceProperties,
    of values: SourceValues,
    for key: SourceKey
  ) -> SourceProperties {
    guard slots[key.slot].generation == key.generation else { return [] }
    return slots[key.slot].values.adopt(properties, of: values)
  }

  /// Runs a closure with what the library is to be told of a source: its name, its values, and which of them.
  ///
  /// All gains are multiplied with the last on their way: it brings the sum of a sound's channels to their mean, where the
  /// sound is placed and the library does not.
  @inline(__always)
  func handOver(
    _ properties: SourceProperties,
    of key: SourceKey,
    _ body: (UInt32, SourceValues, SourceProperties, _ gainFactor: Float) -> Void
  ) {
    var properties = properties
    var gainFactor: Float = 1
    if slots[key.slot].channelFactor != 1 {
      if properties.contains(.spatialization) { properties.formUnion([.gain, .gainLimits]) }
      if slots[key.slot].values.spatialization == .always { gainFactor = slots[key.slot].channelFactor }
    }
    body(slots[key.slot].id, slots[key.slot].values, properties, gainFactor)
  }

  /// Whether this is the first complaint about a property of a source.
  mutating func complain(about property: SourceProperties, of key: SourceKey) -> Bool {
    slots[key.slot].complaints.insert(property).inserted
  }

  /// The library's clock when the source last started from its beginning.
  func startClock(of key: SourceKey) -> Int64 { slots[key.slot].startClock }

  /// Notes a start at a clock.
  ///
  /// A start at a frame that was asked for is none from the beginning.
  mutating func noteStart(at clock: Int64, of key: SourceKey) {
    slots[key.slot].startClock = slots[key.slot].hasStartFrame ? -1 : clock
    slots[key.slot].hasStartFrame = false
  }

  /// Notes that a source was moved to a frame: now, or at its next start where it does not play.
  mutating func noteSeek(of key: SourceKey, isHeld: Bool) {
    slots[key.slot].startClock = -1
    slots[key.slot].hasStartFrame = !isHeld
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
    return slots.indices
      .filter { slots[$0].isUsed && slots[$0].values.attenuation.model == nil }
      .map { SourceKey(slot: $0, generation: slots[$0].generation) }
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

  /// Sets the speed of sound and returns whether it was another one.
  mutating func setSpeedOfSound(_ speed: Float) -> Bool {
    defer { speedOfSound = speed }
    return speed != speedOfSound
  }
}
