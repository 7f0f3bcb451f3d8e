internal import PCM
internal import Spatial3D

// The values of sources in the space, at each tick.

extension WorldPlayback {
  /// Applies the answers to questions, and takes the memory of the questions back.
  mutating func endRays(_ questions: inout [RayQuestion]) {
    log.record(.rays(questions.compactMap(\.answer)))
    for question in questions where scene.emitters.has(question.emitter) {
      if let answer = question.answer {
        apply(answer)
        continue
      }
      if scene.space.rays.takeWrongReport() { outbox.report(.wrongRayAnswer) }
      let call = scene.space.rays.call
      scene.emitters.changeRare(question.emitter.slot) { $0.rays.skip(at: call) }
    }
    scene.space.rays.giveBack(&questions)
  }

  /// Applies an answer of the present call.
  mutating func apply(_ answer: EmitterRays) {
    guard scene.emitters.has(answer.subject) else { return }
    let (slot, call) = (answer.subject.slot, scene.space.rays.call)
    let isHeard = isHeard(slot)
    let isFirst = scene.emitters[rare: slot].rays.isFirst
    scene.emitters.changeRare(slot) {
      $0.rays.take(occlusion: answer.occlusion, obstruction: answer.obstruction, at: call, isHeard: isHeard)
    }
    // A voice that no mix has rendered takes its first answer without a glide.
    guard isFirst, isHeard, now <= max(scene.emitters[slot].switched, scene.emitters[slot].began),
      let voice = scene.emitters[slot].voice
    else { return }
    voices.setOcclusion(from: scene.voiceValues(of: slot), of: voice, &outbox.commands)
  }

