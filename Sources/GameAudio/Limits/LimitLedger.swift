/// The emitters that limits keep virtual until there is room.
struct LimitLedger: Sendable {
  /// An emitter that waits for room, with the order of its beginning.
  struct Waiting: Sendable {
    let slot: EmitterSlot
    let order: UInt32
  }

  /// The emitters in the order in which limits have made them virtual.
  private(set) var waiting: [Waiting] = []
  /// Whether an emitter in the list may have a voice now, or has ended.
  private(set) var hasRoom = false

  mutating func append(_ slot: EmitterSlot, order: UInt32) { waiting.append(Waiting(slot: slot, order: order)) }

  /// Lets the next tick look for emitters for which the limits have room.
  mutating func setHasRoom() { hasRoom = !waiting.isEmpty }

  /// Takes the list, if there may be room for an emitter in it.
  ///
  /// The caller returns the emitters that wait on by ``putBack(_:)``.
  mutating func takeWaiting() -> [Waiting]? {
    guard hasRoom else { return nil }
    hasRoom = false
    defer { waiting = [] }
    return waiting
  }

  mutating func putBack(_ waiting: [Waiting]) { self.waiting = waiting }
}
