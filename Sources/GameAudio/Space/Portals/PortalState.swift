internal import Spatial3D

/// The openings between the zones of a world, and the paths of its sounds through them.
struct PortalState: Sendable {
  private(set) var portals: [Portal] = []
  private(set) var graph = PortalGraph()
  /// The routes from each listener.
  private(set) var routes: [PortalRoutes] = []
  /// The occlusion by the walls, in decibels.
  ///
  /// Chosen: a wall lowers pink noise by about 10 dB and removes its highs, so that a sound is audible behind a wall,
  /// and clearly louder through an opening.
  private(set) var wall: Float = -30
  /// The rooms, and the number of their changes: with the zones, and with portals that move.
  private(set) var rooms = RoomMap()
  private(set) var roomVersion = 0
  /// The path of each emitter, by slot; empty without portals.
  private(set) var paths: [EmitterPath] = []
  private var faults = PortalFaults()

  /// The path of an emitter.
  struct EmitterPath: Sendable {
    /// The position and the zones that its room was searched for.
    fileprivate(set) var searched: SIMD3<Float>?
    fileprivate(set) var roomVersion: Int?
    /// The number of the search of the routes, and the position of the listener, that the path belongs to.
    fileprivate(set) var search: Int?
    fileprivate(set) var listener: SIMD3<Float>?
    fileprivate(set) var room: RoomIndex?
    /// Whether the room was searched after the path.
    fileprivate(set) var isMoved = true
    fileprivate(set) var path = SoundPath()
    fileprivate(set) var glide = PathGlide()
  }

  // MARK: - Rooms and openings

  var isEmpty: Bool { portals.isEmpty }

  /// Whether the openings and the walls are the openings and the walls of a new world.
  var isDefault: Bool { portals.isEmpty && hasDefaultWall }

  var hasDefaultWall: Bool { wall == Self().wall }

  /// Replaces the openings; an unusable opening stays in the list, and no path leads through it.
  mutating func set(_ new: [Portal], between zones: [ReverbZone]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    portals = faults.repair(new, after: portals, between: zones, &diagnostics)
    rebuild()
    return diagnostics
  }

  /// Sets the occlusion by the walls, in decibels.
  mutating func setWall(_ level: Float) {
    wall = level
    rebuild()
  }

  /// Numbers the rooms anew, after a change of the zones.
  mutating func rebuildRooms(_ zones: [ReverbZone]) {
    rooms = RoomMap(zones)
    roomVersion += 1
    rebuild()
  }

  /// Connects the rooms anew, after a change of them, of the openings or of the walls.
  private mutating func rebuild() {
    if rooms.setDoorways(portals) { roomVersion += 1 }
    graph = PortalGraph(portals, in: rooms, closed: wall, version: graph.version + 1)
    if portals.isEmpty { paths = [] }
  }

  // MARK: - Paths

  /// Searches the routes of the listeners that have moved.
  mutating func searchRoutes(from listeners: borrowing ListenerSet) {
    guard !portals.isEmpty else { return }
    let count = listeners.countWithRemoved
    while routes.count < count { routes.append(PortalRoutes()) }
    for index in 0..<count {
      let position = listeners[ListenerIndex(index)].position
      guard routes[index].version != graph.version || routes[index].origin != position else { continue }
      routes[index].search(graph, from: position, in: rooms.room(of: position))
    }
  }

  /// Searches the room of an emitter if it has moved, and the routes if the portals have changed.
  ///
  /// It returns `false` in a world without portals.
  mutating func updateRoom(of emitter: PlacedEmitter, _ listeners: borrowing ListenerSet) -> Bool {
    guard !portals.isEmpty else { return false }
    let (version, count) = (graph.version, listeners.countWithRemoved)
    if routes.count < count || routes.prefix(count).contains(where: { $0.version != version }) {
      searchRoutes(from: listeners)
    }
    let slot = emitter.slot.position
    while paths.count <= slot { paths.append(EmitterPath()) }
    if paths[slot].searched != emitter.position || paths[slot].roomVersion != roomVersion {
      paths[slot].room = rooms.room(of: emitter.position)
      (paths[slot].searched, paths[slot].roomVersion) = (emitter.position, roomVersion)
      paths[slot].isMoved = true
    }
    return true
  }

  /// Finds the path of an emitter; with a voice, it glides from the last path.
  ///
  /// - Parameters:
  ///   - emitter: The emitter.
  ///   - listeners: The listeners.
  ///   - glides: Whether the emitter has a voice.
  ///   - ticks: The ticks by which a glide moves on.
  mutating func updatePath(
    of emitter: PlacedEmitter,
    _ listeners: borrowing ListenerSet,
    glides: Bool,
    ticks: Float
  ) {
    guard updateRoom(of: emitter, listeners) else { return }
    let (slot, index) = (emitter.slot.position, listeners.nearest(to: emitter.listener))
    let (search, listener) = (routes[index.position].number, listeners[index].position)
    let isSame = paths[slot].search == search && paths[slot].listener == listener
    if glides, isSame, !paths[slot].isMoved, paths[slot].glide.isIdle { return }
    (paths[slot].search, paths[slot].listener) = (search, listener)
    paths[slot].isMoved = false
    let path = path(of: emitter, to: index)
    if glides {
      paths[slot].path = paths[slot].glide.next(path, from: listener, ticks: ticks)
    } else {
      paths[slot].glide.reset()
      paths[slot].path = path
    }
  }

  /// Whether the path of an emitter is the path through the present portals, which may have changed since the last
  /// tick.
  func isCurrent(_ emitter: PlacedEmitter, _ listeners: borrowing ListenerSet) -> Bool {
    let index = listeners.nearest(to: emitter.listener).position
    return emitter.slot.position < paths.count && index < routes.count && routes[index].version == graph.version
      && paths[emitter.slot.position].search == routes[index].number
  }

  /// The path of an emitter to a listener, after ``updateRoom(of:_:)``.
  func path(of emitter: PlacedEmitter, to listener: ListenerIndex) -> SoundPath {
    let room = paths[emitter.slot.position].room ?? rooms.outdoors
    return SoundPath(from: emitter.position, in: room, graph, routes[listener.position], wall: wall)
  }

  /// The path of an emitter in a slot, as it was found last; `nil` for none.
  func path(of slot: EmitterSlot) -> SoundPath? {
    guard slot.position < paths.count, paths[slot.position].room != nil else { return nil }
    return paths[slot.position].path
  }

  /// The room of a position; with the room of an emitter that was searched already.
  func room(of emitter: PlacedEmitter) -> RoomIndex {
    let slot = emitter.slot.position
    if slot < paths.count, paths[slot].roomVersion == roomVersion, paths[slot].searched == emitter.position,
      let room = paths[slot].room
    {
      return room
    }
    return rooms.room(of: emitter.position)
  }

  /// The opening of the course of a path; `nil` for a path through no opening.
  func portal(of course: SoundPath.Course?) -> Portal? {
    guard case .portal(let index) = course, index.position < portals.count else { return nil }
    return portals[index.position]
  }

  /// Forgets the path of an emitter that had a slot before.
  mutating func forgetPath(of slot: EmitterSlot) {
    if slot.position < paths.count { paths[slot.position] = EmitterPath() }
  }

  /// Forgets the paths of all emitters.
  mutating func forgetPaths() { paths = [] }
}
