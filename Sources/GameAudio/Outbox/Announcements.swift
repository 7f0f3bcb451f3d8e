internal import Spatial3D

/// The events of a world that its observers have still to receive, in order.
///
/// The calls append them under the world's lock. The world posts them when no call has a command left: a handler that
/// ran between two commands of a call would change values that the second one still reads, while a recording has the
/// change behind the call. An event that is deferred waits for the next tick besides.
struct Announcements: Sendable {
  /// An event, or the end of all events, of one emitter or player.
  struct Announcement: Sendable {
    let emitter: EmitterKey
    /// Posts it to those who observed at its time; returns whether a sequence has lost its first event by it.
    let post: @Sendable (AudioContext) -> Bool
  }

  private var due: [Announcement] = []
  private var deferred: [Announcement] = []
  /// The number of ticks.
  private(set) var round = 0

  /// Whether there is something to post before the next tick, and at it.
  var isDue: Bool { !due.isEmpty }
  var needsTick: Bool { !deferred.isEmpty }

  /// Appends an event for the present observers; a deferred event waits for the next tick, and all later events wait
  /// behind it.
  mutating func append<Event>(
    _ event: Event,
    of emitter: EmitterKey,
    to observers: inout Observers<Event>,
    isDeferred: Bool
  ) {
    guard !observers.isEmpty else { return }
    if isDeferred { observers.waitForTick(after: round) }
    let subscriptions = observers.subscriptions
    append(
      Announcement(emitter: emitter) { context in
        subscriptions.reduce(false) { $1.post(event, in: context) || $0 }
      },
      waits: observers.waitsForTick(after: round)
    )
  }

  /// Ends the events of an emitter or player, behind those that are left.
  mutating func appendEnd<Event>(of emitter: EmitterKey, to observers: Observers<Event>) {
    guard !observers.isEmpty else { return }
    let subscriptions = observers.subscriptions
    append(
      Announcement(emitter: emitter) { context in
        for subscription in subscriptions { subscription.finish(in: context) }
        return false
      },
      waits: observers.waitsForTick(after: round)
    )
  }

  private mutating func append(_ announcement: Announcement, waits: Bool) {
    if waits { deferred.append(announcement) } else { due.append(announcement) }
  }

  /// Lets the events that were deferred be posted: a tick has come.
  mutating func beginRound() {
    round += 1
    due += deferred
    deferred.removeAll(keepingCapacity: true)
  }

  /// Posts what is due; returns the emitters and players of which a sequence has lost its first event.
  mutating func post(in context: AudioContext) -> [EmitterKey] {
    var losers: [EmitterKey] = []
    for announcement in due where announcement.post(context) { losers.append(announcement.emitter) }
    due.removeAll(keepingCapacity: true)
    return losers
  }
}
