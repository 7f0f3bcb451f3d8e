public import Spatial3D

extension Emitter {
  /// Returns a sequence of the emitter's events from now on, for a loop.
  ///
  /// Several laps may be one event, and of more than 64 pending laps and changes to real or to virtual the latest are
  /// kept. Each end is delivered while at most 16,384 ends wait. Beyond this number, the oldest end is dropped, and
  /// `lostCount` of the sequence counts on. The diagnostic `Diagnostic.Code.eventsLost` reports it once. The events
  /// come at the same times as for ``observe(_:)``. The sequence ends with the emitter's release.
  public func events() -> NotificationSequence<EmitterEvent> {
    let subscription = Subscription<EmitterEvent>(calling: nil)
    return NotificationSequence(subscription, token: subscribe(subscription))
  }

  /// Calls a closure with each event of the emitter from now on, until the token is released.
  ///
  /// The closure runs like the closure of `SoundSource.observe`: offline on the thread that renders or calls, else on a
  /// thread of this package. No lock is held, and the call that caused the event is over. No end is lost, also while
  /// the closure blocks.
  ///
  /// An end with the reason ``EmitterEvent/Reason/failed`` or ``EmitterEvent/Reason/refused`` comes with the next tick
  /// of the mix, and so does one of a sound that was stopped or stolen before a tick: a closure that plays again on
  /// each end runs twice a tick at most. Later events of the emitter come behind it.
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
