internal import Spatial3D

/// The listeners, the zones, the portals and the rays of a world.
struct SpaceState: Sendable {
  var listeners = ListenerSet()
  var zones = ZoneState()
  var rays = RayState()
  var portals = PortalState()
}

extension SpaceState: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    zones.pool.convertFrames(conversion)
    rays.movedUntil = conversion.present
  }
}
