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
    space.portals.portals = repair(new)
    rebuildPortals()
  }

  /// Numbers the rooms anew, after a change of the zones.
  mutating func rebuildRooms() {
    space.portals.rooms = RoomMap(space.zones.zones)
    space.portals.roomVersion += 1
    rebuildPortals()
  }

  /// Connects the rooms anew, after a change of them, of the openings or of the walls.
  mutating func rebuildPortals() {
    if space.portals.rooms.setDoorways(space.portals.portals) { space.portals.roomVersion += 1 }
    let version = space.portals.graph.version + 1
    space.portals.graph = PortalGraph(
      space.portals.portals,
      in: space.portals.rooms,
      closed: space.portals.wall,
      version: version
    )
    if space.portals.portals.isEmpty { space.portals.paths = [] }
  }

  /// Searches the routes of the listeners that have moved.
  mutating func searchPortals() {
    guard !space.portals.portals.isEmpty else { return }
    while space.portals.routes.count < space.listeners.countWithRemoved { space.portals.routes.append(PortalRoutes()) }
    for index in 0..<space.listeners.countWithRemoved {
      let place = space.listeners[ListenerIndex(index)].position
      let isCurrent =
        space.portals.routes[index].version == space.portals.graph.version
        && space.portals.routes[index].origin == place
      guard !isCurrent else { continue }
      let room = space.portals.rooms.room(of: place)
      space.portals.routes[index].search(space.portals.graph, from: place, in: room)
    }
  }

  /// Finds the path of an emitter; with a voice, it glides from the last path.
  ///
  /// - Parameters:
  ///   - slot: The slot of the emitter.
  ///   - glides: Whether the emitter has a voice.
  ///   - ticks: The ticks by which a glide moves on.
  mutating func updatePath(of slot: EmitterSlot, glides: Bool = false, ticks: Float = 0) {
    guard updateRoom(of: slot) else { return }
    let owner = min(emitters[slot].listener.position, space.listeners.countWithRemoved - 1)
    let (search, listener) = (space.portals.routes[owner].number, space.listeners[ListenerIndex(owner)].position)
    let isSame = space.portals.paths[slot].search == search && space.portals.paths[slot].listener == listener
    if glides, isSame, !space.portals.paths[slot].isMoved, space.portals.paths[slot].glide.isIdle { return }
    (space.portals.paths[slot].search, space.portals.paths[slot].listener) = (search, listener)
    space.portals.paths[slot].isMoved = false
    let path = way(of: slot, to: owner)
    if glides {
      space.portals.paths[slot].path = space.portals.paths[slot].glide.next(path, from: listener, ticks: ticks)
    } else {
      space.portals.paths[slot].glide.reset()
      space.portals.paths[slot].path = path
    }
  }

  /// Finds the path of an emitter after a change since the last tick, in a copy of the state; a glide does not move on.
  mutating func catchUpPath(of slot: EmitterSlot) {
    guard !space.portals.portals.isEmpty, emitters[slot].isPlaced else { return }
    let owner = min(emitters[slot].listener.position, space.listeners.countWithRemoved - 1)
    let isCurrent =
      slot < space.portals.paths.count && owner < space.portals.routes.count
      && space.portals.routes[owner].version == space.portals.graph.version
      && space.portals.paths[slot].search == space.portals.routes[owner].number
    if !isCurrent { updatePath(of: slot, glides: isHeard(slot)) }
  }

  /// Searches the room of an emitter if it has moved, and the routes if the portals have changed.
  ///
  /// It returns `false` for an emitter without a position, and in a world without portals.
  mutating func updateRoom(of slot: EmitterSlot) -> Bool {
    guard !space.portals.portals.isEmpty, emitters[slot].isPlaced else { return false }
    let version = space.portals.graph.version
    if space.portals.routes.count < space.listeners.countWithRemoved
      || space.portals.routes.prefix(space.listeners.countWithRemoved).contains(where: { $0.version != version })
    {
      searchPortals()
    }
    while space.portals.paths.count < emitters.count { space.portals.paths.append(PortalState.EmitterPath()) }
    let place = emitters.position(of: slot)
    if space.portals.paths[slot].searched != place || space.portals.paths[slot].roomVersion != space.portals.roomVersion
    {
      space.portals.paths[slot].room = space.portals.rooms.room(of: place)
      (space.portals.paths[slot].searched, space.portals.paths[slot].roomVersion) = (place, space.portals.roomVersion)
      space.portals.paths[slot].isMoved = true
    }
    return true
  }

  /// The path of an emitter to a listener, after ``updateRoom(of:)``.
  func way(of slot: EmitterSlot, to ear: Int) -> SoundPath {
    SoundPath(
      from: emitters.position(of: slot),
      in: space.portals.paths[slot].room,
      space.portals.graph,
      space.portals.routes[ear],
      wall: space.portals.wall
    )
  }

  /// The path of an emitter; `nil` for an emitter without a position, and in a world without portals.
  func path(of slot: EmitterSlot) -> SoundPath? {
    guard slot < space.portals.paths.count, emitters[slot].isPlaced, space.portals.paths[slot].room >= 0 else {
      return nil
    }
    return space.portals.paths[slot].path
  }

  /// The position from which the listener receives an emitter.
  func audiblePlace(of slot: EmitterSlot) -> SIMD3<Float> {
    path(of: slot)?.place ?? emitters.position(of: slot)
  }

  /// A vector at an emitter, such as its velocity, as it is at the position from which the listener receives it.
  func audibleVector(_ vector: SIMD3<Float>, of slot: EmitterSlot) -> SIMD3<Float> {
    vector == .zero ? vector : path(of: slot)?.turned(vector) ?? vector
  }

  /// The occlusion and obstruction of an emitter, by the game, the rays and the path; without the rays behind a wall.
  func muffling(of slot: EmitterSlot) -> (occlusion: Decibels, obstruction: Decibels) {
    let path = path(of: slot)
    var (occlusion, obstruction) = (Decibels(path?.muffling ?? 0), Decibels.zero)
    if emitters[slot].hasRareSettings {
      let isBehindWall = path?.course == .wall
      occlusion += isBehindWall ? emitters[rare: slot].occlusion : emitters[rare: slot].wholeOcclusion
      obstruction += isBehindWall ? emitters[rare: slot].obstruction : emitters[rare: slot].wholeObstruction
    }
    return (max(occlusion, -100), max(obstruction, -100))
  }

  /// The portal from which an emitter is received; `nil` for none.
  func portal(of slot: EmitterSlot) -> Portal? {
    guard case .portal(let index) = path(of: slot)?.course, index < space.portals.portals.count else { return nil }
    return space.portals.portals[index]
  }
}
