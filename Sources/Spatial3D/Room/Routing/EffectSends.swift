/// The effects that a source feeds beside its room, as the library has to know them.
///
/// Small and without references, apart from the array's memory.
struct EffectSends: Equatable, Sendable {
  struct Send: Equatable, Sendable {
    var slot: UInt32
    var level: Float
    var muffling: Decibels

    /// Feeds nothing.
    static let none = Send(slot: 0, level: 0, muffling: 0)
  }

  /// Each at a place that it keeps; those that were left are at level 0, so that they fade.
  private(set) var sends: [Send] = []

  /// How many places there are up to the last that is fed.
  private(set) var activeCount = 0

  /// Feeds some slots, each of them once, from now on and no others; at most as many as there are places.
  ///
  /// A slot that is fed already keeps its place, unless the room would lose a send by it. Another gets one that has been quiet, if
  /// there is one.
  mutating func set(_ wanted: [Send], limit: Int) {
    let before = sends
    for index in sends.indices { sends[index].level = 0 }
    var isTaken = sends.map { old in wanted.contains { $0.slot == old.slot } }
    for send in wanted {
      if let place = sends.firstIndex(where: { $0.slot == send.slot }) {
        sends[place] = send
        continue
      }
      let free = isTaken.indices.filter { !isTaken[$0] }
      let quiet = free.first { before[$0].level == 0 }
      if let place = quiet ?? (sends.count < limit ? nil : free.first) {
        sends[place] = send
        isTaken[place] = true
      } else if sends.count < limit {
        sends.append(send)
      }
    }
    func isFed(_ place: Int) -> Bool { wanted.contains { $0.slot == sends[place].slot } }
    // The room has two sends, or what as many effects leave of them: none of those may lie in its part.
    let end = max(limit - 2, wanted.count)
    for place in sends.indices.dropFirst(end) where isFed(place) {
      guard let free = (0..<end).first(where: { !isFed($0) }) else { break }
      sends[free] = sends[place]
      sends[place] = .none
    }
    activeCount = (sends.indices.last(where: isFed) ?? -1) + 1
  }

  /// Forgets a slot that is about to go; returns whether it was known.
  mutating func forget(_ slot: UInt32) -> Bool {
    guard let place = sends.firstIndex(where: { $0.slot == slot }) else { return false }
    sends[place] = .none
    return true
  }
}
