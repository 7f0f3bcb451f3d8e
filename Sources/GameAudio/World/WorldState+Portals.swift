internal import Spatial3D

/// The openings between the zones of a world, and the ways of its sounds through them.
struct PortalState: Sendable {
  var portals: [Portal] = []
  var graph = PortalGraph()
  /// The ways from each listener.
  var routes: [PortalRoutes] = []
  /// The muffling of the walls, in decibels.
  var wall: Float = -30
  /// Whether the portals, the zones or the walls have changed since the ways were searched.
  var isChanged = false
  /// The number of changes of the zones.
  var version = 0
  /// The way of each emitter, by slot; empty without portals.
  var paths: [EmitterPath] = []
  var faults = SpaceFaults()

  /// The way of an emitter.
  struct EmitterPath: Sendable {
    /// The place and the zones that its room was searched for.
    var searched = SIMD3<Float>(repeating: .nan)
    var version = -1
    /// The number of the search of the ways, and the place of the listener, that the path belongs to.
    var search = -1
    var listener = SIMD3<Float>(repeating: .nan)
    var room = -1
    var path = SoundPath()
    var glide = PathGlide()
  }
}

// The ways of sounds from room to room.

extension WorldState {
  /// Replaces the openings; an unusable one stays in the list, and no way leads through it.
  mutating func setPortals(_ new: [Portal]) {
    portals.portals = repair(new)
    rebuildPortals()
  }

  /// Connects the zones anew, after a change of them or of the openings.
  mutating func rebuildPortals() {
    portals.graph = PortalGraph(portals.portals, of: space.zones, closed: portals.wall)
    portals.isChanged = true
    portals.version += 1
    if portals.portals.isEmpty { portals.paths = [] }
  }

  /// Searches the ways of the listeners that have moved.
  mutating func searchPortals() {
    guard !portals.portals.isEmpty else { return }
    while portals.routes.count < listenerCount { portals.routes.append(PortalRoutes()) }
    for index in 0..<listenerCount {
      let place = ear(index).position
      guard portals.isChanged || portals.routes[index].origin != place || portals.routes[index].room < 0 else {
        continue
      }
      let room = RoomSearch.room(of: place, in: space.zones)
      portals.routes[index].search(portals.graph, from: place, in: room)
    }
    portals.isChanged = false
  }

  /// Finds the way of an emitter; one with a voice glides from its last one.
  mutating func updatePath(of slot: Int, glides: Bool = false) {
    guard !portals.portals.isEmpty, records[slot].isPlaced else { return }
    if portals.routes.count < listenerCount || portals.isChanged { searchPortals() }
    while portals.paths.count < columns.count { portals.paths.append(PortalState.EmitterPath()) }
    let place = columns.position(of: slot)
    let owner = min(Int(records[slot].owner), portals.routes.count - 1)
    let (search, listener) = (portals.routes[owner].number, ear(of: slot).position)
    let isSame =
      portals.paths[slot].searched == place && portals.paths[slot].version == portals.version
      && portals.paths[slot].search == search && portals.paths[slot].listener == listener
    if glides, isSame, portals.paths[slot].glide.isIdle { return }
    (portals.paths[slot].search, portals.paths[slot].listener) = (search, listener)
    if portals.paths[slot].searched != place || portals.paths[slot].version != portals.version {
      portals.paths[slot].room = RoomSearch.room(of: place, in: space.zones)
      (portals.paths[slot].searched, portals.paths[slot].version) = (place, portals.version)
    }
    let path = SoundPath(
      from: place,
      in: portals.paths[slot].room,
      portals.graph,
      portals.routes[owner],
      wall: portals.wall
    )
    if glides {
      portals.paths[slot].path = portals.paths[slot].glide.next(path, from: listener)
    } else {
      portals.paths[slot].glide.reset()
      portals.paths[slot].path = path
    }
  }

  /// The way of an emitter; `nil` in a world without portals.
  func path(of slot: Int) -> SoundPath? {
    guard slot < portals.paths.count, records[slot].isPlaced, portals.paths[slot].room >= 0 else { return nil }
    return portals.paths[slot].path
  }

  /// The place from which the listener receives an emitter.
  func audiblePlace(of slot: Int) -> SIMD3<Float> { path(of: slot)?.place ?? columns.position(of: slot) }

  /// The muffling of an emitter, by the game, the rays and the way; behind a wall the rays do not count.
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

  /// The name of the portal from which an emitter is received; `nil` for none.
  func portalName(of slot: Int) -> String? {
    if case .portal = path(of: slot)?.course { pathName(of: slot) } else { nil }
  }

  /// The name of the way of an emitter, for its explanation.
  func pathName(of slot: Int) -> String? {
    switch path(of: slot)?.course {
    case nil, .straight: return nil
    case .wall: return "wall between the rooms"
    case .portal(let index):
      guard index < portals.portals.count else { return "portal" }
      return "portal \(portals.portals[index].name)"
    }
  }
}
