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
  /// The next tick lowers the others: a beginning costs the same with one copy and with thousands. A start that lies
  /// ahead counts from the tick before it.
  mutating func compensate(_ slot: EmitterSlot) {
    let identity = sounds[Int(emitters[slot].sound)].identity
    let (order, frame) = (emitters[slot].order, max(emitters[slot].began, now))
    let beginning = Beginning(slot: Int32(slot), order: order, identity: identity, frame: frame)
    if frame > now + AudioWorld.tick { copies.planned.append(beginning) } else { join(beginning) }
  }

  /// Counts a beginning, and lowers its emitter.
  private mutating func join(_ beginning: Beginning) {
    forgetBeginnings()
    // The list is in the order of the frames.
    let index = copies.beginnings.lastIndex { $0.frame <= beginning.frame }.map { $0 + 1 } ?? 0
    copies.beginnings.insert(beginning, at: index)
    sounds.change(playsOf: beginning.identity) { $0.recent += 1 }
    let crowd = crowd(of: beginning.identity)
    modify(Int(beginning.slot)) { $0.crowd = crowd }
    copies.isLarger = true
  }

  /// Counts the starts that lie ahead no more; the starts of emitters that were stopped meanwhile are dropped.
  private mutating func joinPlanned() {
    guard !copies.planned.isEmpty else { return }
    let limit = now + AudioWorld.tick
    let due = copies.planned.filter { $0.frame <= limit }
    guard !due.isEmpty else { return }
    copies.planned.removeAll { $0.frame <= limit }
    for beginning in due {
      let slot = Int(beginning.slot)
      guard emitters[slot].isUsed, emitters[slot].order == beginning.order,
        emitters[slot].isSounding
      else { continue }
      join(beginning)
    }
  }

  /// Lowers the copies to which others have come since the last tick.
  mutating func stepCrowds() {
    joinPlanned()
    guard copies.isLarger else { return forgetBeginnings() }
    copies.isLarger = false
    for beginning in copies.beginnings {
      let slot = Int(beginning.slot)
      guard emitters[slot].isUsed, emitters[slot].order == beginning.order else { continue }
      let crowd = crowd(of: beginning.identity)
      guard crowd < emitters[slot].crowd else { continue }
      modify(slot) { $0.crowd = crowd }
    }
    forgetBeginnings()
  }

  private func crowd(of identity: Int) -> Float { 1 / Float(max(sounds.plays(of: identity).recent, 1)).squareRoot() }

  private mutating func forgetBeginnings() {
    let first = now - frames(ofMilliseconds: 50)
    guard let oldest = copies.beginnings.first, oldest.frame < first else { return }
    let count = copies.beginnings.firstIndex { $0.frame >= first } ?? copies.beginnings.count
    for beginning in copies.beginnings[..<count] { sounds.change(playsOf: beginning.identity) { $0.recent -= 1 } }
    copies.beginnings.removeFirst(count)
  }
}
