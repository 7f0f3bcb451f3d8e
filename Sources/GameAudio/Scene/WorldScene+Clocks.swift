internal import PCM
internal import Spatial3D

// The clocks of emitters and players: how fast they run, and where they are.

extension WorldScene {
  /// Reads the playlist of a slot.
  func playlist(of slot: EmitterSlot) -> Playlist? { emitters[slot].player.flatMap { players[$0].playlist } }

  /// The number of channels of a player's sound; 0 for an emitter.
  func channelCount(of slot: EmitterSlot) -> Int { playlist(of: slot)?.timeline.format.channelCount ?? 0 }

  /// Whether a call finds the player in motion: its clock counts, and not the position of its playlist.
  func isRunning(_ slot: EmitterSlot) -> Bool {
    emitters[slot].isSounding || emitters[slot].isPaused
  }

  /// The position on the timeline.
  func playerPosition(of slot: EmitterSlot) -> Int {
    guard let playlist = playlist(of: slot) else { return 0 }
    guard isRunning(slot) else { return playlist.position }
    // A millionth of a frame: a clock that has reached a frame may be less than it by the rounding of its steps.
    return Int(min(emitters[slot].clock.position(at: now) + 1e-6, Double(Frames.last)))
  }

  /// Gives the clock the length of the present timeline, which may have changed.
  mutating func updateLength(of slot: EmitterSlot) {
    guard let playlist = playlist(of: slot) else { return }
    let length = playlist.timeline.read(\.length) ?? .max
    guard length != emitters[slot].clock.course.frameCount else { return }
    let now = now
    emitters.modify(slot) { $0.clock.setCourse(.init(frameCount: length), at: now) }
  }

  /// The frame of the sound at which an emitter begins.
  func startFrame(of slot: EmitterSlot, in sound: LoadedSound) -> Double {
    min(emitters[slot].start * Double(sound.sampleRate), sound.lastFrame)
  }

  /// The frames of the sound for one of the mix.
  func step(of slot: EmitterSlot) -> Double {
    guard let sound = sounds[emitters[slot].sound].loaded, !mixer.buses[emitters.bus(of: slot)].totals.isPaused
    else { return 0 }
    return time.physics.step.frames(
      pitch: pitch(of: slot) * emitters[slot].shift,
      soundRate: sound.sampleRate,
      mixRate: time.physics.sampleRate
    )
  }

  /// The pitch of the source, without the Doppler effect.
  func pitch(of slot: EmitterSlot) -> Float {
    let pitch = emitters[slot].pitch * emitters.drawn(slot).pitch * mixer.buses[emitters.bus(of: slot)].totals.pitch
    return min(max(pitch, Self.leastPitch), Self.largestPitch)
  }

  /// The least pitch of a source.
  ///
  /// Chosen: the pitches of many buses may multiply to 0, which OpenAL does not take.
  private static let leastPitch: Float = 1e-4
  /// The largest pitch of OpenAL Soft before 1.21; `MixStep` has the limits of each version.
  private static let largestPitch: Float = 255

  /// The factor of the frequency by motion, at the present positions.
  // A call of its own would copy the whole scene for each voice.
  @inline(__always)
  func currentShift(of slot: EmitterSlot) -> Float {
    guard let emitter = emitters.placed(slot), time.physics.doppler.factor > 0 else { return 1 }
    let velocity = emitters[slot].velocity
    let listener = space.listeners[emitter.listener]
    guard velocity != .zero || listener.velocity != .zero else { return 1 }
    let path = space.path(of: emitter)
    let (position, motion) = (path?.place ?? emitter.position, path?.turned(velocity) ?? velocity)
    return Float(time.physics.doppler.shift(of: position, movingAt: motion, heardBy: listener))
  }

  /// Derives velocities from the positions at the last choice and at the present choice.
  mutating func deriveVelocities() {
    let seconds = Float(now - emitters.derivedAt) / Float(max(time.physics.sampleRate, 1))
    emitters.derivedAt = now
    guard seconds > 0 else { return }
    for slot in emitters.deriving.keys {
      let position = emitters.position(of: slot)
      if let last = emitters[rare: slot].derivedAt {
        emitters.store(slot) {
          $0.velocity = DerivedVelocity.next($0.velocity, from: last, to: position, in: seconds)
        }
      }
      emitters.changeRare(slot) { $0.derivedAt = position }
    }
  }

