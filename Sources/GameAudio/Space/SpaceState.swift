internal import Spatial3D

/// The listeners, the zones, the portals and the rays of a world.
///
/// It reads emitters by ``PlacedEmitter``, and returns what the world has to do.
struct SpaceState: Sendable {
  var listeners = ListenerSet()
  var zones = ZoneState()
  var rays = RayState()
  private(set) var portals = PortalState()

  /// Replaces the zones, which are the rooms of the portals as well.
  mutating func setZones(_ new: [ReverbZone]) -> ZoneState.Change {
    let change = zones.set(new)
    portals.rebuildRooms(zones.zones)
    return change
  }

  /// Replaces the portals.
  mutating func setPortals(_ new: [Portal]) -> [Diagnostic] { portals.set(new, between: zones.zones) }

  /// Sets the occlusion by the walls, in decibels.
  mutating func setWall(_ level: Float) { portals.setWall(level) }

  // MARK: - Paths

  /// Whether all sounds reach one listener, in straight lines.
  var hasStraightPaths: Bool { portals.isEmpty && listeners.countWithRemoved == 1 }

  /// Searches the routes through the portals of the listeners that have moved.
  mutating func searchRoutes() { portals.searchRoutes(from: listeners) }

  /// Finds the path of an emitter; with a voice, it glides from the last path by some ticks.
  mutating func updatePath(of emitter: PlacedEmitter, glides: Bool = false, ticks: Float = 0) {
    portals.updatePath(of: emitter, listeners, glides: glides, ticks: ticks)
  }

  /// Finds the path of an emitter with a voice after a change since the last tick, in a copy of the state.
  ///
  /// A glide does not move on.
  mutating func catchUpPath(of emitter: PlacedEmitter) {
    guard !portals.isEmpty, !portals.isCurrent(emitter, listeners) else { return }
    updatePath(of: emitter, glides: true)
  }

  /// Searches the room of an emitter that has moved, ahead of ``arrival(of:at:)``.
  mutating func updateRoom(of emitter: PlacedEmitter) { _ = portals.updateRoom(of: emitter, listeners) }

  /// The distance at which an emitter would arrive at a listener, and the occlusion on its path, in decibels.
  func arrival(of emitter: PlacedEmitter, at index: ListenerIndex) -> (distance: Float, occlusion: Float) {
    let origin = listeners[index].position
    guard !portals.isEmpty else { return ((emitter.position - origin).length, 0) }
    let path = portals.path(of: emitter, to: index)
    return ((path.place - origin).length, path.occlusion)
  }

  /// The path of an emitter; `nil` for an emitter without a position, and in a world without portals.
  @inline(__always)
  func path(of emitter: PlacedEmitter?) -> SoundPath? { emitter.flatMap { portals.path(of: $0.slot) } }

  /// The index of the zone that an emitter is in; `nil` for none.
  func zone(of emitter: PlacedEmitter) -> ZoneIndex? {
    guard !zones.zones.isEmpty else { return nil }
    let room = portals.room(of: emitter).position
    return zones.zones.indices.contains(room) ? ZoneIndex(room) : nil
  }

  /// Forgets the path of an emitter that had a slot before.
  mutating func forgetPath(of slot: EmitterSlot) { portals.forgetPath(of: slot) }

  // MARK: - Rays

  /// The ends of the rays to an emitter with a radius; `nil` for an emitter behind a wall, which is not asked about.
  mutating func rayTarget(of emitter: PlacedEmitter, radius: Float) -> RayTarget? {
    let course = rays.presentPath(of: emitter, portals, listeners)?.course
    if course == .wall { return nil }
    guard let portal = portals.portal(of: course) else { return RayTarget(center: emitter.position, radius: radius) }
    return RayTarget(center: portal.position, radius: 0)
  }

  // MARK: - Copies

  /// Whether zones and portals are as in a new world.
  var isDefault: Bool { !zones.isInUse && portals.isDefault }

  /// The portals without the paths of emitters, for a recording.
  var portalsWithoutPaths: PortalState {
    var copy = portals
    copy.forgetPaths()
    return copy
  }

  /// Takes over the zones and the portals of a recording.
  mutating func restore(_ zones: ZoneState, _ portals: PortalState) { (self.zones, self.portals) = (zones, portals) }
}

extension SpaceState: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    zones.convertFrames(conversion)
    rays.setMoved(until: conversion.present)
  }
}
