internal import Spatial3D

/// The observers of one emitter or player.
struct Observers<Value: Coalescing>: Sendable {
  private(set) var subscriptions: [Subscription<Value>] = []
  /// The round of the event queue in which an event was deferred last; `nil` for none.
  private var deferringRound: UInt32?

  var isEmpty: Bool { subscriptions.isEmpty }

  mutating func add(_ subscription: Subscription<Value>) { subscriptions.append(subscription) }

  mutating func remove(_ subscription: Subscription<Value>) { subscriptions.removeAll { $0 === subscription } }

  /// An event of a round waits for the next tick.
  mutating func waitForTick(after round: UInt32) { deferringRound = round }

  /// Whether an event of a round waits for the next tick: later events of the round wait behind it.
  func waitsForTick(after round: UInt32) -> Bool { deferringRound == round }
}
