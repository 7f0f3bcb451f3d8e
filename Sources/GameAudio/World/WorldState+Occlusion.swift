internal import Spatial3D

/// The rays of a world: the memory of its questions stays from call to call.
struct RayState: Sendable {
  var requests: [RayQueue.Request] = []
  var questions: [RayQuestion] = []
  /// The number of calls.
  var call: UInt32 = 0
  /// The slot at which the next search for emitters without a voice begins.
  var nextCandidate = 0
  var hasReportedWrong = false
  /// The paths from each listener, after a change of the portals since the last tick.
  var routes: [PortalRoutes] = []
  /// The frame up to which the answers have moved.
  var movedUntil = 0
}

// The emitters that the game is asked about, and the answers.

extension WorldState {
  /// Chooses the emitters to ask about.
  mutating func beginRays(_ limit: Int) -> [RayQuestion] {
    space.rays.call &+= 1
    var memory: [RayQueue.Request] = []
    swap(&memory, &space.rays.requests)
    var queue = RayQueue(limit: limit, reusing: memory)
    for index in voices.voices.indices
    where voices.voices[index].state == .sounding && voices.voices[index].role == .plain {
      let slot = voices.voices[index].slot
      if isAskedAbout(slot) { queue.add(real: slot, age: age(of: slot), rays: rayCount(of: slot)) }
    }
    queue.makeRoomForOldest()
    let room = limit - queue.rayCount
    if room > 0 { addCandidates(to: &queue, room: room) }
    var questions: [RayQuestion] = []
    swap(&questions, &space.rays.questions)
    questions.removeAll(keepingCapacity: true)
    for index in 0..<queue.fittingCount {
      let request = queue.requests[index]
      questions.append(
        RayQuestion(
          emitter: emitters.id(of: request.slot),
          origin: listener(of: request.slot).position,
          center: rayEnd(of: request.slot),
          radius: rayRadius(of: request.slot),
          rays: request.rays
        )
      )
    }
    space.rays.requests = queue.requests
    return questions
  }

  /// Adds emitters that lack 6 dB or less for a voice, each call from where the last one ended.
  private mutating func addCandidates(to queue: inout RayQueue, room: Int) {
    let count = min(emitters.count, selector.bounds.count)
    let loudest = space.listeners.rendered.gain.rawValue
    guard loudest > 0, count > 0 else { return }
    let least = Audibility.threshold * Priority(0).factor
    let isFull = voices.voices.count(where: \.isTaken) >= voices.limit
    let score = isFull ? max(selector.choice.lowestRealScore ?? least, least) : least
    let threshold = score / 2 / loudest
    var left = room
    let first = space.rays.nextCandidate
    for offset in 0..<count where left > 0 {
      let slot = (first + offset) % count
      guard selector.bounds[slot] >= threshold, emitters.columns.weight[slot] > 0, isAskedAbout(slot) else { continue }
      let rays = rayCount(of: slot)
      queue.add(candidate: slot, age: age(of: slot), rays: rays)
      left -= rays
      self.space.rays.nextCandidate = slot + 1
    }
  }

  private mutating func isAskedAbout(_ slot: EmitterSlot) -> Bool {
    emitters[slot].isPlaced && presentPath(of: slot)?.course != .wall
  }

  /// The end of the rays to an emitter: its position, or the middle of the first opening on its path.
  ///
  /// The middle is in the plane of the wall. Another point of the ball of `Portal.radius` may be behind the wall, and
  /// the game would answer that the wall is in between.
  private mutating func rayEnd(of slot: EmitterSlot) -> SIMD3<Float> {
    guard let portal = firstPortal(of: slot) else { return emitters.position(of: slot) }
    return space.portals.portals[portal].position
  }

  /// The index of the first portal on the path of an emitter; `nil` for a path through no portal.
  private mutating func firstPortal(of slot: EmitterSlot) -> Int? {
    guard case .portal(let index) = presentPath(of: slot)?.course, index < space.portals.portals.count else {
      return nil
    }
    return index
  }

