internal import AudioSupport
internal import Spatial3D

/// The emitters, the voices and the buses of a world.
///
/// One thread at a time uses the state, under the world's lock. It never calls OpenAL: calls are appended to
/// ``Outbox/commands``, and the world carries them out without the lock.
struct WorldState: Sendable {
  var playback: WorldPlayback
  var selector = VoiceSelector()
  var clocks = ClockTable()
  var session = SessionState()

  init(voiceLimit: Int, poolSize: Int, mixesByFrames: Bool, context: AudioContext, physics: MixPhysics) {
    let startsExactly = mixesByFrames || context.capabilities.contains(.startDelay)
    playback = WorldPlayback(
      scene: WorldScene(
        time: WorldTime(
          physics: physics,
          mixesByFrames: mixesByFrames,
          startsExactly: startsExactly,
          waitsForReaders: mixesByFrames && context.device.mixesOnRequest
        )
      ),
      voices: VoicePool(
        limit: voiceLimit,
        mixesByFrames: mixesByFrames,
        voices: Array(repeating: Voice(), count: poolSize)
      ),
      outbox: Outbox(context: context, capacity: 2 * poolSize)
    )
  }

  /// Takes over the time of the mix, and the changes of the context that the laws and the clocks depend on.
  mutating func adopt(_ physics: MixPhysics) {
    let change = playback.scene.time.advance(to: physics)
    playback.log.setMoment(physics.moment)
    if change.hasDistanceModel {
      for slot in playback.scene.emitters.indices where playback.scene.emitters[slot].isUsed {
        playback.scene.setLaw(of: slot)
        playback.scene.updateWeight(of: slot)
      }
    }
    guard let conversion = change.rateChange else { return }
    playback.voices.convertFrames(conversion)
    playback.scene.convertFrames(conversion)
    playback.renewSounds()
  }
}

// MARK: - The need of ticks

extension WorldState {
  /// Whether a tick of the context is a tick of the world: a replay has ticks of its own.
  ///
  /// Ticks that end and begin again may come twice at a frame. On an output they may not: a task that plays and waits
  /// for a deferred end would run as often as it can until the next mix.
  func isTickDue(at frame: Int, mayRepeat: Bool) -> Bool {
    !playback.log.isReplayed(frame)
      && (mayRepeat || playback.scene.time.ticks == 0 || frame != playback.scene.time.lastTick)
  }

  /// Whether anything needs the next tick.
  var needsTicks: Bool { isBusy || playback.scene.space.zones.pool.isRinging || playback.outbox.events.needsTick }

  /// Whether the context is to call the world at ticks: a replay has ticks of its own, and another tick would end a
  /// piece of the mix.
  var wantsTicks: Bool { needsTicks && !playback.log.isReplaying }

  /// Whether anything but the end of a reverb and an event needs the next tick.
  var isBusy: Bool {
    playback.scene.emitters.activeCount > 0 || !playback.scene.fades.isEmpty || playback.scene.mixer.isMoving
      || playback.voices.isBusy
      || playback.scene.players.needsTicks
  }
}

// MARK: - Emitters

extension WorldState {
  /// The program has released an emitter: it fades out, and its slot becomes free.
  mutating func release(_ id: EmitterKey) {
    guard playback.scene.emitters.has(id) else { return }
    let slot = id.slot
    playback.scene.emitters.store(slot) { $0.hasHandle = false }
    if playback.scene.emitters[slot].status == .idle { return playback.removeSlot(slot) }
    if playback.scene.emitters[slot].isUnplayed(at: playback.now), playback.outbox.isNew(.releaseBeforePlay) {
      playback.outbox.report(.releasedUnplayed(emitter: playback.scene.ownerInWords(of: slot)))
    }
    if playback.scene.emitters[slot].isOnce, !playback.scene.emitters[slot].isPaused,
      playback.scene.emitters[slot].status != .pausing
    {
      return
    }
    if playback.scene.emitters[slot].isPaused || !playback.isHeard(slot) {
      return playback.end(slot, .stopped)
    }
    stop(slot, .declick)
  }

  /// Ends the sounds that are over.
  mutating func endSounds() {
    guard playback.scene.emitters.nextEnd <= playback.now else { return }
    for slot in playback.scene.emitters.indices where playback.scene.emitters.end(of: slot) <= playback.now {
      if playback.scene.emitters[slot].isPlayer { playback.endTimeline(slot) } else { playback.end(slot, .played) }
    }
    playback.scene.emitters.updateNextEnd(after: playback.now)
  }

  /// A one-shot that the end of the world stops before its first tick, in words; `nil` for none.
  ///
  /// A session may have suspended the context until now: no tick came then, although the program kept the world. The
  /// age is the time since the beginning of the ticks.
  func unplayedAtEnd(age: Duration) -> String? {
    guard UnkeptObject.isReported(isMixed: playback.scene.time.ticks > 0, age: age), !session.hasFollowed else {
      return nil
    }
    let slot = playback.scene.emitters.indices.first { slot in
      let record = playback.scene.emitters[slot]
      return record.isUsed && record.isOnce && (record.status == .playing || record.status == .loading)
    }
    return slot.map { playback.scene.ownerInWords(of: $0) }
  }
}
