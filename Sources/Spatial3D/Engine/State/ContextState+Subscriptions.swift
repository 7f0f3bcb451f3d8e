internal import AudioSupport

extension ContextState {
  /// Adds a subscriber to the notifications from now on; returns the current state.
  mutating func subscribe(
    _ subscription: Subscription<SourceNotification>,
    to kinds: SourceNotification.Kinds,
    of source: SoundSource
  ) -> SourceState {
    let slot = watch(source)
    catchUp(slot)
    let old = observation[slot].kinds
    observation[slot].add(ObservedSource.Subscriber(kinds: kinds, subscription: subscription))
    // The buffers and the position that the queue already has are not posted.
    if !old.contains(.buffersProcessed) {
      observation[slot].tracker.forgetProcessed()
      let finding = finding(slot, observation[slot].tracker.state)
      _ = observation[slot].tracker.found(finding)
    }
    if !old.contains(.loop) { beginCounting(slot) }
    noteStart(slot)
    settle(slot)
    return observation[slot].tracker.state
  }

  /// Removes a subscriber; the caller releases the result without a lock.
  ///
  /// The captures of a handler may be released with it.
  mutating func unsubscribe(_ subscription: Subscription<SourceNotification>, from key: SourceKey) -> ObservedSource? {
    guard let slot = observation.slot(of: key) else { return nil }
    let before = observation[slot]
    observation[slot].remove(subscription)
    guard !observation[slot].isNeeded else { return before }
    observation.remove(slot)
    if !observation.isPlaying { handle.wantHints(false) }
    return before
  }

  /// Returns the index of a source among the observed ones, after adding it if it is new.
  mutating func watch(_ source: SoundSource) -> Int {
    if let slot = observation.slot(of: source.key) { return slot }
    var watched = ObservedSource(
      source,
      state: schedule.state(of: source.key) ?? handle.state(source.id),
      processed: 0
    )
    watched.sound = QueuedSound(source.buffers, isQueue: source.hasQueue)
    let slot = observation.add(watched)
    if watched.isPlaying, !device.isOffline {
      listen()
      handle.wantHints(true)
      device.wakeMonitor()
      // The source may have ended before the library was asked for events.
      catchUp(slot)
    }
    return slot
  }

  /// Posts the stop of a source that is being released, and finishes its subscriptions.
  mutating func endWatching(_ key: SourceKey) {
    observation.starts[key] = nil
    guard let slot = observation.slot(of: key) else { return }
    catchUp(slot)
    if [.playing, .paused].contains(observation[slot].tracker.state) {
      let changes = observation[slot].tracker.found(.init(state: .stopped, processed: nil))
      post(changes, of: slot, at: nil, by: .call)
    }
    observation[slot].finish(over: deliveries)
    observation.remove(slot)
    if !observation.isPlaying, !device.isOffline { handle.wantHints(false) }
  }
}
