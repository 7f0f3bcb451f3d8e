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
    rays.call &+= 1
    var memory: [RayQueue.Request] = []
    swap(&memory, &rays.requests)
    var queue = RayQueue(limit: limit, reusing: memory)
    for index in voices.indices where voices[index].state == .sounding && voices[index].role == .plain {
      let slot = voices[index].slot
      if isAskedAbout(slot) { queue.add(real: slot, age: age(of: slot), rays: rayCount(of: slot)) }
    }
    queue.makeRoomForOldest()
    let room = limit - queue.rayCount
    if room > 0 { addCandidates(to: &queue, room: room) }
    var questions: [RayQuestion] = []
    swap(&questions, &rays.questions)
    questions.removeAll(keepingCapacity: true)
    for index in 0..<queue.fittingCount {
      let request = queue.requests[index]
      questions.append(
        RayQuestion(
          emitter: id(of: request.slot),
          origin: ear(of: request.slot).position,
          center: rayEnd(of: request.slot),
          radius: rayRadius(of: request.slot),
          rays: request.rays
        )
      )
    }
    rays.requests = queue.requests
    return questions
  }

  /// Adds emitters that lack 6 dB or less for a voice, each call from where the last one ended.
  private mutating func addCandidates(to queue: inout RayQueue, room: Int) {
    let count = min(columns.count, bounds.count)
    let loudest = renderedListener.gain.rawValue
    guard loudest > 0, count > 0 else { return }
    let least = Audibility.threshold * Priority(0).factor
    let isFull = voices.count(where: \.isTaken) >= voiceLimit
    let score = isFull ? max(choice.lowestRealScore ?? least, least) : least
    let threshold = score / 2 / loudest
    var left = room
    let first = rays.nextCandidate
    for offset in 0..<count where left > 0 {
      let slot = (first + offset) % count
      guard bounds[slot] >= threshold, columns.weight[slot] > 0, isAskedAbout(slot) else { continue }
      let rays = rayCount(of: slot)
      queue.add(candidate: slot, age: age(of: slot), rays: rays)
      left -= rays
      self.rays.nextCandidate = slot + 1
    }
  }

  private mutating func isAskedAbout(_ slot: Int) -> Bool {
    records[slot].isPlaced && presentPath(of: slot)?.course != .wall
  }

  /// The end of the rays to an emitter: its position, or the middle of the first opening on its path.
  ///
  /// The middle is in the plane of the wall. Another point of the ball of `Portal.radius` may be behind the wall, and
  /// the game would answer that the wall is in between.
  private mutating func rayEnd(of slot: Int) -> SIMD3<Float> {
    guard let portal = firstPortal(of: slot) else { return columns.position(of: slot) }
    return portals.portals[portal].position
  }

  /// The index of the first portal on the path of an emitter; `nil` for a path through no portal.
  private mutating func firstPortal(of slot: Int) -> Int? {
    guard case .portal(let index) = presentPath(of: slot)?.course, index < portals.portals.count else { return nil }
    return index
  }

  /// The path of an emitter through the present portals, which may have changed since the last tick.
  ///
  /// It changes no path of the world: a replay of the answers does not search.
  private mutating func presentPath(of slot: Int) -> SoundPath? {
    guard let path = path(of: slot) else { return nil }
    let owner = min(Int(records[slot].owner), earCount - 1)
    let hasRoutes = owner < portals.routes.count && portals.routes[owner].version == portals.graph.version
    if hasRoutes, portals.paths[slot].search == portals.routes[owner].number { return path }
    while rays.routes.count < earCount { rays.routes.append(PortalRoutes()) }
    let (origin, place) = (ear(owner).position, columns.position(of: slot))
    if rays.routes[owner].version != portals.graph.version || rays.routes[owner].origin != origin {
      rays.routes[owner].search(portals.graph, from: origin, in: portals.rooms.room(of: origin))
    }
    let room = portals.rooms.room(of: place)
    return SoundPath(from: place, in: room, portals.graph, rays.routes[owner], wall: portals.wall)
  }

  /// The radius of an emitter; through an opening it takes one ray.
  private mutating func rayRadius(of slot: Int) -> Float {
    records[slot].rare < 0 || firstPortal(of: slot) != nil ? 0 : rare[Int(records[slot].rare)].radius
  }

  private mutating func rayCount(of slot: Int) -> Int { RayDisc.count(radius: rayRadius(of: slot)) }

  private func age(of slot: Int) -> UInt32 {
    records[slot].rare < 0 ? .max : rare[Int(records[slot].rare)].rays.age(at: rays.call)
  }

  /// Applies the answers, and takes the memory of the questions back.
  mutating func endRays(_ questions: inout [RayQuestion]) {
    note(.rays(questions.compactMap(\.answer)))
    for question in questions where has(question.emitter) {
      guard let answer = question.answer else {
        reportWrongAnswer()
        let call = rays.call
        changeRare(Int(question.emitter.slot)) { $0.rays.skip(at: call) }
        continue
      }
      adopt(answer)
    }
    swap(&questions, &rays.questions)
  }

  /// Applies the answers of a recorded call.
  mutating func adoptRays(_ answers: [EmitterRays]) {
    note(.rays(answers))
    rays.call &+= 1
    for answer in answers where has(answer.emitter) { adopt(answer) }
  }

  private mutating func adopt(_ answer: EmitterRays) {
    let slot = Int(answer.emitter.slot)
    let call = rays.call
    let isHeard = isHeard(slot)
    let isFirst = records[slot].rare < 0 || rare[Int(records[slot].rare)].rays.isFirst
    changeRare(slot) {
      $0.rays.take(occlusion: answer.occlusion, obstruction: answer.obstruction, at: call, isHeard: isHeard)
    }
    // A voice that no mix has rendered takes its first answer without a glide.
    guard isFirst, isHeard, now <= max(records[slot].switched, records[slot].began) else { return }
    let voice = Int(records[slot].voice)
    let values = voiceValues(of: slot)
    (voices[voice].values.occlusion, voices[voice].values.obstruction) = (values.occlusion, values.obstruction)
    commands.append(.set(voice, voices[voice].values, .muffling))
  }

  private mutating func reportWrongAnswer() {
    guard !rays.hasReportedWrong else { return }
    rays.hasReportedWrong = true
    diagnostics.append(.wrongRayAnswer)
  }

  /// The seconds of the mix since the last call.
  mutating func secondsSinceRays() -> Float {
    let frames = now - rays.movedUntil
    rays.movedUntil = now
    return Float(min(max(frames, 0), physics.sampleRate)) / Float(max(physics.sampleRate, 1))
  }

  /// Moves the occlusion and the obstruction by rays of an emitter with a voice on by a time.
  mutating func stepRays(of slot: Int, seconds: Float) {
    let index = Int(records[slot].rare)
    guard index >= 0, rare[index].rays.isMoving else { return }
    rare[index].rays.step(seconds: seconds)
  }

  /// Lets the next answer for an emitter that begins count as its first; the last one stays in force until then.
  mutating func forgetRays(of slot: Int) {
    let index = Int(records[slot].rare)
    guard index >= 0 else { return }
    rare[index].rays.begin()
  }
}

extension RareSettings {
  /// The occlusion that the game has set, plus the occlusion by the rays.
  var wholeOcclusion: Decibels { max(occlusion + Decibels(rays.occlusion), -100) }
  var wholeObstruction: Decibels { max(obstruction + Decibels(rays.obstruction), -100) }
}
