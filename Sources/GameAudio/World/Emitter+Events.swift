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

  /// Waits for the end of the present sound, or for an end that the next tick of the mix delivers.
  ///
  /// Returns `nil` at once if the emitter neither plays nor is paused, and no end waits for the tick. An emitter that
  /// waits for its start or for its sound plays. A sound that repeats forever ends by a call, a limit or the choice of
  /// the voices alone. The end comes at the same time as for ``observe(_:)``. A ``play()`` that a limit refuses while
  /// the sound goes on is no end.
  ///
  /// After a ``play()`` that a limit refused, or whose sound has failed, the wait returns that reason with the next
  /// tick, and ``EmitterEvent/Reason/stopped`` after a stop before a tick. A loop that plays again after each end then
  /// runs with the ticks. An end that a tick has delivered is over for a later wait.
  ///
  /// Returns also when the task is cancelled. The wait keeps the emitter, and so its world.
  ///
  /// - Returns: The reason of the end; `nil` if there was none to wait for, or if the task is cancelled.
  @discardableResult
  public func waitUntilEnded() async -> EmitterEvent.Reason? {
    let subscription = Subscription<EmitterEvent>(calling: nil)
    let wait = world.withState { state -> EndWait in
      guard state.playback.scene.emitters[slot].status == .idle else {
        subscribe(subscription, in: &state)
        return .untilEnd
      }
      let end = state.playback.scene.emitters[slot].deferredEnd
      return state.playback.outbox.events.append(end, of: key, to: subscription) ? .untilTick : .none
    }
    if wait == .none { return nil }
    // No other event may need the tick.
    if wait == .untilTick { world.updateTicks() }
    let token = token(of: subscription)
    defer { withExtendedLifetime(token) {} }
    while let event = await subscription.next() {
      // A sound that is refused while the present one goes on has not begun.
      if case .ended(let reason) = event, wait == .untilTick || reason != .refused { return reason }
    }
    return nil
  }

  private func subscribe(_ subscription: Subscription<EmitterEvent>) -> NotificationToken {
    world.withState { subscribe(subscription, in: &$0) }
    return token(of: subscription)
  }

  private func subscribe(_ subscription: Subscription<EmitterEvent>, in state: inout WorldState) {
    // The laps until now are for a game that collects all events.
    state.playback.postLaps(of: slot)
    state.playback.scene.emitters.subscribe(subscription, to: slot, at: state.playback.now)
  }

  /// The token that ends a subscription.
  private func token(of subscription: Subscription<EmitterEvent>) -> NotificationToken {
    NotificationToken(in: world.context) { [weak world, key] _ in
      world?.withState { $0.playback.scene.emitters.unsubscribe(subscription, from: key) }
      subscription.cancel()
    }
  }
}
