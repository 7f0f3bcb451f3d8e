internal import Spatial3D

// The compensation of the loudness of copies that begin together.

extension WorldState {
  /// A beginning of an emitter whose loudness is compensated.
  struct Beginning: Sendable {
    let slot: Int32
    let order: UInt32
    let identity: Int
    var frame: Int
  }

  /// Lowers an emitter that begins by the number of copies that have begun in the last 50 ms.
  ///
  /// The next tick lowers the others: a beginning costs the same with one copy and with thousands.
  mutating func compensate(_ slot: Int) {
    guard records[slot].began <= now else { return }
    forgetBeginnings()
    let identity = sounds[Int(records[slot].sound)].identity
    beginnings.append(Beginning(slot: Int32(slot), order: records[slot].order, identity: identity, frame: now))
    sounds.change(playsOf: identity) { $0.recent += 1 }
    records[slot].crowd = crowd(of: identity)
    isCrowdLarger = true
  }

  /// Lowers the copies to which others have come since the last tick.
  mutating func stepCrowds() {
    guard isCrowdLarger else { return forgetBeginnings() }
    isCrowdLarger = false
    for beginning in beginnings {
      let slot = Int(beginning.slot)
      guard records[slot].isUsed, records[slot].order == beginning.order else { continue }
      let crowd = crowd(of: beginning.identity)
      guard crowd < records[slot].crowd else { continue }
      records[slot].crowd = crowd
      updateWeight(of: slot)
    }
    forgetBeginnings()
  }

  private func crowd(of identity: Int) -> Float { 1 / Float(max(sounds.plays(of: identity).recent, 1)).squareRoot() }

  private mutating func forgetBeginnings() {
    let first = now - frames(ofMilliseconds: 50)
    guard let oldest = beginnings.first, oldest.frame < first else { return }
    let count = beginnings.firstIndex { $0.frame >= first } ?? beginnings.count
    for beginning in beginnings[..<count] { sounds.change(playsOf: beginning.identity) { $0.recent -= 1 } }
    beginnings.removeFirst(count)
  }
}
