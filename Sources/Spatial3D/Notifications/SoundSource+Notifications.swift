extension SoundSource {
  /// What happens to the source from now on, to be taken in a loop.
  ///
  /// Everything from this call on is in it, in order, whenever the loop begins: state changes with none missing and none
  /// twice, and exact counts. It is collected while nobody takes it: two counts in a row become one, and of more than 64
  /// pending the oldest are joined, a count with the next of its kind, and a state that was followed by another is left out;
  /// ``SourceNotification/sequence`` shows that. The sequence does not keep the source alive.
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

  /// Calls a closure with what happens to the source from now on, all kinds unless said otherwise, until the token is released.
  ///
  /// The closure is called with one notification after the other, in order, on a thread of this package's; on an
  /// ``OfflineRenderer``'s context on the thread that rendered, called, or released a source or the context, before that call
  /// returns; where several threads call that context, one of them calls the closures of all. It may do anything, to this source, to others, to the context and to the token, and may block: others are
  /// held up by each block for at most about 20 ms, after which another thread calls them. Handlers share one thread until then, so
  /// that one which is slow but not that slow delays all. What it does not take in time is collected as ``notifications(_:)``
  /// says.
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

  /// Waits until the source neither plays nor is paused; returns at once where it does not.
  ///
  /// Returns too when the task is cancelled.
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
  /// Adds a subscriber, who is told what happens from now on; returns the state now.
  func subscribe(
    _ subscription: Subscription<SourceNotification>,
    to kinds: SourceNotification.Kinds,
    of source: SoundSource
  ) -> SourceState {
    noting { state in
      let place = watch(source, &state)
      catchUp(place, &state)
      let old = state.watch[place].kinds
      state.watch[place].add(WatchedSource.Subscriber(kinds: kinds, subscription: subscription))
      // What is in the queue already, and where it is, is nobody's news.
      if !old.contains(.buffersProcessed) {
        state.watch[place].tracker.forgetProcessed()
        let finding = finding(place, state.watch[place].tracker.state, state)
        _ = state.watch[place].tracker.found(finding)
      }
      if !old.contains(.loop) { beginCounting(place, &state) }
      noteStart(place, &state)
      settle(place, &state)
      return state.watch[place].tracker.state
    }
  }

  /// The place of a source among those that are watched, which it is from now on.
  func watch(_ source: SoundSource, _ state: inout State) -> Int {
    if let place = state.watch.place(of: source.key) { return place }
    var watched = WatchedSource(
      source,
      state: state.schedule.state(of: source.key) ?? handle.state(source.id),
      processed: 0
    )
    watched.sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
    let place = state.watch.add(watched)
    if watched.isPlaying, !device.isOffline {
      listen(&state)
      handle.wantHints(true)
      device.bell.ring()
      // It may have ended before the library was asked to ring.
      catchUp(place, &state)
    }
    return place
  }

  func unsubscribe(_ subscription: Subscription<SourceNotification>, from key: SourceKey) {
    // Kept until the lock is free: what a handler holds may go with it.
    let gone: WatchedSource? = state.withLock { state in
      guard let place = state.watch.place(of: key), state.watch[place].key == key else { return nil }
      let before = state.watch[place]
      state.watch[place].remove(subscription)
      guard !state.watch[place].isNeeded else { return before }
      state.watch.remove(place)
      if !state.watch.isPlaying { handle.wantHints(false) }
      return before
    }
    withExtendedLifetime(gone) {}
  }

  /// The source is being released: tells that it has stopped, and that nothing follows.
  func endWatching(_ key: SourceKey, _ state: inout State) {
    state.watch.starts[key] = nil
    guard let place = state.watch.place(of: key) else { return }
    catchUp(place, &state)
    if [.playing, .paused].contains(state.watch[place].tracker.state) {
      let changes = state.watch[place].tracker.found(.init(state: .stopped, processed: nil))
      post(changes, of: place, at: nil, by: .call, &state)
    }
    state.watch[place].finish(over: deliveries)
    state.watch.remove(place)
    if !state.watch.isPlaying, !device.isOffline { handle.wantHints(false) }
  }
}
