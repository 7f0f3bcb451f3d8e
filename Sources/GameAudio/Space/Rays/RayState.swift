internal import Spatial3D

/// The rays of a world: the memory of its questions stays from call to call.
struct RayState: Sendable {
  /// The emitters to ask about.
  private(set) var queue = RayQueue(limit: 0)
  private var questions: [RayQuestion] = []
  /// The number of calls.
  private(set) var call: UInt32 = 0
  /// The position in the slots at which the next search for emitters without a voice begins.
  private(set) var nextCandidate = 0
  private(set) var hasReportedWrong = false
  /// The paths from each listener, after a change of the portals since the last tick.
  private var routes: [PortalRoutes] = []
  /// The frame up to which the answers have moved.
  private(set) var movedUntil = 0

  // MARK: - Questions

  /// Begins with a call.
  mutating func begin(limit: Int) {
    call &+= 1
    queue.begin(limit: limit)
  }

  /// Counts the call of a recording, whose answers are known.
  mutating func countCall() { call &+= 1 }

  /// Adds an emitter with a voice.
  mutating func add(real slot: EmitterSlot, _ answer: RayAnswer, rays: Int) {
    queue.add(real: slot, age: answer.age(at: call), rays: rays)
  }

  /// Ends the list of emitters with a voice; returns the number of rays that are left.
  mutating func endReal(limit: Int) -> Int {
    queue.makeRoomForOldest()
    return limit - queue.rayCount
  }

  /// Adds an emitter without a voice; the next call begins its search after it.
  mutating func add(candidate slot: EmitterSlot, _ answer: RayAnswer, rays: Int) {
    queue.add(candidate: slot, age: answer.age(at: call), rays: rays)
    nextCandidate = slot.position + 1
  }

  /// An empty list of questions, with memory.
  mutating func takeQuestions() -> [RayQuestion] {
    var taken: [RayQuestion] = []
    swap(&taken, &questions)
    taken.removeAll(keepingCapacity: true)
    return taken
  }

  /// Takes the memory of a list of questions back.
  mutating func giveBack(_ list: inout [RayQuestion]) { swap(&list, &questions) }

  /// Whether a wrong answer has still to be reported, for the first of them.
  mutating func takeWrongReport() -> Bool {
    defer { hasReportedWrong = true }
    return !hasReportedWrong
  }

  // MARK: - Paths

  /// The path of an emitter through the present portals, which may have changed since the last tick.
  ///
  /// It changes no path of the world: a replay of the answers does not search.
  mutating func presentPath(
    of emitter: PlacedEmitter,
    _ portals: borrowing PortalState,
    _ listeners: borrowing ListenerSet
  ) -> SoundPath? {
    guard let path = portals.path(of: emitter.slot) else { return nil }
    if portals.isCurrent(emitter, listeners) { return path }
    while routes.count < listeners.countWithRemoved { routes.append(PortalRoutes()) }
    let listener = listeners.nearest(to: emitter.listener)
    let (index, origin) = (listener.position, listeners[listener].position)
    if routes[index].version != portals.graph.version || routes[index].origin != origin {
      routes[index].search(portals.graph, from: origin, in: portals.rooms.room(of: origin))
    }
    let room = portals.rooms.room(of: emitter.position)
    return SoundPath(from: emitter.position, in: room, portals.graph, routes[index], wall: portals.wall)
  }

  // MARK: - Time

  /// The seconds of the mix since the last call, 1 at most.
  mutating func seconds(until frame: Int, sampleRate: Int) -> Float {
    let frames = frame - movedUntil
    movedUntil = frame
    return Float(min(max(frames, 0), sampleRate)) / Float(max(sampleRate, 1))
  }

  /// Lets the answers count as moved up to a frame.
  mutating func setMoved(until frame: Int) { movedUntil = frame }
}
