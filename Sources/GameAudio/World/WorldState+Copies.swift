internal import Spatial3D

// The compensation of the loudness of copies that begin together.

extension WorldState {
  /// The frame from which on a beginning counts for the copies that begin now.
  private var firstCopyFrame: Int { now - frames(ofMilliseconds: 50) }

  /// Lowers an emitter that begins by the number of copies that have begun in the last 50 ms.
  mutating func compensate(_ slot: EmitterSlot) {
    let beginning = CopyCompensation.Beginning(
      slot: slot,
      order: emitters[slot].order,
      identity: sounds[Int(emitters[slot].sound)].identity,
      frame: max(emitters[slot].began, now)
    )
    if beginning.frame > now + AudioWorld.tick { copies.plan(beginning) } else { count(beginning) }
  }

  private mutating func count(_ beginning: CopyCompensation.Beginning) {
    let gain = copies.count(beginning, forgettingBefore: firstCopyFrame, in: &sounds)
    modify(beginning.slot) { $0.copyGain = gain }
  }

  /// Lowers the copies to which others have come since the last tick.
  ///
  /// The planned starts of emitters that were stopped meanwhile are dropped.
  mutating func stepCopies() {
    for beginning in copies.takePlanned(upTo: now + AudioWorld.tick)
    where isCurrent(beginning) && emitters[beginning.slot].isSounding { count(beginning) }
    if copies.takeHasNew() {
      for beginning in copies.beginnings where isCurrent(beginning) {
        let gain = CopyCompensation.gain(of: beginning.identity, in: sounds)
        if gain < emitters[beginning.slot].copyGain { modify(beginning.slot) { $0.copyGain = gain } }
      }
    }
    copies.forget(before: firstCopyFrame, in: &sounds)
  }

  /// Whether the emitter has not begun again, and still has its slot.
  private func isCurrent(_ beginning: CopyCompensation.Beginning) -> Bool {
    emitters[beginning.slot].isUsed && emitters[beginning.slot].order == beginning.order
  }
}
