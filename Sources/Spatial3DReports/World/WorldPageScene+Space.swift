internal import GameAudio

// The zones and the portals of a page.

extension [WorldSnapshot] {
  /// The outermost positions of the zones, on the plane of x and z.
  var spaceCorners: [SIMD2<Float>] {
    var shapes: Set<ReverbZone.Shape> = []
    for snapshot in self { shapes.formUnion(snapshot.zones.map(\.shape)) }
    return shapes.flatMap { ZoneOutline($0).corners }
  }

  /// The zones and portals of all snapshots: each list once, its index for each snapshot, and the levels of the zones.
  var spaceJSON: JSON {
    var (zones, portals) = (UniqueValues<[WorldSnapshot.Zone]>(), UniqueValues<[Portal]>())
    let indices = map { snapshot in
      // The levels change with the listener, the outlines seldom.
      let outlines = snapshot.zones.map { zone in
        var zone = zone
        (zone.weight, zone.level) = (nil, nil)
        return zone
      }
      return JSON.list([
        .number(Double(zones.index(of: outlines))), .number(Double(portals.index(of: snapshot.portals))),
      ])
    }
    return .object([
      "zones": .list(zones.values.map { .list($0.enumerated().map { $1.json(index: $0) }) }),
      "portals": .list(portals.values.map { list in .list(list.map(\.json)) }),
      "indices": .list(indices),
      "levels": .list(
        map { snapshot in
          .list(snapshot.zones.map { .level($0.level.map { Swift.max($0.rawValue, -160) } ?? -160) })
        }
      ),
    ])
  }
}

extension WorldSnapshot.Zone {
  /// The name or the index, the fade and the outline.
  fileprivate func json(index: Int) -> JSON {
    let outline: JSON
    switch ZoneOutline(shape) {
    case .circle(let center, let radius): outline = .list([.level(center.x), .level(center.y), .level(radius)])
    case .polygon(let corners): outline = .list(corners.flatMap { [.level($0.x), .level($0.y)] })
    }
    return .list([.text(name ?? "\(index)"), .level(fade ?? 3), outline])
  }
}

extension Portal {
  /// The name, the position, the radius and the openness.
  fileprivate var json: JSON {
    .list([
      .text(name), .level(position.x), .level(position.z), .level(max(radius, 0)), .level(min(max(openness, 0), 1)),
    ])
  }
}
