internal import Spatial3D

/// An event of an emitter, for a loop over the events of all.
public struct EmitterNotification: Hashable, Sendable {
  /// The identity of the emitter.
  public let emitter: Emitter.ID
  /// The event.
  public let event: EmitterEvent
}

extension WorldState {
  /// Hands an event to the emitter's observers, and to those who take all events.
  mutating func post(_ event: EmitterEvent, of slot: Int) {
    // A player has events of its own.
    guard records[slot].deck < 0 else { return }
    noteEvent(event, of: slot)
    let id = id(of: slot)
    collected?.append(EmitterNotification(emitter: id, event: event))
    let index = Int(records[slot].rare)
    guard index >= 0 else { return }
    for subscription in rare[index].subscriptions { subscription.post(event, in: context) }
  }

  func id(of slot: Int) -> Emitter.ID { Emitter.ID(slot: Int32(slot), generation: records[slot].generation) }

  mutating func subscribe(_ subscription: Subscription<EmitterEvent>, to slot: Int) {
    // The laps until now are for those who collect all events.
    postLaps(of: slot)
    changeRare(slot) { $0.subscriptions.append(subscription) }
    observed.insert(Int32(slot))
    records[slot].laps = Int32(clamping: records[slot].clock.laps(at: now))
  }

  mutating func unsubscribe(_ subscription: Subscription<EmitterEvent>, from id: Emitter.ID) {
    guard has(id) else { return }
    let slot = Int(id.slot)
    changeRare(slot) { $0.subscriptions.removeAll { $0 === subscription } }
    if rare[Int(records[slot].rare)].subscriptions.isEmpty { observed.remove(id.slot) }
  }

  /// Posts the laps of an emitter since the last call.
  mutating func postLaps(of slot: Int) {
    guard records[slot].isSounding else { return }
    let laps = Int32(clamping: records[slot].clock.laps(at: now))
    let count = laps - records[slot].laps
    guard count > 0 else { return }
    records[slot].laps = laps
    post(.looped(Int(count)), of: slot)
  }

  /// Moves the collected events into a caller's array, whose memory is used for the next ones.
  mutating func takeEvents(into events: inout [EmitterNotification]) {
    events.removeAll(keepingCapacity: true)
    // The laps until the first call are for the observers alone.
    for slot in records.indices where records[slot].isSounding { postLaps(of: slot) }
    guard var taken = collected else {
      collected = []
      return
    }
    collected = nil
    swap(&taken, &events)
    collected = taken
  }
}
