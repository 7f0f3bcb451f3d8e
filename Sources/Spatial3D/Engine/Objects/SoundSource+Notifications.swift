internal import AudioSupport

extension SoundSource {
  /// Returns a sequence of the source's notifications from now on, for a loop.
  ///
  /// It contains all notifications since this call, in order, even if the loop begins later: each state change once,
  /// and exact counts. Pending notifications are bounded: two adjacent counts become one, and with more than 64 pending
  /// the oldest are joined. A count is added to the next of its kind, and a state with a later state is dropped;
  /// ``SourceNotification/sequence`` shows the gap. The sequence does not keep the source alive.
  ///
  /// ```swift
  /// for await notification in music.events(.loop) {
  ///   print(notification)
  /// }
  /// ```
  ///
  /// The OpenAL counterpart is `alSourceAddNotification` of Apple's extension.
  public func events(_ kinds: SourceNotification.Kinds = .all) -> NotificationSequence<SourceNotification> {
    let subscription = Subscription<SourceNotification>()
    return NotificationSequence(subscription, token: subscribe(subscription, to: kinds).token)
  }

  /// Calls a closure with each notification of the source from now on, until the token is released.
  ///
  /// By default the closure receives all kinds. It is called with one notification after the other, in order, on a
  /// thread of this package. On an ``OfflineRenderer``'s context, it is called on the thread that rendered, called, or
  /// released a source or the context, before that call returns. If several threads call that context, one of them
  /// calls the closures of all.
  ///
  /// The closure may do anything, to this source, to others, to the context and to the token. It may block: each block
  /// delays other handlers by at most about 20 ms, after which another thread calls them. Handlers share one thread
  /// until then, and a handler that is slow but stays below that limit delays all. Pending notifications are bounded as
  /// for ``events(_:)``.
  ///
  /// The OpenAL counterpart is `alSourceAddNotification` of Apple's extension.
  public func observe(
    _ kinds: SourceNotification.Kinds = .all,
    _ handler: @escaping @Sendable (SourceNotification) -> Void
  ) -> NotificationToken {
    subscribe(Subscription<SourceNotification>(handler: handler), to: kinds).token
  }

  /// Waits until the source neither plays nor is paused; returns at once if it is neither.
  ///
  /// Returns also when the task is cancelled.
  public func waitUntilStopped() async {
    let subscription = Subscription<SourceNotification>()
    let (token, state) = subscribe(subscription, to: .state)
    guard state == .playing || state == .paused else { return }
    while let notification = await subscription.next() {
      if notification.state == .stopped || notification.state == .initial { break }
    }
    withExtendedLifetime(token) {}
  }

  /// Adds a subscriber to the notifications from now on; returns its token, and the current state.
  func subscribe(
    _ subscription: Subscription<SourceNotification>,
    to kinds: SourceNotification.Kinds
  ) -> (token: NotificationToken, state: SourceState) {
    let state = context.withState { $0.subscribe(subscription, to: kinds, of: self) }
    let token = NotificationToken(in: context) { [key] context in
      // The captures of a handler may be released with the result, without the lock.
      let gone = context?.state.withLock { $0.unsubscribe(subscription, from: key) }
      withExtendedLifetime(gone) {}
      subscription.cancel()
    }
    return (token, state)
  }
}
