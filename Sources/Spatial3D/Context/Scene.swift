/// What a game has set, and what of it the library has yet to be told.
///
/// The truth of every settable value is here, not in the library. A change is handed over at once, or at the end of its
/// thread's ``Batch``. Pure: no call and no lock.
struct Scene: Sendable {
  private(set) var listener = Listener()
  private(set) var distanceModel = DistanceModel.inverseClamped
  private(set) var dopplerFactor: Float = 1
  private(set) var speedOfSound: Float = 343.3
  private var listenerComplaints: ListenerProperties = []

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []

  /// One for each thread that defers; rarely more than one.
  private var batches: [Batch] = []
  private var lastBatch: UInt = 0
  /// The memory of an ended batch, for the next.
  private var spareSlots: [Int] = []

  /// One source's place in the table.
  private struct Slot {
    var id: UInt32
    var channelFactor: Float
    var isUsed = true
    var values = SourceValues()
    /// What was deferred and not handed over.
    var changes: SourceProperties = []
    /// The batch that listed the slot last; 0 for none.
    var batch: UInt = 0
    var complaints: SourceProperties = []
    var startClock: Int64 = -1
  }

  /// How many sources there are.
  var sourceCount: Int { slots.count - freeSlots.count }
}

// MARK: - Sources

extension Scene {
  /// Takes a place for a source, with everything at its default.
  mutating func addSource(id: UInt32, channelFactor: Float = 1) -> Int {
    let source = Slot(id: id, channelFactor: channelFactor)
    guard let slot = freeSlots.popLast() else {
      slots.append(source)
      return slots.count - 1
    }
    slots[slot] = source
    return slot
  }

  /// Gives a source's place back; what it had yet to hand over is dropped.
  mutating func removeSource(at slot: Int) {
    slots[slot].changes = []
    slots[slot].isUsed = false
    freeSlots.append(slot)
  }

  /// Sets what a source's gains are multiplied with while its sound is always placed; returns whether that is heard.
  mutating func setChannelFactor(_ factor: Float, at slot: Int) -> Bool {
    guard slots[slot].channelFactor != factor else { return false }
    slots[slot].channelFactor = factor
    return slots[slot].values.spatialization == .always
  }

  /// Runs a closure on a source's values.
  @inline(__always)
  func read<Value>(at slot: Int, _ body: (SourceValues) -> Value) -> Value { body(slots[slot].values) }

  /// The library's clock when the source last started from its beginning.
  func startClock(at slot: Int) -> Int64 { slots[slot].startClock }

  mutating func setStartClock(_ clock: Int64, at slot: Int) { slots[slot].startClock = clock }

  /// Runs a closure on a source's values, which returns whether it changed the property.
  ///
  /// Returns whether the property is to be handed over now.
  @inline(__always)
  mutating func change(
    _ property: SourceProperties,
    at slot: Int,
    on thread: UInt,
    _ body: (inout SourceValues) -> Bool
  ) -> Bool {
    // A value that another thread deferred is not in the library yet: setting it again is a change.
    guard body(&slots[slot].values) || slots[slot].changes.contains(property) else { return false }
    guard let batch = batchIndex(of: thread) else { return true }
    slots[slot].changes.insert(property)
    if slots[slot].batch != batches[batch].number {
      slots[slot].batch = batches[batch].number
      batches[batch].slots.append(slot)
    }
    return false
  }

  /// Whether this is the first complaint about a property of a source.
  mutating func complain(about property: SourceProperties, at slot: Int) -> Bool {
    slots[slot].complaints.insert(property).inserted
  }

  /// What a source has yet to hand over; forgets it.
  mutating func takeChanges(at slot: Int) -> SourceChange? {
    guard !slots[slot].changes.isEmpty else { return nil }
    defer { slots[slot].changes = [] }
    return change(slots[slot].changes, at: slot)
  }

  /// Properties of a source, to be handed over with their values.
  func change(_ properties: SourceProperties, at slot: Int) -> SourceChange {
    let source = slots[slot]
    var properties = properties
    if properties.contains(.spatialization), source.channelFactor != 1 { properties.formUnion([.gain, .gainLimits]) }
    return SourceChange(
      id: source.id,
      values: source.values,
      properties: properties,
      distanceModel: source.values.attenuation.model ?? distanceModel,
      channelFactor: source.channelFactor
    )
  }
}

// MARK: - The whole scene

extension Scene {
  /// Sets the model of all sources without one of their own; returns where they are.
  mutating func setDistanceModel(_ model: DistanceModel) -> [Int] {
    guard model != distanceModel else { return [] }
    distanceModel = model
    return slots.indices.filter { slots[$0].isUsed && slots[$0].values.attenuation.model == nil }
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

// MARK: - The listener

extension Scene {
  /// Takes over what is usable of a listener.
  ///
  /// Returns the parts to hand over now, and the parts to complain about that were never complained about before.
  mutating func setListener(
    _ newValue: Listener,
    on thread: UInt
  ) -> (changes: ListenerProperties, complaints: ListenerProperties) {
    let (changed, unusable) = listener.adopt(newValue)
    let complaints = unusable.subtracting(listenerComplaints)
    listenerComplaints.formUnion(unusable)
    guard let batch = batchIndex(of: thread) else { return (changed, complaints) }
    batches[batch].listenerChanges.formUnion(changed)
    return ([], complaints)
  }

  /// What a thread has yet to hand over of the listener; forgets it.
  mutating func takeListenerChanges(on thread: UInt) -> ListenerProperties {
    guard let batch = batchIndex(of: thread) else { return [] }
    defer { batches[batch].listenerChanges = [] }
    return batches[batch].listenerChanges
  }
}

// MARK: - Deferring

extension Scene {
  /// What one thread changes between its outermost ``Scene/beginDeferring(on:)`` and the end of it.
  struct Batch: Sendable {
    fileprivate let thread: UInt
    fileprivate let number: UInt
    fileprivate var depth = 1
    /// Slots with changes. One may stand here twice where threads change a source in turns.
    fileprivate(set) var slots: [Int]
    fileprivate(set) var listenerChanges: ListenerProperties = []
  }

  @inline(__always)
  private func batchIndex(of thread: UInt) -> Int? {
    batches.isEmpty ? nil : batches.firstIndex { $0.thread == thread }
  }

  mutating func beginDeferring(on thread: UInt) {
    if let batch = batchIndex(of: thread) {
      batches[batch].depth += 1
    } else {
      lastBatch += 1
      batches.append(Batch(thread: thread, number: lastBatch, slots: spareSlots))
      spareSlots = []
    }
  }

  /// Ends the innermost call of a thread; returns its batch where that was the outermost, to be handed over.
  mutating func endDeferring(on thread: UInt) -> Batch? {
    guard let batch = batchIndex(of: thread) else { return nil }
    batches[batch].depth -= 1
    return batches[batch].depth == 0 ? batches.remove(at: batch) : nil
  }

  /// Keeps the memory of a batch that was handed over.
  mutating func recycle(_ batch: consuming Batch) {
    spareSlots = batch.slots
    spareSlots.removeAll(keepingCapacity: true)
  }
}
