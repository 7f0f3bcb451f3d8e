internal import AudioSupport
internal import Spatial3D

/// An event of an emitter, for a loop over the events of all.
public struct EmitterNotification: Hashable, Sendable {
  /// The identity of the emitter.
  public let emitter: Emitter.ID
  /// The event.
  public let event: EmitterEvent
}

extension AudioWorld {
  /// Moves the events of all emitters since the last call into an array, in their order, for the thread of the game.
  ///
  /// The first call begins the collection, and returns none; from then on the world keeps all events until the next
  /// call. The array keeps its memory.
  public func takeEvents(into events: inout [EmitterNotification]) {
    let physics = context.physics
    state.withLock { state in
      state.adopt(physics)
      state.takeEvents(into: &events)
    }
  }
}

extension WorldState {
  /// Hands an event to the emitter's observers, and to those who take all events.
  ///
  /// The observers receive an event that is deferred at the next tick.
  mutating func post(_ event: EmitterEvent, of slot: EmitterSlot, isDeferred: Bool = false) {
    // A player has events of its own.
    guard !emitters[slot].isPlayer else { return }
    log.record(event, of: emitters[slot].generation)
    let id = emitters.id(of: slot)
    outbox.collect(EmitterNotification(emitter: id, event: event))
    guard emitters[slot].hasRareSettings else { return }
    outbox.announce(event, of: id, to: &emitters[rare: slot].observers, isDeferred: isDeferred)
  }

  /// Posts the end of what an emitter plays.
  ///
  /// The end of a sound that no tick has found playing is deferred, and so is an end by a failure or a limit. A handler
  /// that plays again on each end would call for ever within one call, or take a whole core on an output.
  mutating func postEnd(_ reason: EmitterEvent.Reason, of slot: EmitterSlot) {
    // A player has ends of its own.
    guard !emitters[slot].isPlayer else { return }
    let isDeferred =
      switch reason {
      case .played: false
      case .stopped, .stolen: emitters[slot].began >= time.lastTick
      case .refused, .failed: true
      }
    noteDeferred(reason, of: slot, isDeferred: isDeferred)
    post(.ended(reason), of: slot, isDeferred: isDeferred)
  }

  /// Keeps an end that is deferred, for a task that begins to wait before the next tick.
  ///
  /// Observers receive a later end of the same round behind it, at that tick too.
  mutating func noteDeferred(_ reason: EmitterEvent.Reason, of slot: EmitterSlot, isDeferred: Bool) {
    guard isDeferred || deferredEnd(of: slot) != nil else { return }
    let end = DeferredEnd(reason: reason, round: outbox.round)
    emitters.store(slot) { $0.deferredEnd = end }
  }

  /// The reason of the end that the next tick delivers; `nil` for none.
  private func deferredEnd(of slot: EmitterSlot) -> EmitterEvent.Reason? {
    guard let end = emitters[slot].deferredEnd, end.round == outbox.round else { return nil }
    return end.reason
  }

  /// Posts the end that the next tick delivers to one more subscription; returns `false` if there is none.
  ///
  /// The subscription receives no other event.
  mutating func postDeferredEnd(of slot: EmitterSlot, to subscription: Subscription<EmitterEvent>) -> Bool {
    guard let reason = deferredEnd(of: slot) else { return false }
    var observers = Observers<EmitterEvent>()
    observers.add(subscription)
    outbox.announce(EmitterEvent.ended(reason), of: emitters.id(of: slot), to: &observers, isDeferred: true)
    return true
  }

  /// Posts the events that are due to their observers.
  mutating func postAnnouncements() {
    for id in outbox.post() {
      outbox.report(
        .eventsLost(of: emitters.has(id) ? ownerInWords(of: id.slot) : "a released emitter or player")
      )
    }
  }

  mutating func subscribe(_ subscription: Subscription<EmitterEvent>, to slot: EmitterSlot) {
    // The laps until now are for those who collect all events.
    postLaps(of: slot)
    emitters.changeRare(slot) { $0.observers.add(subscription) }
    emitters.setObserved(true, slot)
    let laps = Int32(clamping: emitters[slot].clock.laps(at: now))
    emitters.store(slot) { $0.laps = laps }
  }

  mutating func unsubscribe(_ subscription: Subscription<EmitterEvent>, from id: Emitter.ID) {
    // A task that waits for the next tick alone is no observer.
    guard emitters.has(id), emitters[id.slot].hasRareSettings else { return }
    let slot = id.slot
    emitters.changeRare(slot) { $0.observers.remove(subscription) }
    if emitters[rare: slot].observers.isEmpty { emitters.setObserved(false, slot) }
  }

  /// Posts the laps of an emitter since the last call.
  mutating func postLaps(of slot: EmitterSlot) {
    guard emitters[slot].isSounding else { return }
    let laps = Int32(clamping: emitters[slot].clock.laps(at: now))
    let count = laps - emitters[slot].laps
    guard count > 0 else { return }
    emitters.store(slot) { $0.laps = laps }
    post(.looped(Int(count)), of: slot)
  }

  /// Moves the collected events into a caller's array, whose memory is used for the next events.
  mutating func takeEvents(into events: inout [EmitterNotification]) {
    events.removeAll(keepingCapacity: true)
    // The laps until the first call are for the observers alone.
    for slot in emitters.indices where emitters[slot].isSounding { postLaps(of: slot) }
    outbox.takeEvents(into: &events)
  }
}
