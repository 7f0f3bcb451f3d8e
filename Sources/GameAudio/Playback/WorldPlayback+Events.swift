internal import Spatial3D

// The events of emitters and players, for the recordings and for the event queue.

extension WorldPlayback {
  /// Records an event of an emitter, and appends it to the event queue.
  mutating func post(_ event: EmitterEvent, of slot: EmitterSlot) {
    // A player has events of its own.
    guard !scene.emitters[slot].isPlayer else { return }
    log.record(event, of: scene.emitters[slot].generation)
    outbox.events.append(event, of: slot, in: &scene.emitters, lastTick: scene.time.lastTick)
  }

  /// Posts the laps of an emitter since the last call.
  mutating func postLaps(of slot: EmitterSlot) {
    if let count = scene.emitters.takeLaps(of: slot, at: now) { post(.looped(count), of: slot) }
  }

  /// Records an event of a player, and appends it to the event queue; a deferred event waits for the next tick.
  mutating func post(_ event: PlayerEvent, ofPlayer slot: EmitterSlot, isDeferred: Bool = false) {
    guard let player = scene.emitters[slot].player else { return }
    log.record(event, of: scene.emitters[slot].generation)
    outbox.events.append(
      event,
      of: scene.emitters.id(of: slot),
      to: &scene.players[player].observers,
      isDeferred: isDeferred
    )
  }

  /// Posts the end of a player to the tasks that wait for it, and as an event, unless a call has stopped the player.
  ///
  /// A player that waits for a sound goes on with the sound, also if a limit refuses a start meanwhile: its tasks wait
  /// on.
  mutating func postEnd(_ reason: EmitterEvent.Reason, ofPlayer slot: EmitterSlot, isDeferred: Bool) {
    guard let player = scene.emitters[slot].player else { return }
    if scene.players[player].playlist?.awaitsOpening != true {
      outbox.events.append(
        reason,
        ofPlayer: slot,
        in: &scene.emitters,
        to: &scene.players[player].ends,
        isDeferred: isDeferred
      )
    }
    guard reason != .stopped else { return }
    post(.finished(successfully: reason == .played), ofPlayer: slot, isDeferred: isDeferred)
  }

  /// Exchanges the collected events for an empty list.
  mutating func takeEvents(into events: inout [EmitterNotification]) {
    // The laps until the first call are for the observers alone.
    for slot in scene.emitters.indices { postLaps(of: slot) }
    outbox.events.takeEvents(into: &events)
  }

  /// The report of a fault of an emitter or a player; `nil` for a fault that was reported.
  mutating func firstReport(of fault: ValueFault, _ slot: EmitterSlot) -> Diagnostic? {
    let owner: FaultOwner = !scene.emitters[slot].isPlayer ? .emitters : .players
    guard outbox.isNew(.fault(fault, of: owner)) else { return nil }
    return .notTaken(fault, of: scene.ownerInWords(of: slot))
  }
}
