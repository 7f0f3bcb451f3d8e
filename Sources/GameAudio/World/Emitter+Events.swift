public import Spatial3D

extension Emitter {
  /// Returns a sequence of the emitter's events from now on, for a loop.
  ///
  /// Each end is delivered. Several laps may be one event, and of more than 64 pending events the latest change to real or
  /// to virtual is kept. The sequence ends with the emitter's release.
  public func events() -> NotificationSequence<EmitterEvent> {
    let subscription = Subscription<EmitterEvent>(calling: nil)
    return NotificationSequence(subscription, token: subscribe(subscription))
  }

  /// Calls a closure with each event of the emitter from now on, until the token is released.
  ///
  /// The closure runs like that of `SoundSource.observe`: offline on the thread that renders or calls, else on a
  /// thread of this package. No lock is held.
  public func observe(_ handler: @escaping @Sendable (EmitterEvent) -> Void) -> NotificationToken {
    subscribe(Subscription(calling: handler))
  }

  private func subscribe(_ subscription: Subscription<EmitterEvent>) -> NotificationToken {
    world.withState { $0.subscribe(subscription, to: slot) }
    return NotificationToken(in: world.context) { [weak world, id] in
      world?.withState { $0.unsubscribe(subscription, from: id) }
      subscription.cancel()
    }
  }
}
