internal import PCM
internal import Spatial3D

// The loudness of an emitter at the present frame, by which voices, limits and duckers choose.

extension WorldScene {
  /// The power of all sends of an emitter, against its direct path.
  func sendPower(of slot: EmitterSlot) -> Float {
    if mixer.buses[emitters.bus(of: slot)].totals.sends.isEmpty { return emitters[rare: slot].sends.power }
    return sends(of: slot).power
  }

  /// The milliseconds ahead of a start at which its voice is reserved.
  ///
  /// Chosen: nine choices lie before the start, and a file is opened meanwhile.
  static let reservation = 200

  /// An emitter with its score; `nil` for an emitter that is too quiet, or that must not change now.
  func voiceCandidate(_ slot: EmitterSlot) -> VoiceChoice.Candidate? {
    let record = emitters[slot]
    let isReal = record.voice != nil
    if !isReal {
      guard record.began - now <= frames(ofMilliseconds: Self.reservation),
        !(record.behavior == .stop && record.hasSounded) || record.keepsPosition
      else {
        return nil
      }
      if isNearlyOver(slot) { return nil }
      // Chosen: the old voice fades out in two mixes of 21 ms. A return within its fade would sound twice.
      if record.hasSounded, !record.keepsPosition, now - record.switched < frames(ofMilliseconds: 50) { return nil }
    }
    let audible = audibility(of: slot).audible
    guard audible >= (isReal || !record.hasSounded ? Audibility.threshold : Audibility.thresholdOfReturn) else {
      return nil
    }
    return VoiceChoice.Candidate(
      slot: slot,
      score: audible * record.priority.factor * (isReal ? Audibility.hysteresis : 1),
      order: emitters.order(of: slot),
      isEssential: record.priority == .mustBeHeard,
      isProtected: isReal && now - record.switched < frames(ofMilliseconds: 100),
      isStream: needsStreamPlace(slot)
    )
  }

  /// Whether a virtual emitter ends before a voice is worth it.
  ///
  /// The last 100 ms without a beginning are a click: a sound has its full loudness after about that time.
  private func isNearlyOver(_ slot: EmitterSlot) -> Bool {
    let record = emitters[slot]
    guard emitters.end(of: slot) < now + frames(ofMilliseconds: 100), !record.isPlayer, !record.keepsPosition else {
      return false
    }
    return record.hasSounded || now - record.began > frames(ofMilliseconds: Self.startGrace)
  }

  /// Whether an emitter that is to stop without a voice has none.
  // A call of its own would copy the whole scene for each emitter.
  @inline(__always)
  func endsWithoutVoice(_ slot: EmitterSlot) -> Bool {
    guard emitters[slot].behavior == .stop, emitters[slot].status == .playing, emitters[slot].voice == nil else {
      return false
    }
    return !mixer.buses[emitters.bus(of: slot)].totals.isPaused
      && now - emitters[slot].began > frames(ofMilliseconds: Self.startGrace)
  }

  /// Whether an emitter competes for the streams; a player has its own stream before them.
  func needsStreamPlace(_ slot: EmitterSlot) -> Bool {
    !emitters[slot].isPlayer && sounds[emitters[slot].sound].loaded?.isStream == true
  }

  /// The level of the sound itself at its present playback position.
  ///
  /// A player has it from its reader. A streaming emitter counts as a full-scale sine.
  func soundLevel(of slot: EmitterSlot) -> Float {
    if case .player(let player) = emitters[slot].occupant {
      let position = playerPosition(of: slot)
      guard let (timeline, place) = players[player].playlist?.metered(at: position) else {
        return 0
      }
      return timeline.level(at: place)
    }
    return sounds[emitters[slot].sound].loaded?.envelope.level(
      at: emitters[slot].clock.place(at: now)
    ) ?? 0
  }

  /// The predicted power of an emitter at the listener, at its present position in the sound.
  ///
  /// An emitter that begins at a moment has its voice ahead of the moment.
  func power(of slot: EmitterSlot) -> Float {
    guard emitters[slot].began <= now else { return 0 }
    let audible = audibility(of: slot, envelope: soundLevel(of: slot)).audible
    return audible * audible
  }

