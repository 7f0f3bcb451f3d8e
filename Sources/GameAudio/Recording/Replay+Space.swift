internal import AudioSupport
internal import Spatial3D

// The zones and the portals of a recording, in the world of its replay.

extension Replay {
  /// Makes the zones and the portals of a recording, with the levels and the routes of its beginning.
  func restore(_ record: SpaceRecord, in world: AudioWorld) {
    // The world releases a unit that has rung out.
    let zoneUnits = objects.withLock { objects in
      defer { objects.zoneUnits = [:] }
      return objects.zoneUnits
    }
    let (effects, limit) = ((0..<ZonePool.capacity).map { zoneUnits[$0] }, world.context.sendLimit)
    let zones = record.zones.moved(by: shift, effects, sendLimit: limit)
    world.act { $0.playback.scene.space.restore(zones, record.portals) }
  }
}
