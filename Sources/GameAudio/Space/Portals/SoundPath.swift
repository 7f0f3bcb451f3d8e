/// The path of a sound to a listener: straight, through portals, or through the walls.
struct SoundPath: Equatable, Sendable {
  /// The kind of the path.
  enum Course: Equatable, Sendable {
    case straight
    /// Through portals; the portal of the index is nearest to the listener.
    case portal(PortalIndex)
    /// No opening leads to the sound.
    case wall
  }

  var course = Course.straight
  /// The position from which the sound comes: in the direction of the first opening, at the length of the path.
  var place = SIMD3<Float>.zero
  /// The direction in which the path leaves the listener.
  var ahead = SIMD3<Float>.zero
  /// The direction in which the path arrives at the sound.
  var arrival = SIMD3<Float>.zero
  /// A hash of the openings on the path, in their order; 0 for none.
  var openings: UInt64 = 0
  /// The occlusion, in decibels.
  var occlusion: Float = 0

  /// The path from a sound in a room to the position at which some routes begin.
  ///
  /// - Parameters:
  ///   - sound: The position of the sound.
  ///   - room: Its room.
  ///   - graph: The openings.
  ///   - routes: The routes from the listener.
  ///   - wall: The occlusion by the walls, in decibels.
  init(
    from sound: SIMD3<Float>,
    in room: RoomIndex,
    _ graph: borrowing PortalGraph,
    _ routes: borrowing PortalRoutes,
    wall: Float
  ) {
    place = sound
    ahead = Self.direction(from: routes.origin, to: sound)
    arrival = ahead
    guard room != routes.room else { return }
    (course, occlusion) = (.wall, wall)
    var best = PortalRoutes.Way()
    var bestCost = Float.infinity
    var last: DoorIndex?
    let doors = graph.doors
    routes.forEachWay(into: room, graph) { way, index in
      // All further routes cost more than the whole best path.
      guard way.cost < bestCost else { return false }
      let cost = way.cost + (doors[index.position].position - sound).length
      if cost < bestCost, way.loss > wall { (best, bestCost, last) = (way, cost, index) }
      return true
    }
    guard let first = best.first, let last else { return }
    let door = graph[first]
    let next = best.second.map { graph[$0].position } ?? sound
    let origin = routes.origin
    // The path goes through the point of the opening nearest to the straight line: it bends no more than it has to.
    let opening = Self.crossing(of: door, from: origin, to: next)
    let length =
      best.length + (graph[last].position - sound).length - (door.position - origin).length
      - (door.position - next).length + (opening - origin).length + (opening - next).length
    let toOpening = (opening - origin).length
    // In the opening itself, the next part of the path gives the direction.
    ahead =
      toOpening > Self.shortest ? (opening - origin) / toOpening : (next - origin) / max((next - origin).length, 1e-6)
    let end = best.second == nil ? opening : graph[last].position
    arrival = (sound - end).length > Self.shortest ? Self.direction(from: end, to: sound) : ahead
    place = origin + ahead * max(length, 0)
    (course, occlusion, openings) = (.portal(door.portal), best.loss, best.openings)
  }

  init() {}

  /// The shortest distance from an opening, in metres, at which the opening has a direction.
  ///
  /// Chosen: less than the radius of a head. Nearer, a small move turns the direction far.
  private static let shortest: Float = 0.05

  /// A vector at the sound, such as its velocity, as it is at the position from which the sound comes.
  ///
  /// It turns with the path, so that a sound that goes away from its last opening goes away from the listener.
  func turned(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    vector == .zero || arrival == ahead ? vector : vector.turned(from: arrival, to: ahead)
  }

  private static func direction(from: SIMD3<Float>, to: SIMD3<Float>) -> SIMD3<Float> {
    let way = to - from
    let length = way.length
    return length > 0 ? way / length : SIMD3(0, 0, -1)
  }

  /// The point of an opening that is nearest to the straight line through it.
  private static func crossing(of door: PortalGraph.Door, from: SIMD3<Float>, to: SIMD3<Float>) -> SIMD3<Float> {
    let way = to - from
    let square = (way * way).sum()
    let along = square > 0 ? min(max(((door.position - from) * way).sum() / square, 0), 1) : 0
    let offset = from + way * along - door.position
    let distance = offset.length
    return door.position + (distance > door.radius ? offset * (door.radius / distance) : offset)
  }
}
