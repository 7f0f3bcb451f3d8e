internal import AudioSupport

extension ContextState {
  /// Adds a subscriber to the notifications from now on; returns the current state.
  mutating func subscribe(
    _ subscription: Subscription<SourceNotification>,
    to kinds: SourceNotification.Kinds,
    of source: SoundSource
  ) -> SourceState {
    let key = source.key
    beginObserving(source)
    pollSource(key)
    let old = records[observed: key].kinds
    records[observed: key].add(ObservedSource.Subscriber(kinds: kinds, subscription: subscription))
    // The buffers and the position that the queue already has are not posted.
    if !old.contains(.buffersProcessed), records[observed: key].countsBuffers {
      records[observed: key].tracker.forgetProcessed()
      let state = records[observed: key].tracker.state
      let reading = records[key].reading(inLibrary: state, in: scene, by: handle)
      _ = records[observed: key].tracker.update(to: reading)
    }
    if !old.contains(.loop) { observation.beginCounting(key, in: &records) }
    observation.countFromStart(key, in: &records)
    observation.updatePolling(key, in: &records)
    return records[observed: key].tracker.state
  }

  /// Removes a subscriber; the caller releases the result without a lock.
  ///
  /// The captures of a handler may be released with it.
  mutating func unsubscribe(_ subscription: Subscription<SourceNotification>, from key: SourceKey) -> ObservedSource? {
    guard records.isObserved(key) else { return nil }
    let before = records[observed: key]
    records[observed: key].remove(subscription)
    guard !records[observed: key].isNeeded else { return before }
    observation.remove(key, in: &records)
    return before
  }

  /// Observes a source from now on; does nothing for an observed one.
  mutating func beginObserving(_ source: SoundSource) {
    let key = source.key
    guard !records.isObserved(key) else { return }
    let observed = ObservedSource(source, state: records[key].library.state(in: scene, by: handle))
    observation.add(observed, of: key, in: &records)
    if observed.isPlaying, !device.isOffline {
      observation.listen()
      handle.wantHints(true)
      device.wakeMonitor()
      // The source may have ended before the library was asked for events.
      pollSource(key)
    }
  }

  /// Posts the stop of a source that is being released, and finishes its subscriptions.
  mutating func endObserving(_ key: SourceKey) {
    records[key].start.time = nil
    guard records.isObserved(key) else { return }
    pollSource(key)
    if [.playing, .paused].contains(records[observed: key].tracker.state) {
      let changes = records[observed: key].tracker.update(to: .init(state: .stopped, processed: nil))
      observation.post(changes, of: key, at: nil, by: .call, in: &records)
    }
    records[observed: key].finish(over: observation.deliveries)
    observation.remove(key, in: &records)
  }
}
