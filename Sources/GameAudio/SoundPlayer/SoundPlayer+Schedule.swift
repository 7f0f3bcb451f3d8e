public import Spatial3D

extension SoundPlayer {
  /// The position of a scheduled sound in the playlist of the player.
  public enum SchedulePosition: Hashable, Sendable {
    /// Behind all that is queued, without a gap.
    ///
    /// Sounds of one format go through the resampler as one. A sound of another format begins with the next frame of
    /// the mix. Behind a sound that repeats forever it is never reached, until ``SoundPlayer/repeats`` changes.
    case afterQueue
    /// Now, with a crossfade of 10 ms; all that is queued is dropped, except for sounds with a moment.
    case now
    /// At the next end of the present sound's loop, without a gap; all that is queued is dropped, except for sounds
    /// with a moment.
    ///
    /// Another lap may follow a lap that ends within 200 ms, offline within 1,536 frames. After a lap of a shorter
    /// loop, each lap and each queued sound that begins in that time may follow. ``SoundPlayer/repeats`` is then the
    /// number of the last lap.
    case atLoopEnd
    /// At a moment of the context's `AudioContext.clock`, whatever plays then, exact to the frame like
    /// ``SoundPlayer/play(at:)``.
    ///
    /// It begins by itself, also on a player that is stopped. A moment that has passed counts as now.
    case at(Duration)
  }

  /// Puts a sound into the playlist of the player.
  ///
  /// When its turn comes, it is the sound of the player, whose ``duration``, ``format`` and ``loopRange`` are its own.
  /// A player that is stopped stays so. The sound is opened now: offline before the return, else on a thread of this
  /// package, in the order of the player's calls, so that it waits behind a sound whose reader blocks. A sound that
  /// cannot be opened is left out, and posted as ``PlayerEvent/decodeError(_:)``.
  ///
  /// - Parameters:
  ///   - sound: The sound.
  ///   - position: The position in the playlist; behind all that is queued by default.
  ///   - repeats: How often the sound repeats. Range: 0 times and up, clamped.
  public func schedule(_ sound: Sound, _ position: SchedulePosition = .afterQueue, repeats: Repeats = .times(0)) {
    world.schedule(sound, PlaylistPosition(position), repeats.mapTimes { (0...).nearest(to: $0) }, for: id)
    check(repeats)
  }

  /// Returns a sequence of the player's events from now on, for a loop.
  ///
  /// Several laps may be one event. No other event is lost, as long as no more than 16,384 wait: see
  /// ``Emitter/events()``. The sequence ends with the player's release.
  public func events() -> NotificationSequence<PlayerEvent> {
    let subscription = Subscription<PlayerEvent>(calling: nil)
    return NotificationSequence(subscription, token: subscribe(subscription))
  }

  /// Calls a closure with each event of the player from now on, until the token is released.
  ///
  /// The closure runs like the closure of ``Emitter/observe(_:)``, and no event is lost. That a player could not begin
  /// or go on, or could not open a sound, comes with the next tick of the mix: a closure that plays or schedules again
  /// then runs once a tick.
  public func observe(_ handler: @escaping @Sendable (PlayerEvent) -> Void) -> NotificationToken {
    subscribe(Subscription(calling: handler))
  }

  private func subscribe(_ subscription: Subscription<PlayerEvent>) -> NotificationToken {
    let slot = slot
    world.withState { state in
      if let player = state.playback.scene.emitters[slot].player {
        state.playback.scene.players[player].observers.add(subscription)
      }
    }
    return NotificationToken(in: world.context) { [weak world, id] _ in
      world?.withState { state in
        guard state.playback.scene.emitters.has(id), let player = state.playback.scene.emitters[id.slot].player else {
          return
        }
        state.playback.scene.players[player].observers.remove(subscription)
      }
      subscription.cancel()
    }
  }
}

extension PlaylistPosition {
  init(_ position: SoundPlayer.SchedulePosition) {
    self =
      switch position {
      case .afterQueue: .afterQueue
      case .now: .now
      case .atLoopEnd: .atLoopEnd
      case .at(let moment): .at(moment)
      }
  }
}
