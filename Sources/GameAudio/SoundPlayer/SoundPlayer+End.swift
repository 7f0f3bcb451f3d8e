internal import Spatial3D

extension SoundPlayer {
  /// Waits for the end of all that is queued, or for an end that the next tick of the mix delivers.
  ///
  /// Returns `nil` at once if the player neither plays nor is paused, and no end waits for the tick. A player that
  /// waits for its start or for a sound plays. A stop ends the wait too, and so do a limit and the end of the fade of
  /// ``crossfade(to:_:)``. Another moment for a start that lies ahead does not. A start that a limit refuses while the
  /// player waits for a sound does not either. On a stopped player, a sound that is scheduled at a moment counts from
  /// its beginning on.
  ///
  /// The end comes at the same time as ``PlayerEvent/finished(successfully:)``. A stop posts no event: its end comes at
  /// once. After a ``play()`` that a limit refused, or that
  /// has failed, the wait returns that reason with the next tick. A loop that plays again after each end then runs with
  /// the ticks. An end that a tick has delivered is over for a later wait.
  ///
  /// Returns also when the task is cancelled. The wait keeps the player, and so its world.
  ///
  /// - Returns: The reason of the end, ``EmitterEvent/Reason/failed`` also for a queue of which a sound has failed;
  ///   `nil` if there was none to wait for, or if the task is cancelled.
  @discardableResult
  public func waitUntilEnded() async -> EmitterEvent.Reason? {
    let subscription = Subscription<EmitterEvent>(calling: nil)
    let wait = world.withState { state -> EndWait in
      guard let player = state.playback.scene.emitters[slot].player else { return .none }
      guard state.playback.scene.emitters[slot].status == .idle,
        state.playback.scene.players[player].playlist?.awaitsOpening != true
      else {
        state.playback.scene.players[player].ends.add(subscription)
        return .untilEnd
      }
      let end = state.playback.scene.emitters[slot].deferredEnd
      return state.playback.outbox.events.append(end, of: id, to: subscription) ? .untilTick : .none
    }
    if wait == .none { return nil }
    // No other event may need the tick.
    if wait == .untilTick { world.updateTicks() }
    let token = NotificationToken(in: world.context) { [weak world, id] _ in
      world?.withState { state in
        guard state.playback.scene.emitters.has(id), let player = state.playback.scene.emitters[id.slot].player else {
          return
        }
        state.playback.scene.players[player].ends.remove(subscription)
      }
      subscription.cancel()
    }
    defer { withExtendedLifetime(token) {} }
    guard case .ended(let reason)? = await subscription.next() else { return nil }
    return reason
  }
}
