internal import AudioSupport
internal import Spatial3D

// The zones and the portals of a recording, in the world of its replay.

extension WorldState {
  /// The call that makes the zones and the portals as they are; `nil` for a world without them.
  var recreationOfSpace: BeginningStep? {
    guard !playback.scene.space.isDefault else { return nil }
    // The effects belong to the context, and the paths of emitters to their slots.
    var zones = playback.scene.space.zones
    zones.forgetEffects()
    let units = (0..<ZonePool.capacity).compactMap { index in
      playback.scene.space.zones.effects[index].map { unit in
        SpaceRecord.Unit(
          index: index,
          number: unit.number,
          firstFrame: unit.firstFrame,
          effect: unit.effect,
          gain: unit.gain
        )
      }
    }
    return .space(SpaceRecord(zones: zones, units: units, portals: playback.scene.space.portalsWithoutPaths))
  }

  /// Takes over the zones and the portals of a recording.
  fileprivate mutating func restore(
    _ record: SpaceRecord,
    _ effects: [EffectUnit?],
    sendLimit: Int,
    after shift: Int
  ) {
    playback.scene.space.restore(record.zones.moved(by: shift, effects, sendLimit: sendLimit), record.portals)
  }
}

extension Replay {
  /// Makes the zones and the portals of a recording, with the levels and the routes of its beginning.
  func restore(_ record: SpaceRecord, in world: AudioWorld) {
    // The world releases a unit that has rung out.
    let zoneUnits = objects.withLock { objects in
      defer { objects.zoneUnits = [:] }
      return objects.zoneUnits
    }
    let (effects, limit) = ((0..<ZonePool.capacity).map { zoneUnits[$0] }, world.context.sendLimit)
    world.act { $0.restore(record, effects, sendLimit: limit, after: shift) }
  }
}
