internal import PCM
internal import Spatial3D

// The values of sources in the space, at each tick.

extension WorldPlayback {
  /// Chooses the emitters to ask about.
  mutating func beginRays(_ limit: Int, _ selector: VoiceSelector) -> [RayQuestion] {
    scene.space.rays.begin(limit: limit)
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let slot = voices[index].slot, let target = scene.rayTarget(of: slot) else { continue }
      scene.space.rays.add(real: slot, scene.emitters[rare: slot].rays, rays: target.rays)
    }
    addCandidates(selector, room: scene.space.rays.endReal(limit: limit))
    var questions = scene.space.rays.takeQuestions()
    for index in 0..<scene.space.rays.queue.fittingCount {
      let request = scene.space.rays.queue.requests[index]
      guard let target = scene.rayTarget(of: request.slot) else { continue }
      questions.append(
        RayQuestion(
          to: scene.emitters.id(of: request.slot),
          origin: scene.space.listeners[scene.emitters[request.slot].listener].position,
          target: target,
          rays: request.rays
        )
      )
    }
    return questions
  }

  /// Adds emitters that lack 6 dB or less for a voice, each call from where the last one ended.
  private mutating func addCandidates(_ selector: VoiceSelector, room: Int) {
    let count = min(scene.emitters.count, selector.bounds.count)
    let loudest = scene.space.listeners.rendered.gain.rawValue
    guard room > 0, loudest > 0, count > 0 else { return }
    let least = Audibility.threshold * Priority(0).factor
    let isFull = voices.isFull
    let score = isFull ? max(selector.choice.lowestRealScore ?? least, least) : least
    let threshold = score / 2 / loudest
    var left = room
    let first = scene.space.rays.nextCandidate
    for offset in 0..<count where left > 0 {
      let slot = EmitterSlot((first + offset) % count)
      guard selector.bounds[slot.position] >= threshold, scene.emitters.weight(of: slot) > 0,
        let target = scene.rayTarget(of: slot)
      else { continue }
      scene.space.rays.add(candidate: slot, scene.emitters[rare: slot].rays, rays: target.rays)
      left -= target.rays
    }
  }

  /// Applies the answers, and takes the memory of the questions back.
  mutating func endRays(_ questions: inout [RayQuestion]) {
    log.record(.rays(questions.compactMap(\.answer)))
    for question in questions where scene.emitters.has(question.emitter) {
      if let answer = question.answer {
        apply(answer)
      } else {
        if scene.space.rays.takeWrongReport() { outbox.report(.wrongRayAnswer) }
        let call = scene.space.rays.call
        scene.emitters.changeRare(question.emitter.slot) { $0.rays.skip(at: call) }
      }
    }
    scene.space.rays.giveBack(&questions)
  }

  /// Applies the answers of a recorded call.
  mutating func applyRays(_ answers: [EmitterRays]) {
    scene.space.rays.countCall()
    for answer in answers where scene.emitters.has(answer.subject) { apply(answer) }
  }

  mutating func apply(_ answer: EmitterRays) {
    let slot = answer.subject.slot
    let call = scene.space.rays.call
    let isHeard = isHeard(slot)
    let isFirst = scene.emitters[rare: slot].rays.isFirst
    scene.emitters.changeRare(slot) {
      $0.rays.take(occlusion: answer.occlusion, obstruction: answer.obstruction, at: call, isHeard: isHeard)
    }
    // A voice that no mix has rendered takes its first answer without a glide.
    guard isFirst, isHeard, now <= max(scene.emitters[slot].switched, scene.emitters[slot].began) else { return }
    guard let voice = scene.emitters[slot].voice else { return }
    voices.setMuffling(from: scene.voiceValues(of: slot), of: voice, &outbox.commands)
  }

  /// Replaces the listeners; an emitter without a voice leaves a listener that was removed.
  mutating func setListeners(_ listeners: [Listener]) {
    guard scene.space.listeners.set(listeners) else { return }
    let count = scene.space.listeners.count
    for slot in scene.emitters.indices where scene.emitters[slot].listener.position >= count && !isHeard(slot) {
      scene.emitters.store(slot) { $0.listener = 0 }
    }
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
    let change = scene.space.setZones(new)
    for diagnostic in change.diagnostics { outbox.report(diagnostic) }
    for unit in 0..<ZonePool.capacity {
      if let reverb = change.reverbs[unit], let effect = scene.space.zones.effects[unit] {
        outbox.append(.setUnitReverb(effect, reverb))
      }
    }
    stepZones()
  }

  /// Moves the levels of the zones towards their values at the positions of the listeners, by some ticks.
  mutating func stepZones(by ticks: Float = 0) {
    let actions = scene.space.zones.step(
      at: scene.space.listeners,
      frame: now,
      sampleRate: scene.time.physics.sampleRate,
      ticks: ticks,
      isSilent: scene.emitters.activeCount == 0
    )
    for action in actions {
      switch action {
      case .open(let unit, _): outbox.append(.openZone(UnitIndex(unit)))
      case .setGain(let unit, let gain):
        if let effect = scene.space.zones.effects[unit] { outbox.append(.setUnitGain(effect, gain)) }
      case .release(let unit): outbox.append(.closeZone(UnitIndex(unit)))
      }
    }
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

  /// Hands the shares of a voice that have moved, begun or ended to its source.
  mutating func flushFeeds(of voice: VoiceIndex) {
    let old = voices[voice].feeds
    guard scene.space.zones.isInUse || old != VoiceFeeds(), let slot = voices[voice].slot else { return }
    let step = FeedStep(
      from: old,
      to: scene.feeds(of: slot),
      room: scene.space.zones.sendLimit - scene.ownSendCount(of: slot),
      endTicks: scene.time.mixesByFrames ? 1 : 2,
      exists: { scene.space.zones.effects[$0.position] != nil }
    )
    for index in 0..<step.changeCount {
      guard let change = step.changes[index], let effect = scene.space.zones.effect(of: change.unit) else { continue }
      outbox.append(change.gain.map { .feed(voice, effect, $0) } ?? .endFeed(voice, effect))
    }
    voices.setFeeds(step.feeds, of: voice)
  }

  /// Hands the changed values to the sources; changes of the paths move by a number of ticks.
  mutating func flush(_ step: Float) {
    if let listener = scene.space.listeners.takeChange() { outbox.append(.listener(listener)) }
    let seconds = scene.space.rays.seconds(until: now, sampleRate: scene.time.physics.sampleRate)
    var moved: [EmitterSlot] = []
    for index in voices.indices where voices[index].state == .sounding {
      guard let slot = voices[index].slot else { continue }
      scene.stepRays(of: slot, seconds: seconds)
      scene.updatePath(of: slot, glides: true, ticks: step)
      // The clock and the source go on with the new step from the same frame.
      scene.updateShift(of: slot)
      // An argument that reads this state while a method of it is called would copy the whole state.
      let channelCount = voices[index].channelCount
      var values = scene.voiceValues(of: slot, channelCount: channelCount)
      if values.isDirect != voices[index].values.isDirect, voices[index].isAudible(at: now),
        hasChannels(voices[index], of: slot)
      {
        values.isDirect = voices[index].values.isDirect
        if canChangeRouting(of: voices[index], of: slot) { moved.append(slot) }
      }
      let changes = voices.move(index, to: values, filterStep: scene.time.physics.filterStep, &outbox.commands)
      if changes.contains(.sends) {
        let feeds = scene.feeds(of: slot)
        let sends = scene.sends(of: slot, with: feeds)
        voices.setFeeds(feeds, of: index)
        outbox.append(.setSends(index, sends))
      } else {
        flushFeeds(of: index)
      }
      guard voices[index].isLooping else { continue }
      let margin = scene.time.mixesByFrames ? 0 : scene.frames(ofMilliseconds: 100)
      if LoopPlan.isInLastLap(scene.emitters[slot].clock, at: now, marginFrames: margin) {
        voices.setLooping(false, of: index, &outbox.commands)
      }
    }
    for slot in moved { changeRouting(of: slot) }
  }

  /// Whether a voice plays a sound whose channels may go to the loudspeakers as they are.
  private func hasChannels(_ voice: Voice, of slot: EmitterSlot) -> Bool {
    let record = scene.emitters[slot]
    return record.isPlayer ? voice.channelCount > 1 : scene.sounds[record.sound].loaded?.channelCount != 1
  }

  /// Whether another voice can go on, whose channels go to the loudspeakers as they are, or no longer do.
  ///
  /// The stream of an emitter would have to be opened again, and leave a gap: it keeps its voice until it begins again.
  private func canChangeRouting(of voice: Voice, of slot: EmitterSlot) -> Bool {
    guard voice.role == .plain else { return false }
    if scene.emitters[slot].isPlayer { return canReplaceReader(of: slot) }
    return !voice.isStream && scene.emitters[slot].status != .pausing && voices.hasFree
  }

  /// Lets another voice go on: the library changes the routing of channels within a frame, which is audible as a click.
  private mutating func changeRouting(of slot: EmitterSlot) {
    // Another sound may have taken the last free voice.
    guard voices.hasFree else { return }
    if scene.emitters[slot].isPlayer { replaceReader(of: slot) } else { changeVoice(of: slot) }
  }
}
