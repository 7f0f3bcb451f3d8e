internal import GameAudio

// The zones and the portals of a page.

extension [WorldSnapshot] {
  /// The places that the zones reach to, on the plane of x and z.
  var spaceCorners: [SIMD2<Float>] {
    var shapes: Set<ReverbZone.Shape> = []
    for snapshot in self { shapes.formUnion(snapshot.zones.map(\.shape)) }
    return shapes.flatMap { ZoneOutline($0).corners }
  }

  /// The zones and portals of all snapshots: each list once, its index for each snapshot, and the levels of the zones.
  var spaceJSON: JSON {
    var (zones, portals): (Lists<WorldSnapshot.Zone>, Lists<Portal>) = (Lists(), Lists())
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
      "zones": .list(zones.lists.map { .list($0.enumerated().map { $1.json(index: $0) }) }),
      "portals": .list(portals.lists.map { list in .list(list.map(\.json)) }),
      "indices": .list(indices),
      "levels": .list(
        map { snapshot in
          .list(snapshot.zones.map { .level($0.level.map { Swift.max($0.rawValue, -160) } ?? -160) })
        }
      ),
    ])
  }
}

/// Lists of which each one is kept once.
private struct Lists<Element: Hashable> {
  private(set) var lists: [[Element]] = []
  private var indices: [[Element]: Int] = [:]

  mutating func index(of list: [Element]) -> Int {
    if let index = indices[list] { return index }
    lists.append(list)
    indices[list] = lists.count - 1
    return lists.count - 1
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
  /// The name, the place, the radius and the openness.
  fileprivate var json: JSON {
    .list([
      .text(name), .level(position.x), .level(position.z), .level(max(radius, 0)), .level(min(max(openness, 0), 1)),
    ])
  }
}

extension ClosedRange<Float> {
  /// The range with some numbers, by half of its length at most on each side: a zone may surround everything.
  func widened(to numbers: [Float]) -> ClosedRange<Float> {
    guard let least = numbers.min(), let most = numbers.max() else { return self }
    let (low, high, room) = (lowerBound, upperBound, (upperBound - lowerBound) / 2)
    return Swift.max(Swift.min(low, least - 1), low - room)...Swift.min(Swift.max(high, most + 1), high + room)
  }
}
