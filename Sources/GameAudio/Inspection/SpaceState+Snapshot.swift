internal import Spatial3D

// The listeners, the zones, the portals and the paths of a snapshot.

extension SpaceState {
  var listenerSnapshots: [Listener] { listeners.all.map(\.atMicro) }

  /// The zones; of an unusable one, the numbers that are not finite are 0, as no JSON holds them.
  var zoneSnapshots: [WorldSnapshot.Zone] {
    zones.zones.indices.map { index in
      let zone = zones.zones[index]
      // A zone whose reverb has a number that is not finite does not sound, and JSON has no such number.
      let reverb = zone.reverb.isFinite ? zone.reverb : Reverb(.smallRoom)
      var snapshot = WorldSnapshot.Zone(shape: zone.shape.atMicro, reverb: reverb)
      if !zone.name.isEmpty { snapshot.name = zone.name }
      if zone.fade != 3 { snapshot.fade = zone.fade.orZero.atMicro }
      if zone.priority != 0 { snapshot.priority = zone.priority }
      var weight: Float = 0
      for listener in listeners.all { weight = max(weight, zone.weight(at: listener.position)) }
      if weight > 0 { snapshot.weight = weight.atMicro }
      snapshot.level = zones.level(of: ZoneIndex(index)).map { Decibels(factor: $0).atMicro }
      return snapshot
    }
  }

  /// The portals; one with a number that is not finite is closed.
  var portalSnapshots: [Portal] {
    portals.portals.map { portal in
      var snapshot = portal
      snapshot.position = portal.position.orZero.atMicro
      snapshot.radius = portal.radius.orZero.atMicro
      snapshot.openness = portal.isUsable ? portal.openness.atMicro : 0
      return snapshot
    }
  }

  /// The occlusion by the walls; `nil` for the value of a new world.
  var wallSnapshot: Decibels? { portals.hasDefaultWall ? nil : Decibels(portals.wall).atMicro }

  /// The shares of an emitter that go to zones.
  func factors(of feeds: VoiceFeeds) -> [Explanation.Factor] {
    [feeds.first, feeds.second].compactMap { $0 }.map { feed in
      let zone = zones.largestZone(of: feed.unit)
      let kind: Explanation.Factor.Kind =
        zone.map { .zone(name: zones.zones[$0.position].name, index: $0.position) } ?? .removedZone
      return Explanation.Factor(kind: kind, level: Decibels(factor: feed.gain))
    }
  }
}

extension ReverbZone.Shape {
  fileprivate var atMicro: ReverbZone.Shape {
    switch self {
    case .sphere(let center, let radius): .sphere(center: center.orZero.atMicro, radius: radius.orZero.atMicro)
    case .box(let center, let size, let yaw):
      .box(center: center.orZero.atMicro, size: size.orZero.atMicro, yaw: yaw.orZero.atMicro)
    case .hull(let points): .hull(points.map(\.orZero.atMicro))
    }
  }
}

extension Float {
  fileprivate var orZero: Float { isFinite ? self : 0 }
}

extension SIMD3<Float> {
  fileprivate var orZero: SIMD3<Float> { SIMD3(x.orZero, y.orZero, z.orZero) }
}

extension Listener {
  fileprivate var atMicro: Listener {
    Listener(
      position: position.atMicro,
      velocity: velocity.atMicro,
      orientation: orientation,
      gain: gain
    )
  }
}
