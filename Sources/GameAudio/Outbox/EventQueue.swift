internal import Spatial3D

/// The events of a world that its observers have still to receive, in order.
///
/// The calls append them under the world's lock. The world posts them when no call has a command left: a handler that
/// ran between two commands of a call would change values that the second one still reads, while a recording has the
/// change behind the call. An event that is deferred waits for the next tick besides.
struct EventQueue: Sendable {
  /// An event, or the end of all events, of one emitter or player.
  private struct Entry: Sendable {
    let emitter: EmitterKey
    /// Posts it to those who observed at its time; returns whether a sequence has lost its first event by it.
    let post: @Sendable (AudioContext) -> Bool
  }

  private var due: [Entry] = []
  private var deferred: [Entry] = []
  /// The number of ticks, in four bytes: it begins again after more than a year.
  private(set) var round: UInt32 = 0
  /// The events for ``AudioWorld/takeEvents(into:)``; `nil` before its first call.
  private(set) var collected: [EmitterNotification]?

  /// Whether there is something to post before the next tick, and at it.
  var isDue: Bool { !due.isEmpty }
  var needsTick: Bool { !deferred.isEmpty }

  /// Appends an event for the present observers; a deferred event waits for the next tick, and all later events wait
  /// behind it.
  mutating func append<Value>(
    _ event: Value,
    of emitter: EmitterKey,
    to observers: inout Observers<Value>,
    isDeferred: Bool
  ) {
    guard !observers.isEmpty else { return }
    if isDeferred { observers.waitForTick(after: round) }
    let subscriptions = observers.subscriptions
    append(
      Entry(emitter: emitter) { context in
        subscriptions.reduce(false) { $1.post(event, in: context) || $0 }
      },
      waits: observers.waitsForTick(after: round)
    )
  }

  /// Ends the events of an emitter or player, behind the events that are left.
  mutating func appendEnd<Value>(of emitter: EmitterKey, to observers: Observers<Value>) {
    guard !observers.isEmpty else { return }
    let subscriptions = observers.subscriptions
    append(
      Entry(emitter: emitter) { context in
        for subscription in subscriptions { subscription.finish(in: context) }
        return false
      },
      waits: observers.waitsForTick(after: round)
    )
  }

  private mutating func append(_ entry: Entry, waits: Bool) {
    if waits { deferred.append(entry) } else { due.append(entry) }
  }

  /// Makes the deferred events due: a tick has come.
  mutating func beginRound() {
    round &+= 1
    due += deferred
    deferred.removeAll(keepingCapacity: true)
  }

  /// Posts what is due; returns the emitters and players of which a sequence has lost its first event.
  mutating func post(in context: AudioContext) -> [EmitterKey] {
    guard isDue else { return [] }
    var losers: [EmitterKey] = []
    for entry in due where entry.post(context) { losers.append(entry.emitter) }
    due.removeAll(keepingCapacity: true)
    return losers
  }

  /// Exchanges the collected events for the memory of a list; the first call begins the collection.
  mutating func takeEvents(into events: inout [EmitterNotification]) {
    events.removeAll(keepingCapacity: true)
    guard var taken = collected else {
      collected = []
      return
    }
    collected = nil
    swap(&taken, &events)
    collected = taken
  }
}

// MARK: - Emitters and players

extension EventQueue {
  /// Appends an event of an emitter for its observers, and for a game that collects the events of all.
  ///
  /// The end of a sound that no tick has found playing is deferred, and so is an end by a failure or a limit.
  mutating func append(_ event: EmitterEvent, of slot: EmitterSlot, in emitters: inout EmitterTable, lastTick: Int) {
    var isDeferred = false
    if case .ended(let reason) = event {
      isDeferred = reason.waitsForTick(began: emitters[slot].began, lastTick: lastTick)
      store(reason, of: slot, in: &emitters, isDeferred: isDeferred)
    }
    let id = emitters.id(of: slot)
    collected?.append(EmitterNotification(key: id, event: event))
    guard emitters[slot].hasRareSettings else { return }
    append(event, of: id, to: &emitters[rare: slot].observers, isDeferred: isDeferred)
  }

  /// Appends the end of a player for the tasks that wait for it.
  mutating func append(
    _ reason: EmitterEvent.Reason,
    ofPlayer slot: EmitterSlot,
    in emitters: inout EmitterTable,
    to ends: inout Observers<EmitterEvent>,
    isDeferred: Bool
  ) {
    store(reason, of: slot, in: &emitters, isDeferred: isDeferred)
    append(EmitterEvent.ended(reason), of: emitters.id(of: slot), to: &ends, isDeferred: isDeferred)
  }

  /// Stores an end that is deferred, for a task that begins to wait before the next tick.
  ///
  /// Observers receive a later end of the same round behind it, at that tick too.
  private func store(
    _ reason: EmitterEvent.Reason,
    of slot: EmitterSlot,
    in emitters: inout EmitterTable,
    isDeferred: Bool
  ) {
    guard isDeferred || emitters[slot].deferredEnd?.round == round else { return }
    let end = DeferredEnd(reason: reason, round: round)
    emitters.store(slot) { $0.deferredEnd = end }
  }

  /// Appends an end that the next tick delivers for one more subscription, which receives no other event.
  ///
  /// - Returns: `false` without an end, and for an end that a tick has delivered.
  mutating func append(
    _ end: DeferredEnd?,
    of emitter: EmitterKey,
    to subscription: Subscription<EmitterEvent>
  ) -> Bool {
    guard let end, end.round == round else { return false }
    var observers = Observers<EmitterEvent>()
    observers.add(subscription)
    append(EmitterEvent.ended(end.reason), of: emitter, to: &observers, isDeferred: true)
    return true
  }
}
