internal import AudioSupport

extension AudioContext {
  /// Returns a sequence of the events of the context's output from now on, for a loop.
  ///
  /// If more than 64 events are pending, the oldest of each kind are dropped.
  ///
  /// ```swift
  /// for await event in context.events() {
  ///   switch event.kind {
  ///   case .deviceLost: show("No sound. Is the cable in?")
  ///   case .deviceReturned: show("Sound is back, on \(context.device.name).")
  ///   case .outputChanged: show("Sound is on \(context.device.name) now.")
  ///   default: break
  ///   }
  /// }
  /// ```
  ///
  /// The OpenAL counterpart is `ALC_EXT_disconnect`.
  public func events() -> NotificationSequence<ContextEvent> {
    let subscription = Subscription<ContextEvent>()
    return NotificationSequence(subscription, token: subscribe(subscription))
  }

  /// Calls a closure with each event of the context's output from now on, until the token is released.
  ///
  /// The closure runs like the closure of ``SoundSource/observe(_:_:)``: with one event after the other, on a thread of
  /// this package. Pending events are bounded like the events of ``events()``.
  ///
  /// The OpenAL counterpart is `ALC_EXT_disconnect`.
  public func observe(_ handler: @escaping @Sendable (ContextEvent) -> Void) -> NotificationToken {
    subscribe(Subscription<ContextEvent>(handler: handler))
  }

  func subscribe(_ subscription: Subscription<ContextEvent>) -> NotificationToken {
    withState { state in
      // A loss that no event has reported. The monitor thread begins the search for an output.
      if !state.observation.updateConnection() { device.wakeMonitor() }
      state.observation.listen()
      state.observation.eventSubscriptions.append(subscription)
    }
    return NotificationToken(in: self) { context in
      context?.state.withLock { $0.observation.eventSubscriptions.removeAll { $0 === subscription } }
      subscription.cancel()
    }
  }
}
