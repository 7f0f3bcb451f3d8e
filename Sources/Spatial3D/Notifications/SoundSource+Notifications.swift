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
  /// for await notification in music.notifications(.loop) {
  ///   print(notification)
  /// }
  /// ```
  ///
  /// The OpenAL counterpart is `alSourceAddNotification` of Apple's extension.
  public func notifications(_ kinds: SourceNotification.Kinds = .all) -> SourceNotifications {
    let subscription = Subscription<SourceNotification>()
    _ = context.subscribe(subscription, to: kinds, of: self)
    return SourceNotifications(
      token: NotificationToken(subscription, of: key, in: context),
      subscription: subscription
    )
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
  /// until then, and a handler that is slow but stays below that limit delays all. Pending notifications are bounded
  /// like those of ``notifications(_:)``.
  ///
  /// The OpenAL counterpart is `alSourceAddNotification` of Apple's extension.
  public func observe(
    _ kinds: SourceNotification.Kinds = .all,
    _ handler: @escaping @Sendable (SourceNotification) -> Void
  ) -> NotificationToken {
    let subscription = Subscription<SourceNotification>(handler: handler)
    _ = context.subscribe(subscription, to: kinds, of: self)
    return NotificationToken(subscription, of: key, in: context)
  }

  /// Waits until the source neither plays nor is paused; returns at once if it is neither.
  ///
  /// Returns also when the task is cancelled.
  public func waitUntilStopped() async {
    let subscription = Subscription<SourceNotification>()
    let state = context.subscribe(subscription, to: .state, of: self)
    let token = NotificationToken(subscription, of: key, in: context)
    guard state == .playing || state == .paused else { return }
    while let notification = await subscription.next() {
      if notification.state == .stopped || notification.state == .initial { break }
    }
    withExtendedLifetime(token) {}
  }
}

extension AudioContext {
  /// Adds a subscriber to the notifications from now on; returns the current state.
  func subscribe(
    _ subscription: Subscription<SourceNotification>,
    to kinds: SourceNotification.Kinds,
    of source: SoundSource
  ) -> SourceState {
    noting { state in
      let slot = watch(source, &state)
      catchUp(slot, &state)
      let old = state.observation[slot].kinds
      state.observation[slot].add(ObservedSource.Subscriber(kinds: kinds, subscription: subscription))
      // The buffers and the position that the queue already has are not posted.
      if !old.contains(.buffersProcessed) {
        state.observation[slot].tracker.forgetProcessed()
        let finding = finding(slot, state.observation[slot].tracker.state, state)
        _ = state.observation[slot].tracker.found(finding)
      }
      if !old.contains(.loop) { beginCounting(slot, &state) }
      noteStart(slot, &state)
      settle(slot, &state)
      return state.observation[slot].tracker.state
    }
  }

  /// Returns the index of a source among the observed ones, after adding it if it is new.
  func watch(_ source: SoundSource, _ state: inout State) -> Int {
    if let slot = state.observation.slot(of: source.key) { return slot }
    var watched = ObservedSource(
      source,
      state: state.schedule.state(of: source.key) ?? handle.state(source.id),
      processed: 0
    )
    watched.sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
    let slot = state.observation.add(watched)
    if watched.isPlaying, !device.isOffline {
      listen(&state)
      handle.wantHints(true)
      device.wakeMonitor()
      // The source may have ended before the library was asked for events.
      catchUp(slot, &state)
    }
    return slot
  }

  func unsubscribe(_ subscription: Subscription<SourceNotification>, from key: SourceKey) {
    // Kept until the lock is free, because the captures of a handler may be released with it.
    let gone: ObservedSource? = state.withLock { state in
      guard let slot = state.observation.slot(of: key), state.observation[slot].key == key else { return nil }
      let before = state.observation[slot]
      state.observation[slot].remove(subscription)
      guard !state.observation[slot].isNeeded else { return before }
      state.observation.remove(slot)
      if !state.observation.isPlaying { handle.wantHints(false) }
      return before
    }
    withExtendedLifetime(gone) {}
  }

  /// Posts the stop of a source that is being released, and finishes its subscriptions.
  func endWatching(_ key: SourceKey, _ state: inout State) {
    state.observation.starts[key] = nil
    guard let slot = state.observation.slot(of: key) else { return }
    catchUp(slot, &state)
    if [.playing, .paused].contains(state.observation[slot].tracker.state) {
      let changes = state.observation[slot].tracker.found(.init(state: .stopped, processed: nil))
      post(changes, of: slot, at: nil, by: .call, &state)
    }
    state.observation[slot].finish(over: deliveries)
    state.observation.remove(slot)
    if !state.observation.isPlaying, !device.isOffline { handle.wantHints(false) }
  }
}