  /// The path of an emitter through the present portals, which may have changed since the last tick.
  ///
  /// It changes no path of the world: a replay of the answers does not search.
  private mutating func presentPath(of slot: EmitterSlot) -> SoundPath? {
    guard let path = path(of: slot) else { return nil }
    let owner = min(emitters[slot].listener.position, space.listeners.countWithRemoved - 1)
    let hasRoutes =
      owner < space.portals.routes.count && space.portals.routes[owner].version == space.portals.graph.version
    if hasRoutes, space.portals.paths[slot].search == space.portals.routes[owner].number { return path }
    while space.rays.routes.count < space.listeners.countWithRemoved { space.rays.routes.append(PortalRoutes()) }
    let (origin, place) = (space.listeners[ListenerIndex(owner)].position, emitters.position(of: slot))
    if space.rays.routes[owner].version != space.portals.graph.version || space.rays.routes[owner].origin != origin {
      space.rays.routes[owner].search(space.portals.graph, from: origin, in: space.portals.rooms.room(of: origin))
    }
    let room = space.portals.rooms.room(of: place)
    return SoundPath(from: place, in: room, space.portals.graph, space.rays.routes[owner], wall: space.portals.wall)
  }

  /// The radius of an emitter; through an opening it takes one ray.
  private mutating func rayRadius(of slot: EmitterSlot) -> Float {
    emitters[slot].hasRareSettings && firstPortal(of: slot) == nil ? emitters[rare: slot].radius : 0
  }

  private mutating func rayCount(of slot: EmitterSlot) -> Int { RayDisc.count(radius: rayRadius(of: slot)) }

  private func age(of slot: EmitterSlot) -> UInt32 {
    emitters[slot].hasRareSettings ? emitters[rare: slot].rays.age(at: space.rays.call) : .max
  }

  /// Applies the answers, and takes the memory of the questions back.
  mutating func endRays(_ questions: inout [RayQuestion]) {
    log.record(.rays(questions.compactMap(\.answer)))
    for question in questions where emitters.has(question.emitter) {
      guard let answer = question.answer else {
        reportWrongAnswer()
        let call = space.rays.call
        emitters.changeRare(Int(question.emitter.slot)) { $0.rays.skip(at: call) }
        continue
      }
      adopt(answer)
    }
    swap(&questions, &space.rays.questions)
  }

  /// Applies the answers of a recorded call.
  mutating func adoptRays(_ answers: [EmitterRays]) {
    space.rays.call &+= 1
    for answer in answers where emitters.has(answer.emitter) { adopt(answer) }
  }

  private mutating func adopt(_ answer: EmitterRays) {
    let slot = Int(answer.emitter.slot)
    let call = space.rays.call
    let isHeard = isHeard(slot)
    let isFirst = !emitters[slot].hasRareSettings || emitters[rare: slot].rays.isFirst
    emitters.changeRare(slot) {
      $0.rays.take(occlusion: answer.occlusion, obstruction: answer.obstruction, at: call, isHeard: isHeard)
    }
    // A voice that no mix has rendered takes its first answer without a glide.
    guard isFirst, isHeard, now <= max(emitters[slot].switched, emitters[slot].began) else { return }
    let voice = Int(emitters[slot].voice)
    let values = voiceValues(of: slot)
    (voices.voices[voice].values.occlusion, voices.voices[voice].values.obstruction) = (
      values.occlusion, values.obstruction
    )
    outbox.append(.set(voice, voices.voices[voice].values, .muffling))
  }

  private mutating func reportWrongAnswer() {
    guard !space.rays.hasReportedWrong else { return }
    space.rays.hasReportedWrong = true
    outbox.report(.wrongRayAnswer)
  }

  /// The seconds of the mix since the last call.
  mutating func secondsSinceRays() -> Float {
    let frames = now - space.rays.movedUntil
    space.rays.movedUntil = now
    return Float(min(max(frames, 0), time.physics.sampleRate)) / Float(max(time.physics.sampleRate, 1))
  }

  /// Moves the occlusion and the obstruction by rays of an emitter with a voice on by a time.
  mutating func stepRays(of slot: EmitterSlot, seconds: Float) {
    guard emitters[rare: slot].rays.isMoving else { return }
    emitters.changeRare(slot) { $0.rays.step(seconds: seconds) }
  }

  /// Lets the next answer for an emitter that begins count as its first; the last one stays in force until then.
  mutating func forgetRays(of slot: EmitterSlot) {
    guard emitters[slot].hasRareSettings else { return }
    emitters.changeRare(slot) { $0.rays.begin() }
  }
}

extension RareSettings {
  /// The occlusion that the game has set, plus the occlusion by the rays.
  var wholeOcclusion: Decibels { max(occlusion + Decibels(rays.occlusion), -100) }
  var wholeObstruction: Decibels { max(obstruction + Decibels(rays.obstruction), -100) }
}
