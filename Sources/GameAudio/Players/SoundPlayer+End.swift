internal import Spatial3D

extension SoundPlayer {
  /// Waits for the end of all that is queued; returns at once if the player neither plays nor is paused.
  ///
  /// A player that waits for its start or for a sound plays. A stop ends the wait too, and so do a limit and the end
  /// of the fade of ``crossfade(to:_:)``. Another moment for a start that lies ahead does not. On a stopped player, a
  /// sound that is scheduled at a moment counts from its beginning on. Returns also when the task is cancelled. The
  /// wait keeps the player, and so its world.
  ///
  /// - Returns: The reason of the end, ``EmitterEvent/Reason/failed`` also for a queue of which a sound has failed;
  ///   `nil` if there was none to wait for, or if the task is cancelled.
  @discardableResult
  public func waitUntilEnded() async -> EmitterEvent.Reason? {
    let subscription = Subscription<EmitterEvent>(calling: nil)
    let isActive = world.withState { state in
      state.decks[Int(state.records[slot].deck)].ends.add(subscription)
      return state.records[slot].status != .idle || state.deck(of: slot)?.awaitsOpening == true
    }
    let token = NotificationToken(in: world.context) { [weak world, id] _ in
      world?.withState { state in
        guard state.has(id), state.records[Int(id.slot)].deck >= 0 else { return }
        state.decks[Int(state.records[Int(id.slot)].deck)].ends.remove(subscription)
      }
      subscription.cancel()
    }
    defer { withExtendedLifetime(token) {} }
    guard isActive, case .ended(let reason)? = await subscription.next() else { return nil }
    return reason
  }
}