  /// Lets each emitter with a voice belong to the listener at which it is loudest.
  ///
  /// An emitter that moves to another listener goes on with another voice, because a source that jumps clicks. While no
  /// voice is free and one will be, the emitter stays with its listener. A stream moves at once: a second reader would
  /// leave a gap.
  mutating func updateListeners() {
    guard scene.space.listeners.countWithRemoved > 1 else { return }
    var isRemovedInUse = false
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let slot = voices[index].slot, scene.emitters[slot].voice == index,
        let emitter = scene.emitters.placed(slot)
      else {
        continue
      }
      let listener = scene.loudestListener(of: emitter)
      guard listener != emitter.listener else { continue }
      let isStream = voices[index].isStream
      let isFree = voices.hasFree
      if !isStream, !isFree, voices.hasFreeSoon {
        if emitter.listener.position >= scene.space.listeners.count { isRemovedInUse = true }
        continue
      }
      scene.emitters.store(slot) { $0.listener = listener }
      // The voice does not glide from the path to the old listener.
      scene.updatePath(of: slot)
      if !isStream, isFree { changeVoice(of: slot) }
    }
    if !isRemovedInUse { scene.space.listeners.forgetRemoved() }
  }

  /// Replaces the zones.
  mutating func setZones(_ new: [ReverbZone]) {
    for diagnostic in scene.space.setZones(new, &outbox.commands) { outbox.report(diagnostic) }
    stepZones()
  }

  /// Moves the levels of the zones towards their values at the positions of the listeners, by some ticks.
  mutating func stepZones(by ticks: Float = 0) {
    let isSilent = scene.emitters.activeCount == 0
    scene.space.stepZones(at: scene.time.mix, ticks: ticks, isSilent: isSilent, &outbox.commands)
  }

  /// A unit was made with a reverb, or could not be; returns the effect if nothing needs it any more.
  mutating func zoneOpened(_ unit: UnitIndex, _ effect: EffectUnit?, _ reverb: Reverb, sendLimit: Int) -> EffectUnit? {
    switch scene.space.zones.open(unit, effect, reverb, sendLimit: sendLimit) {
    case .unneeded: return effect
    case .opened(let change, let isLimitNew):
      if let effect, let change { outbox.append(.setUnitReverb(effect, change)) }
      if isLimitNew { outbox.report(.zonesLimited(sendLimit)) }
      return nil
    }
  }

  /// Hands the changed values to the sources; changes of the paths move by a number of ticks.
  mutating func flush(_ step: Float) {
    if let listener = scene.space.listeners.takeChange() { outbox.append(.listener(listener)) }
    let seconds = scene.space.rays.seconds(until: now, sampleRate: scene.time.physics.sampleRate)
    var moved: [EmitterSlot] = []
    let (hasStraightPaths, usesZones) = (scene.space.hasStraightPaths, scene.space.zones.isInUse)
    let (update, isListenerMoving) = (scene.mixer.buses.updateCount, scene.space.listeners.isMoving)
    for index in voices.indices {
      guard let slot = voices.soundingSlot(of: index) else { continue }
      if scene.emitters[slot].hasRareSettings { scene.stepRays(of: slot, seconds: seconds) }
      if !hasStraightPaths { scene.updatePath(of: slot, glides: true, ticks: step) }
      // The clock and the source go on with the new step from the same frame.
      if isListenerMoving || scene.emitters[slot].isMoving { scene.updateShift(of: slot) }
      // Most sources have all values of their emitters already, apart from the positions.
      if hasStraightPaths, voices[index].settledUpdate == update, !scene.emitters[slot].hasNewValues {
        voices.follow(scene.emitters.position(of: slot), index, &outbox.commands)
        assert(scene.hasValues(voices[index].values, of: slot), "Each change of an emitter sets `hasNewValues`.")
        if usesZones || voices[index].feeds != VoiceFeeds() {
          voices.moveFeeds(of: index, in: &scene, &outbox.commands)
        }
      } else {
        let isSettling = hasStraightPaths && scene.valuesFollowFromEmitter(slot)
        if flushValues(of: slot, index, settlingAt: isSettling ? update : nil) { moved.append(slot) }
      }
      guard voices[index].isLooping else { continue }
      // Chosen: a source on an output may be some mixes of 21 ms behind its clock, and would end its loop a lap early.
      let margin = scene.time.mixesByFrames ? 0 : scene.frames(ofMilliseconds: 100)
      if LoopPlan.isInLastLap(scene.emitters[slot].clock, at: now, marginFrames: margin) {
        voices.setLooping(false, of: index, &outbox.commands)
      }
    }
    // The library changes the routing of channels within a frame, which is audible as a click: another voice goes on.
    // Another sound may have taken the last free voice.
    for slot in moved where voices.hasFree {
      if scene.emitters[slot].isPlayer { replaceReader(of: slot) } else { changeVoice(of: slot) }
    }
  }

  /// Hands the changed values of an emitter to its source; returns whether another voice has to go on, with another
  /// routing of the channels.
  private mutating func flushValues(of slot: EmitterSlot, _ index: VoiceIndex, settlingAt update: Int?) -> Bool {
    // An argument that reads this state while a method of it is called would copy the whole state.
    let (channelCount, stem) = (voices[index].channelCount, voices[index].stem)
    var values = scene.voiceValues(of: slot, channelCount: channelCount, in: stem)
    let isDirect = values.isDirect
    let isInStem = stem == scene.stem(of: slot)
    var isMoved = !isInStem && scene.canMoveToStem(slot) && canChangeRouting(of: voices[index], of: slot)
    if values.isDirect != voices[index].values.isDirect, voices[index].isAudible(at: now),
      scene.hasChannels(slot, channelCount: channelCount)
    {
      values.isDirect = voices[index].values.isDirect
      isMoved = canChangeRouting(of: voices[index], of: slot)
    }
    let changes = voices.move(index, to: values, filterStep: scene.time.physics.filterStep, &outbox.commands)
    if let update, isInStem, values.isDirect == isDirect, !voices[index].values.glides(to: values) {
      voices.setSettled(update, index)
      scene.emitters.setValuesKnown(of: slot)
    }
    if changes.contains(.sends) {
      let feeds = scene.feeds(of: slot)
      let sends = scene.sends(of: slot, with: feeds)
      voices.setFeeds(feeds, of: index)
      outbox.append(.setSends(index, sends))
    } else {
      voices.moveFeeds(of: index, in: &scene, &outbox.commands)
    }
    return isMoved
  }

  /// Whether another voice can go on, whose channels go to the loudspeakers as they are, or no longer do.
  ///
  /// The stream of an emitter would have to be opened again, and leave a gap: it keeps its voice until it begins again.
  private func canChangeRouting(of voice: Voice, of slot: EmitterSlot) -> Bool {
    guard voice.role == .plain else { return false }
    if scene.emitters[slot].isPlayer { return canReplaceReader(of: slot) }
    return !voice.isStream && scene.emitters[slot].status != .pausing && voices.hasFree
  }
}
