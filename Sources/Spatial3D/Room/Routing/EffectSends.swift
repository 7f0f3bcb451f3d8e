/// The effects that a source feeds beside its room, in the form that the library needs.
///
/// Small and without references, apart from the array's memory.
struct EffectSends: Equatable, Sendable {
  struct Send: Equatable, Sendable {
    var slot: UInt32
    var level: Float
    var lowPass: Decibels

    /// Feeds nothing.
    static let none = Send(slot: 0, level: 0, lowPass: 0)
  }

  /// The sends at fixed indices; an unused one has level 0, to fade out.
  private(set) var sends: [Send] = []

  /// The number of indices up to the last one in use.
  private(set) var activeCount = 0

  /// Replaces the fed slots, each slot once; at most `limit` of them.
  ///
  /// A slot that is fed already keeps its index, unless the room would lose a send by it. A new slot gets an index that
  /// was silent, if there is one.
  mutating func set(_ wanted: [Send], limit: Int) {
    let before = sends
    for index in sends.indices { sends[index].level = 0 }
    var isTaken = sends.map { old in wanted.contains { $0.slot == old.slot } }
    for send in wanted {
      if let index = sends.firstIndex(where: { $0.slot == send.slot }) {
        sends[index] = send
        continue
      }
      let free = isTaken.indices.filter { !isTaken[$0] }
      let quiet = free.first { before[$0].level == 0 }
      if let index = quiet ?? (sends.count < limit ? nil : free.first) {
        sends[index] = send
        isTaken[index] = true
      } else if sends.count < limit {
        sends.append(send)
      }
    }
    func isFed(_ index: Int) -> Bool { wanted.contains { $0.slot == sends[index].slot } }
    // The room has two sends, or as many as `wanted` leaves: no effect may lie in the room's part.
    let end = max(limit - 2, wanted.count)
    for index in sends.indices.dropFirst(end) where isFed(index) {
      guard let free = (0..<end).first(where: { !isFed($0) }) else { break }
      sends[free] = sends[index]
      sends[index] = .none
    }
    activeCount = (sends.indices.last(where: isFed) ?? -1) + 1
  }

  /// Changes the send to a slot that is fed.
  mutating func change(_ send: Send) {
    if let index = sends.firstIndex(where: { $0.slot == send.slot }) { sends[index] = send }
  }

  /// Forgets a slot before its deletion.
  mutating func forget(_ slot: UInt32) {
    if let index = sends.firstIndex(where: { $0.slot == slot }) { sends[index] = .none }
  }
}
