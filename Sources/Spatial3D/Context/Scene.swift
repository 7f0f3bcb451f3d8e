/// What a game has set, and what of it the library has yet to be told.
///
/// The truth of every settable value is here, not in the library. Changes are handed over one by one, or while deferring
/// (``beginDeferring()``) kept until the last ``endDeferring()``. Pure: no call and no lock.
struct Scene: Sendable {
  private(set) var listener = Listener()
  private var listenerChanges: ListenerProperties = []
  private var listenerComplaints: ListenerProperties = []

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  /// Slots with changes, each at most once unless it was freed and taken again meanwhile.
  private var changedSlots: [Int] = []
  private var deferringDepth = 0

  /// One source's place in the table.
  private struct Slot {
    var id: UInt32
    var values = SourceValues()
    var changes: SourceProperties = []
    var complaints: SourceProperties = []
    var startClock: Int64 = -1
  }

  var isDeferring: Bool { deferringDepth > 0 }

  /// How many sources there are.
  var sourceCount: Int { slots.count - freeSlots.count }
}

// MARK: - Sources

extension Scene {
  /// Takes a place for a source, with everything at its default.
  mutating func addSource(id: UInt32) -> Int {
    guard let slot = freeSlots.popLast() else {
      slots.append(Slot(id: id))
      return slots.count - 1
    }
    slots[slot] = Slot(id: id)
    return slot
  }

  /// Gives a source's place back; what it had yet to hand over is dropped.
  mutating func removeSource(at slot: Int) {
    slots[slot].changes = []
    freeSlots.append(slot)
  }

  func values(at slot: Int) -> SourceValues { slots[slot].values }

  /// The library's clock when the source last started from its beginning.
  func startClock(at slot: Int) -> Int64 { slots[slot].startClock }

  mutating func setStartClock(_ clock: Int64, at slot: Int) { slots[slot].startClock = clock }

  /// Runs a closure on a source's values, which returns whether it changed the property, and returns the same.
  @inline(__always)
  mutating func change(_ property: SourceProperties, at slot: Int, _ body: (inout SourceValues) -> Bool) -> Bool {
    guard body(&slots[slot].values) else { return false }
    if slots[slot].changes.isEmpty { changedSlots.append(slot) }
    slots[slot].changes.insert(property)
    return true
  }

  /// Whether this is the first complaint about a property of a source.
  mutating func complain(about property: SourceProperties, at slot: Int) -> Bool {
    slots[slot].complaints.insert(property).inserted
  }
}

// MARK: - The listener

extension Scene {
  /// Takes over what is usable of a listener.
  ///
  /// Returns whether anything changed, and the parts to complain about that were never complained about before.
  mutating func setListener(_ newValue: Listener) -> (didChange: Bool, complaints: ListenerProperties) {
    let (changed, unusable) = listener.adopt(newValue)
    listenerChanges.formUnion(changed)
    let complaints = unusable.subtracting(listenerComplaints)
    listenerComplaints.formUnion(unusable)
    return (!changed.isEmpty, complaints)
  }
}

// MARK: - Handing over

extension Scene {
  mutating func beginDeferring() { deferringDepth += 1 }

  mutating func endDeferring() { deferringDepth -= 1 }

  /// Hands over the listener's changes, if there are any, and forgets them.
  mutating func takeListenerChanges() -> ListenerProperties? {
    guard !listenerChanges.isEmpty else { return nil }
    defer { listenerChanges = [] }
    return listenerChanges
  }

  /// Hands over one source's changes, if there are any, and forgets them.
  mutating func takeSourceChanges(at slot: Int, _ body: (UInt32, SourceValues, SourceProperties) -> Void) {
    guard !slots[slot].changes.isEmpty else { return }
    body(slots[slot].id, slots[slot].values, slots[slot].changes)
    slots[slot].changes = []
  }

  /// Hands over the changes of all sources, each source once, and forgets them.
  mutating func takeSourceChanges(_ body: (UInt32, SourceValues, SourceProperties) -> Void) {
    for slot in changedSlots {
      takeSourceChanges(at: slot, body)
    }
    changedSlots.removeAll(keepingCapacity: true)
  }
}
