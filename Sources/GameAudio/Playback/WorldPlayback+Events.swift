internal import PCM
internal import Spatial3D

// The events and the reports of emitters and players.

extension WorldPlayback {
  /// Hands an event to the player's observers; an event that is deferred, at the next tick.
  mutating func post(_ event: PlayerEvent, ofPlayer slot: EmitterSlot, isDeferred: Bool = false) {
    guard let player = scene.emitters[slot].player else { return }
    log.record(event, of: scene.emitters[slot].generation)
    outbox.announce(
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
      noteDeferred(reason, of: slot, isDeferred: isDeferred)
      outbox.announce(
        EmitterEvent.ended(reason),
        of: scene.emitters.id(of: slot),
        to: &scene.players[player].ends,
        isDeferred: isDeferred
      )
    }
    guard reason != .stopped else { return }
    post(.finished(successfully: reason == .played), ofPlayer: slot, isDeferred: isDeferred)
  }

  /// Reports a fault of an emitter or a player with the next work that the world carries out.
  mutating func report(_ fault: ValueFault, ofSlot slot: EmitterSlot) {
    if let diagnostic = firstReport(of: fault, slot) { outbox.report(diagnostic) }
  }

  /// The report of a fault of an emitter or a player; `nil` for a fault that was reported.
  mutating func firstReport(of fault: ValueFault, _ slot: EmitterSlot) -> Diagnostic? {
    let owner: FaultOwner = !scene.emitters[slot].isPlayer ? .emitters : .players
    guard outbox.isNew(.fault(fault, of: owner)) else { return nil }
    return .notTaken(fault, of: scene.ownerInWords(of: slot))
  }

  /// Hands an event to the emitter's observers, and to those who take all events.
  ///
  /// The observers receive an event that is deferred at the next tick.
  mutating func post(_ event: EmitterEvent, of slot: EmitterSlot, isDeferred: Bool = false) {
    // A player has events of its own.
    guard !scene.emitters[slot].isPlayer else { return }
    log.record(event, of: scene.emitters[slot].generation)
    let id = scene.emitters.id(of: slot)
    outbox.collect(event, of: id)
    guard scene.emitters[slot].hasRareSettings else { return }
    outbox.announce(event, of: id, to: &scene.emitters[rare: slot].observers, isDeferred: isDeferred)
  }

  /// Posts the end of what an emitter plays.
  ///
  /// The end of a sound that no tick has found playing is deferred, and so is an end by a failure or a limit. A handler
  /// that plays again on each end would call for ever within one call, or take a whole core on an output.
  mutating func postEnd(_ reason: EmitterEvent.Reason, of slot: EmitterSlot) {
    // A player has ends of its own.
    guard !scene.emitters[slot].isPlayer else { return }
    let isDeferred =
      switch reason {
      case .played: false
      case .stopped, .stolen: scene.emitters[slot].began >= scene.time.lastTick
      case .refused, .failed: true
      }
    noteDeferred(reason, of: slot, isDeferred: isDeferred)
    post(.ended(reason), of: slot, isDeferred: isDeferred)
  }

  /// Keeps an end that is deferred, for a task that begins to wait before the next tick.
  ///
  /// Observers receive a later end of the same round behind it, at that tick too.
  private mutating func noteDeferred(_ reason: EmitterEvent.Reason, of slot: EmitterSlot, isDeferred: Bool) {
    guard isDeferred || deferredEnd(of: slot) != nil else { return }
    let end = DeferredEnd(reason: reason, round: outbox.round)
    scene.emitters.store(slot) { $0.deferredEnd = end }
  }

  /// The reason of the end that the next tick delivers; `nil` for none.
  func deferredEnd(of slot: EmitterSlot) -> EmitterEvent.Reason? {
    guard let end = scene.emitters[slot].deferredEnd, end.round == outbox.round else { return nil }
    return end.reason
  }

  /// Posts the end that the next tick delivers to one more subscription; returns `false` if there is none.
  ///
  /// The subscription receives no other event.
  mutating func postDeferredEnd(of slot: EmitterSlot, to subscription: Subscription<EmitterEvent>) -> Bool {
    guard let reason = deferredEnd(of: slot) else { return false }
    var observers = Observers<EmitterEvent>()
    observers.add(subscription)
    outbox.announce(EmitterEvent.ended(reason), of: scene.emitters.id(of: slot), to: &observers, isDeferred: true)
    return true
  }

  /// Posts the events that are due to their observers.
  mutating func postAnnouncements() {
    for id in outbox.post() {
      outbox.report(
        .eventsLost(of: scene.emitters.has(id) ? scene.ownerInWords(of: id.slot) : "a released emitter or player")
      )
    }
  }

  mutating func subscribe(_ subscription: Subscription<EmitterEvent>, to slot: EmitterSlot) {
    // The laps until now are for those who collect all events.
    postLaps(of: slot)
    scene.emitters.changeRare(slot) { $0.observers.add(subscription) }
    scene.emitters.setObserved(true, slot)
    let laps = Int32(clamping: scene.emitters[slot].clock.laps(at: now))
    scene.emitters.store(slot) { $0.laps = laps }
  }

  mutating func unsubscribe(_ subscription: Subscription<EmitterEvent>, from id: EmitterKey) {
    // A task that waits for the next tick alone is no observer.
    guard scene.emitters.has(id), scene.emitters[id.slot].hasRareSettings else { return }
    let slot = id.slot
    scene.emitters.changeRare(slot) { $0.observers.remove(subscription) }
    if scene.emitters[rare: slot].observers.isEmpty { scene.emitters.setObserved(false, slot) }
  }

  /// Posts the laps of an emitter since the last call.
  mutating func postLaps(of slot: EmitterSlot) {
    guard scene.emitters[slot].isSounding else { return }
    let laps = Int32(clamping: scene.emitters[slot].clock.laps(at: now))
    let count = laps - scene.emitters[slot].laps
    guard count > 0 else { return }
    scene.emitters.store(slot) { $0.laps = laps }
    post(.looped(Int(count)), of: slot)
  }

  /// Moves the collected events out, in their order.
  mutating func takeEvents(_ body: (EmitterKey, EmitterEvent) -> Void) {
    // The laps until the first call are for the observers alone.
    for slot in scene.emitters.indices where scene.emitters[slot].isSounding { postLaps(of: slot) }
    outbox.takeEvents(body)
  }
}
