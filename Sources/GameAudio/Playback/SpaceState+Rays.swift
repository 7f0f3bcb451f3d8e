internal import Spatial3D

// The emitters that the game is asked about.

extension SpaceState {
  /// Chooses the emitters to ask about, with a number of rays.
  mutating func beginRays(
    limit: Int,
    _ emitters: borrowing EmitterTable,
    _ voices: borrowing VoicePool,
    _ selector: borrowing VoiceSelector
  ) -> [RayQuestion] {
    rays.begin(limit: limit)
    for index in voices.indices
    where voices[index].state == .sounding && voices[index].role == .plain {
      guard let slot = voices[index].slot, let target = rayTarget(of: slot, emitters) else { continue }
      rays.add(real: slot, emitters[rare: slot].rays, rays: target.rays)
    }
    addCandidates(emitters, isFull: voices.isFull, selector, room: rays.endReal(limit: limit))
    var questions = rays.takeQuestions()
    for index in 0..<rays.queue.fittingCount {
      let request = rays.queue.requests[index]
      guard let target = rayTarget(of: request.slot, emitters) else { continue }
      questions.append(
        RayQuestion(
          to: emitters.id(of: request.slot),
          origin: listeners[emitters[request.slot].listener].position,
          target: target,
          rays: request.rays
        )
      )
    }
    return questions
  }

  /// Adds emitters that lack 6 dB or less for a voice, each call from where the last one ended.
  ///
  /// Chosen: the answer may make such an emitter loud enough for a voice. Each more distant candidate costs rays.
  private mutating func addCandidates(
    _ emitters: borrowing EmitterTable,
    isFull: Bool,
    _ selector: borrowing VoiceSelector,
    room: Int
  ) {
    let count = min(emitters.count, selector.bounds.count)
    let loudest = listeners.rendered.gain.rawValue
    guard room > 0, loudest > 0, count > 0 else { return }
    let least = Audibility.threshold * Priority(0).factor
    let score = isFull ? max(selector.choice.lowestRealScore ?? least, least) : least
    let threshold = score / 2 / loudest
    var left = room
    let first = rays.nextCandidate
    for offset in 0..<count where left > 0 {
      let slot = EmitterSlot((first + offset) % count)
      guard selector.bounds[slot.position] >= threshold, emitters.weight(of: slot) > 0,
        let target = rayTarget(of: slot, emitters)
      else { continue }
      rays.add(candidate: slot, emitters[rare: slot].rays, rays: target.rays)
      left -= target.rays
    }
  }

  /// The ends of the rays to an emitter; `nil` for an emitter that the game is not asked about.
  private mutating func rayTarget(of slot: EmitterSlot, _ emitters: borrowing EmitterTable) -> RayTarget? {
    guard let emitter = emitters.placed(slot) else { return nil }
    return rayTarget(of: emitter, radius: emitters[rare: slot].radius)
  }
}

extension RayQuestion {
  /// The mean of the answers; `nil` if one of them was wrong.
  var answer: EmitterRays? {
    levels.map { EmitterRays(subject: emitter, occlusion: $0.occlusion, obstruction: $0.obstruction) }
  }
}
