internal import Spatial3D

// The emitters that the game is asked about, and the answers.

extension WorldState {
  /// Chooses the emitters to ask about.
  mutating func beginRays(_ limit: Int) -> [RayQuestion] {
    space.rays.begin(limit: limit)
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let slot = voices[index].slot, let target = rayTarget(of: slot) else { continue }
      space.rays.add(real: slot, emitters[rare: slot].rays, rays: target.rays)
    }
    addCandidates(room: space.rays.endReal(limit: limit))
    var questions = space.rays.takeQuestions()
    for index in 0..<space.rays.queue.fittingCount {
      let request = space.rays.queue.requests[index]
      guard let target = rayTarget(of: request.slot) else { continue }
      questions.append(
        RayQuestion(
          slot: request.slot,
          generation: emitters[request.slot].generation,
          origin: space.listeners[emitters[request.slot].listener].position,
          target: target,
          rays: request.rays
        )
      )
    }
    return questions
  }

  /// Adds emitters that lack 6 dB or less for a voice, each call from where the last one ended.
  private mutating func addCandidates(room: Int) {
    let count = min(emitters.count, selector.bounds.count)
    let loudest = space.listeners.rendered.gain.rawValue
    guard room > 0, loudest > 0, count > 0 else { return }
    let least = Audibility.threshold * Priority(0).factor
    let isFull = voices.isFull
    let score = isFull ? max(selector.choice.lowestRealScore ?? least, least) : least
    let threshold = score / 2 / loudest
    var left = room
    let first = space.rays.nextCandidate
    for offset in 0..<count where left > 0 {
      let slot = EmitterSlot((first + offset) % count)
      guard selector.bounds[slot.position] >= threshold, emitters.weight(of: slot) > 0, let target = rayTarget(of: slot)
      else { continue }
      space.rays.add(candidate: slot, emitters[rare: slot].rays, rays: target.rays)
      left -= target.rays
    }
  }

  /// The ends of the rays to an emitter; `nil` for an emitter that the game is not asked about.
  private mutating func rayTarget(of slot: EmitterSlot) -> RayTarget? {
    guard let emitter = emitters.placed(slot) else { return nil }
    return space.rayTarget(of: emitter, radius: emitters[rare: slot].radius)
  }

  /// Applies the answers, and takes the memory of the questions back.
  mutating func endRays(_ questions: inout [RayQuestion]) {
    log.record(.rays(questions.compactMap(\.answer)))
    for question in questions where emitters.has(question.emitter) {
      if let answer = question.answer {
        apply(answer)
      } else {
        if space.rays.takeWrongReport() { outbox.report(.wrongRayAnswer) }
        let call = space.rays.call
        emitters.changeRare(question.slot) { $0.rays.skip(at: call) }
      }
    }
    space.rays.giveBack(&questions)
  }

  /// Applies the answers of a recorded call.
  mutating func applyRays(_ answers: [EmitterRays]) {
    space.rays.countCall()
    for answer in answers where emitters.has(answer.emitter) { apply(answer) }
  }

  private mutating func apply(_ answer: EmitterRays) {
    let slot = answer.emitter.slot
    let call = space.rays.call
    let isHeard = isHeard(slot)
    let isFirst = emitters[rare: slot].rays.isFirst
    emitters.changeRare(slot) {
      $0.rays.take(occlusion: answer.occlusion, obstruction: answer.obstruction, at: call, isHeard: isHeard)
    }
    // A voice that no mix has rendered takes its first answer without a glide.
    guard isFirst, isHeard, now <= max(emitters[slot].switched, emitters[slot].began) else { return }
    guard let voice = emitters[slot].voice else { return }
    voices.setMuffling(from: voiceValues(of: slot), of: voice, &outbox.commands)
  }

  /// Moves the occlusion and the obstruction by rays of an emitter with a voice on by a time.
  mutating func stepRays(of slot: EmitterSlot, seconds: Float) {
    guard emitters[slot].hasRareSettings, emitters[rare: slot].rays.isMoving else { return }
    emitters[rare: slot].rays.step(seconds: seconds)
  }
}

extension RayQuestion {
  var emitter: Emitter.ID { Emitter.ID(slot: slot, generation: generation) }

  /// The mean of the answers; `nil` if one of them was wrong.
  var answer: EmitterRays? {
    levels.map { EmitterRays(emitter: emitter, occlusion: $0.occlusion, obstruction: $0.obstruction) }
  }

  /// Casts the rays.
  mutating func ask(_ answer: (OcclusionRay) -> OcclusionResult) {
    let (origin, emitter) = (origin, emitter)
    cast { answer(OcclusionRay(origin: origin, target: $0, emitter: emitter)) }
  }
}
