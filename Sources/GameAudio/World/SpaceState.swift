internal import Spatial3D

/// The listeners, the zones, the portals and the rays of a world.
struct SpaceState: Sendable {
  var listeners = ListenerSet()
  var zones = ZoneState()
  var rays = RayState()
  var portals = PortalState()
}