  /// The emitter's loudness, as the factors that make it up, with the highest level of the sound in the next 250 ms.
  func audibility(of slot: EmitterSlot) -> Audibility {
    audibility(of: slot, envelope: highestSoundLevel(of: slot))
  }

  /// The highest level of the sound itself in the next 250 ms; 1 for a sound that is not loaded.
  func highestSoundLevel(of slot: EmitterSlot) -> Float {
    let record = emitters[slot]
    guard let sound = sounds[record.sound].loaded else { return 1 }
    let stands = record.behavior == .fromBeginning && record.voice == nil
    let position = stands ? 0 : record.clock.position(at: now)
    return sound.envelope.highestLevel(at: position, of: record.clock.course)
  }

  /// The emitter's loudness with a level of the sound itself.
  func audibility(of slot: EmitterSlot, envelope: Float) -> Audibility {
    let record = emitters[slot]
    let index = record.sound
    var factors = Audibility()
    factors.gain = record.gain
    factors.variation = emitters.drawn(slot).gain
    // The short fades of a player do not cost it its voice.
    factors.fade = record.isPlayer ? 1 : record.fade
    factors.copyGain = record.copyGain
    factors.bus = mixer.buses[emitters.bus(of: slot)].totals.gain
    let listener = space.listeners[record.listener]
    factors.listener = listener.gain.rawValue
    factors.envelope = envelope
    let filter = (
      low: mixer.buses[emitters.bus(of: slot)].totals.low, high: mixer.buses[emitters.bus(of: slot)].totals.high
    )
    if filter != (0, 0) { factors.filter = Audibility.loudness(ofLow: filter.low, high: filter.high) }
    factors.sends = sendPower(of: slot)
    let emitter = emitters.placed(slot)
    let path = space.path(of: emitter)
    let levels = emitters[rare: slot].occlusion(on: path)
    factors.occlusion = Audibility.loudness(ofOcclusion: levels.occlusion)
    factors.obstruction = Audibility.loudness(ofObstruction: levels.obstruction)
    guard let emitter else { return factors }
    let way = (path?.place ?? emitter.position) - listener.position
    let distance = (way * way).sum().squareRoot()
    // The voice has no limit of its gain, and so an unclamped law may exceed 1.
    factors.attenuation = sounds[index].attenuation(at: distance, model: time.physics.distanceModel)
    factors.reach = Audibility.reach(at: distance, of: emitters.reach(of: slot))
    if record.hasRareSettings, emitters[rare: slot].direction != .zero, distance > 0 {
      let own = emitters[rare: slot].direction
      let direction = path?.turned(own) ?? own
      let cosine = -(way * direction).sum() / (distance * direction.length)
      factors.cone = emitters[rare: slot].cone.gain(at: Audibility.degrees(ofCosine: cosine)).rawValue
    }
    return factors
  }

  /// The listener at which an emitter is loudest, with a preference for its present listener.
  mutating func loudestListener(of emitter: PlacedEmitter) -> ListenerIndex {
    var scores = InlineArray<4, Float>(repeating: 0)
    space.updateRoom(of: emitter)
    for position in 0..<space.listeners.count {
      let index = ListenerIndex(position)
      let (distance, occlusion) = space.arrival(of: emitter, at: index)
      var gain = space.listeners[index].gain.rawValue
      if occlusion < 0 { gain *= Audibility.loudness(ofOcclusion: Decibels(occlusion)) }
      gain *= sounds[emitters[emitter.slot].sound].attenuation(at: distance, model: time.physics.distanceModel)
      // Beyond the reach of all, the nearest one counts: 240 dB below full scale does not count beside a real gain.
      let reach = Audibility.reach(at: distance, of: emitters.reach(of: emitter.slot))
      scores[position] = gain * reach + 1e-12 / (1 + distance)
    }
    return ListenerChoice.listener(scores, count: space.listeners.count, current: emitter.listener)
  }

  /// The milliseconds within which the first voice begins at the start of the sound.
  ///
  /// Sound that is late against its picture is noticed from 125 ms on (ITU-R BT.1359). Chosen: 50 ms are well below,
  /// and are two choices.
  static let startGrace = 50
}