  /// Computes the Doppler effect of a sixteenth of the virtual emitters: with a choice each 21 ms, all in 0.34 s.
  ///
  /// A moving virtual emitter drifts by the change of its shift in 0.34 s; its phase is inaudible.
  mutating func updateShifts() {
    let count = emitters.count
    guard count > 0 else { return }
    let isListenerMoving = space.listeners.isMoving
    for _ in 0..<(count + 15) / 16 {
      let next = emitters.nextShift.position + 1
      let slot = EmitterSlot(next < count ? next : 0)
      emitters.nextShift = slot
      if isListenerMoving || emitters[slot].isMoving, emitters[slot].isSounding, emitters[slot].voice == nil {
        updateShift(of: slot)
      }
    }
  }

  mutating func updateShift(of slot: EmitterSlot) {
    let shift = currentShift(of: slot)
    guard shift != emitters[slot].shift else { return }
    emitters.setShift(shift, of: slot)
    setStep(of: slot)
  }

  /// Applies the pitches that the program has set: the sources have them from this tick on.
  mutating func updatePitches() {
    for slot in emitters.changedPitches where emitters[slot].isSounding { setStep(of: slot) }
    emitters.forgetChangedPitches()
  }

  mutating func setStep(of slot: EmitterSlot) {
    guard emitters[slot].voice != nil || !emitters[slot].behavior.stopsClock else { return }
    let (step, now) = (step(of: slot), now)
    emitters.setStep(step, at: now, of: slot)
  }

  /// The largest number of ticks by which levels and paths move at a time: a mix of 1,024 frames has two.
  ///
  /// A step is then at most twice the step of a tick, also after a long time without a tick. With longer mixes, changes
  /// take longer.
  private static let mostTicks: Float = 2

  /// The ticks since the sources had their values last, by the frames of the mix.
  ///
  /// A tick may come late, and an output may mix more frames at a time than a tick has.
  var ticksToMove: Float {
    min(Float(max(now - space.rays.movedUntil, 0)) / Float(MixTime.tick), Self.mostTicks)
  }

  /// Corrects the clock of a virtual emitter by the position that its source had.
  mutating func correctClock(place: Double, at frame: Int, of id: EmitterKey, withClock clock: LogicalClock) {
    guard emitters.has(id), emitters[id.slot].status == .playing, emitters[id.slot].voice == nil else { return }
    guard emitters[id.slot].clock == clock else { return }
    // A voice that was reserved for a later start stood at the beginning.
    guard emitters[id.slot].began <= frame else { return }
    modify(id.slot) { $0.clock.adopt(place: place, at: frame) }
  }
}

// MARK: - Virtual emitters

extension WorldScene {
  /// Takes the voice from an emitter; its clock may stand.
  mutating func standWithoutVoice(_ slot: EmitterSlot) {
    let now = now
    modify(slot) {
      $0.voice = nil
      if $0.behavior.stopsClock { $0.clock.setStep(0, at: now) }
    }
  }

  /// Whether an emitter that gets a voice begins again, by its virtual behavior.
  func beginsAgain(onReturnOf slot: EmitterSlot) -> Bool {
    emitters[slot].behavior == .fromBeginning && emitters[slot].hasSounded && !emitters[slot].keepsPosition
  }

  /// Sets the clock of a virtual emitter that returns to a voice, by its virtual behavior.
  mutating func setClockForReturn(of slot: EmitterSlot) {
    let now = now
    let isYoung = now - emitters[slot].began <= frames(ofMilliseconds: Self.startGrace)
    switch emitters[slot].behavior {
    case _ where emitters[slot].keepsPosition: emitters.store(slot) { $0.keepsPosition = false }
    case .elapsedTime, .stop:
      // A sound that waited for its first voice keeps its attack.
      if !emitters[slot].hasSounded, isYoung, !emitters[slot].isPlayer, emitters[slot].began < now,
        let sound = sounds[emitters[slot].sound].loaded
      {
        let place = startFrame(of: slot, in: sound)
        modify(slot) { $0.clock.seek(to: place, at: now) }
      }
    case .fromBeginning where beginsAgain(onReturnOf: slot):
      modify(slot) {
        $0.clock.seek(to: 0, at: now)
        $0.laps = 0
      }
    case .fromBeginning, .resume: break
    }
    let shift = currentShift(of: slot)
    emitters.store(slot) { $0.shift = shift }
    let step = step(of: slot)
    modify(slot) { $0.clock.setStep(step, at: max(now, $0.began)) }
  }
}
