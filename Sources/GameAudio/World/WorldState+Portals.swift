internal import Spatial3D

/// The openings between the zones of a world, and the paths of its sounds through them.
struct PortalState: Sendable {
  var portals: [Portal] = []
  var graph = PortalGraph()
  /// The routes from each listener.
  var routes: [PortalRoutes] = []
  /// The occlusion by the walls, in decibels.
  var wall: Float = -30
  /// The rooms, and the number of their changes: with the zones, and with portals that move.
  var rooms = RoomMap()
  var roomVersion = 0
  /// The path of each emitter, by slot; empty without portals.
  var paths: [EmitterPath] = []
  var faults = SpaceFaults()

  /// The path of an emitter.
  struct EmitterPath: Sendable {
    /// The position and the zones that its room was searched for.
    var searched = SIMD3<Float>(repeating: .nan)
    var roomVersion = -1
    /// The number of the search of the routes, and the position of the listener, that the path belongs to.
    var search = -1
    var listener = SIMD3<Float>(repeating: .nan)
    var room = -1
    /// Whether the room was searched after the path.
    var isMoved = true
    var path = SoundPath()
    var glide = PathGlide()
  }
}

// The paths of sounds from room to room.

extension WorldState {
  /// Replaces the openings; an unusable opening stays in the list, and no path leads through it.
  mutating func setPortals(_ new: [Portal]) {
    portals.portals = repair(new)
    rebuildPortals()
  }

  /// Numbers the rooms anew, after a change of the zones.
  mutating func rebuildRooms() {
    portals.rooms = RoomMap(space.zones)
    portals.roomVersion += 1
    rebuildPortals()
  }

  /// Connects the rooms anew, after a change of them, of the openings or of the walls.
  mutating func rebuildPortals() {
    if portals.rooms.setDoorways(portals.portals) { portals.roomVersion += 1 }
    let version = portals.graph.version + 1
    portals.graph = PortalGraph(portals.portals, in: portals.rooms, closed: portals.wall, version: version)
    if portals.portals.isEmpty { portals.paths = [] }
  }

  /// Searches the routes of the listeners that have moved.
  mutating func searchPortals() {
    guard !portals.portals.isEmpty else { return }
    while portals.routes.count < earCount { portals.routes.append(PortalRoutes()) }
    for index in 0..<earCount {
      let place = ear(index).position
      let isCurrent = portals.routes[index].version == portals.graph.version && portals.routes[index].origin == place
      guard !isCurrent else { continue }
      let room = portals.rooms.room(of: place)
      portals.routes[index].search(portals.graph, from: place, in: room)
    }
  }

  /// Finds the path of an emitter; with a voice, it glides from the last path.
  ///
  /// - Parameters:
  ///   - slot: The slot of the emitter.
  ///   - glides: Whether the emitter has a voice.
  ///   - ticks: The ticks by which a glide moves on.
  mutating func updatePath(of slot: Int, glides: Bool = false, ticks: Float = 0) {
    guard updateRoom(of: slot) else { return }
    let owner = min(Int(records[slot].owner), earCount - 1)
    let (search, listener) = (portals.routes[owner].number, ear(owner).position)
    let isSame = portals.paths[slot].search == search && portals.paths[slot].listener == listener
    if glides, isSame, !portals.paths[slot].isMoved, portals.paths[slot].glide.isIdle { return }
    (portals.paths[slot].search, portals.paths[slot].listener) = (search, listener)
    portals.paths[slot].isMoved = false
    let path = way(of: slot, to: owner)
    if glides {
      portals.paths[slot].path = portals.paths[slot].glide.next(path, from: listener, ticks: ticks)
    } else {
      portals.paths[slot].glide.reset()
      portals.paths[slot].path = path
    }
  }

  /// Finds the path of an emitter after a change since the last tick, in a copy of the state; a glide does not move on.
  mutating func catchUpPath(of slot: Int) {
    guard !portals.portals.isEmpty, records[slot].isPlaced else { return }
    let owner = min(Int(records[slot].owner), earCount - 1)
    let isCurrent =
      slot < portals.paths.count && owner < portals.routes.count
      && portals.routes[owner].version == portals.graph.version
      && portals.paths[slot].search == portals.routes[owner].number
    if !isCurrent { updatePath(of: slot, glides: isHeard(slot)) }
  }

  /// Searches the room of an emitter if it has moved, and the routes if the portals have changed.
  ///
  /// It returns `false` for an emitter without a position, and in a world without portals.
  mutating func updateRoom(of slot: Int) -> Bool {
    guard !portals.portals.isEmpty, records[slot].isPlaced else { return false }
    let version = portals.graph.version
    if portals.routes.count < earCount || portals.routes.prefix(earCount).contains(where: { $0.version != version }) {
      searchPortals()
    }
    while portals.paths.count < columns.count { portals.paths.append(PortalState.EmitterPath()) }
    let place = columns.position(of: slot)
    if portals.paths[slot].searched != place || portals.paths[slot].roomVersion != portals.roomVersion {
      portals.paths[slot].room = portals.rooms.room(of: place)
      (portals.paths[slot].searched, portals.paths[slot].roomVersion) = (place, portals.roomVersion)
      portals.paths[slot].isMoved = true
    }
    return true
  }

  /// The path of an emitter to a listener, after ``updateRoom(of:)``.
  func way(of slot: Int, to ear: Int) -> SoundPath {
    SoundPath(
      from: columns.position(of: slot),
      in: portals.paths[slot].room,
      portals.graph,
      portals.routes[ear],
      wall: portals.wall
    )
  }

  /// The path of an emitter; `nil` for an emitter without a position, and in a world without portals.
  func path(of slot: Int) -> SoundPath? {
    guard slot < portals.paths.count, records[slot].isPlaced, portals.paths[slot].room >= 0 else { return nil }
    return portals.paths[slot].path
  }

  /// The position from which the listener receives an emitter.
  func audiblePlace(of slot: Int) -> SIMD3<Float> { path(of: slot)?.place ?? columns.position(of: slot) }

  /// A vector at an emitter, such as its velocity, as it is at the position from which the listener receives it.
  func audibleVector(_ vector: SIMD3<Float>, of slot: Int) -> SIMD3<Float> {
    vector == .zero ? vector : path(of: slot)?.turned(vector) ?? vector
  }

  /// The occlusion and obstruction of an emitter, by the game, the rays and the path; without the rays behind a wall.
  func muffling(of slot: Int) -> (occlusion: Decibels, obstruction: Decibels) {
    let index = Int(records[slot].rare)
    let path = path(of: slot)
    var (occlusion, obstruction) = (Decibels(path?.muffling ?? 0), Decibels.zero)
    if index >= 0 {
      let isBehindWall = path?.course == .wall
      occlusion += isBehindWall ? rare[index].occlusion : rare[index].wholeOcclusion
      obstruction += isBehindWall ? rare[index].obstruction : rare[index].wholeObstruction
    }
    return (max(occlusion, -100), max(obstruction, -100))
  }

  /// The portal from which an emitter is received; `nil` for none.
  func portal(of slot: Int) -> Portal? {
    guard case .portal(let index) = path(of: slot)?.course, index < portals.portals.count else { return nil }
    return portals.portals[index]
  }
}
