extension Plan {
  /// A straight part of a wall between two positions.
  struct Wall: Hashable, Sendable {
    let start: SIMD2<Double>
    let end: SIMD2<Double>
  }

  /// The answer to a ray.
  enum Obstacle: Hashable, Sendable {
    case nothing
    case pillar
    case wall
  }

  /// The openness from which a person passes a door.
  static let passable: Float = 0.4

  /// The walls of all rooms without the openings of the doors.
  static let walls = rooms.flatMap(\.edges).flatMap { parts(from: $0.start, to: $0.end) }

  /// A wall without the doors that are in it.
  private static func parts(from start: SIMD2<Double>, to end: SIMD2<Double>) -> [Wall] {
    let isNorthSouth = start.x == end.x
    let inWall = doors.filter { door in
      door.isInNorthSouthWall == isNorthSouth
        && (isNorthSouth
          ? door.place.x == start.x && (start.y...end.y).contains(door.place.y)
          : door.place.y == start.y && (start.x...end.x).contains(door.place.x))
    }
    var corners = [start]
    for ends in inWall.map(\.ends).sorted(by: { $0.0.x + $0.0.y < $1.0.x + $1.0.y }) { corners += [ends.0, ends.1] }
    corners.append(end)
    return stride(from: 0, to: corners.count, by: 2).map { Wall(start: corners[$0], end: corners[$0 + 1]) }
  }

  /// The obstacle between two positions; a closed door is a wall.
  ///
  /// - Parameters:
  ///   - start: The position of the listener.
  ///   - end: The end of the ray.
  ///   - openness: The openness of each door.
  /// - Returns: The wall, if there is one and a pillar too.
  static func obstacle(from start: SIMD2<Double>, to end: SIMD2<Double>, openness: [Float]) -> Obstacle {
    if walls.contains(where: { crosses(start, end, $0.start, $0.end) }) { return .wall }
    for (door, openness) in zip(doors, openness) where openness <= 0 {
      if crosses(start, end, door.ends.0, door.ends.1) { return .wall }
    }
    return pillars.contains { hides($0, from: start, to: end) } ? .pillar : .nothing
  }

  /// Whether a person can stand at a position: apart from walls, closed doors and pillars by a radius.
  static func hasRoom(at place: SIMD2<Double>, radius: Double, openness: [Float]) -> Bool {
    guard room(at: place) != nil else { return false }
    let closed = zip(doors, openness).filter { $1 < passable }.map { Wall(start: $0.0.ends.0, end: $0.0.ends.1) }
    guard (walls + closed).allSatisfy({ distance(from: place, to: $0) >= radius }) else { return false }
    return pillars.allSatisfy { pillar in
      let way = pointwiseMax(place - pillar, pillar - place)
      return max(way.x, way.y) >= pillarWidth / 2 + radius
    }
  }

  /// The door that is nearest to a position.
  static func nearestDoor(to place: SIMD2<Double>) -> Int {
    let squares = doors.map { (($0.place - place) * ($0.place - place)).sum() }
    return squares.indices.min { squares[$0] < squares[$1] } ?? 0
  }

  /// Whether a ray passes a wall; a ray that ends on it does not.
  private static func crosses(
    _ start: SIMD2<Double>,
    _ end: SIMD2<Double>,
    _ first: SIMD2<Double>,
    _ last: SIMD2<Double>
  ) -> Bool {
    let (way, wall) = (end - start, last - first)
    let area = way.x * wall.y - way.y * wall.x
    guard area != 0 else { return false }
    let offset = first - start
    let along = (offset.x * wall.y - offset.y * wall.x) / area
    let inWall = (offset.x * way.y - offset.y * way.x) / area
    return along > 1e-6 && along < 1 - 1e-6 && inWall >= 0 && inWall <= 1
  }

  /// Whether a pillar is between two positions: the line between them crosses a diagonal of the pillar.
  private static func hides(_ pillar: SIMD2<Double>, from start: SIMD2<Double>, to end: SIMD2<Double>) -> Bool {
    let half = pillarWidth / 2
    return [SIMD2(half, half), SIMD2(half, -half)].contains { crosses(start, end, pillar - $0, pillar + $0) }
  }

  private static func distance(from place: SIMD2<Double>, to wall: Wall) -> Double {
    let way = wall.end - wall.start
    let part = min(max(((place - wall.start) * way).sum() / (way * way).sum(), 0), 1)
    let rest = place - wall.start - way * part
    return (rest * rest).sum().squareRoot()
  }
}

extension Plan.Room {
  /// The four walls, doors included.
  var edges: [Plan.Wall] {
    let (west, east, north, south) = (x.lowerBound, x.upperBound, y.lowerBound, y.upperBound)
    return [north, south].map { Plan.Wall(start: [west, $0], end: [east, $0]) }
      + [west, east].map { Plan.Wall(start: [$0, north], end: [$0, south]) }
  }
}
