/// The shortest routes from one position to all doors, and through them.
///
/// A door has two ends: one route comes out of it in its first room, and another route in its second room. A decibel of
/// occlusion counts as one metre, so that an open door is preferred to a nearer door that is nearly closed.
///
/// The cheapest route to an end may have too much occlusion to go farther, while a longer route would go on. A second
/// search then finds the routes with the least occlusion, for which a decibel counts as 1,000 km: a route is found if
/// one exists. It need not be the cheapest route with less occlusion than the walls.
struct PortalRoutes: Sendable {
  /// The route that comes out at one end of a door.
  struct Way: Equatable, Sendable {
    var length: Float = .infinity
    var loss: Float = 0
    /// The door at which the route leaves the first room, and the next door.
    var first: DoorIndex?
    var second: DoorIndex?
    /// A hash of the openings on the route, in their order; 0 for none.
    var openings: UInt64 = 0
    /// The rooms that the route has been in, a bit for each; see ``PortalGraph/bit(of:)``.
    var rooms: UInt64 = 0

    var cost: Float { length - loss }

    /// The length, with a number of metres for a decibel of occlusion.
    func cost(decibel: Double) -> Double { Self.cost(length, loss, decibel: decibel) }

    static func cost(_ length: Float, _ loss: Float, decibel: Double) -> Double {
      Double(length) - decibel * Double(loss)
    }
  }

  /// A route into a room.
  private struct Arrival: Sendable {
    /// The position of the route in the list of the routes.
    let route: Int32
    let door: DoorIndex
  }

  /// A route that is extended to the exits of a room.
  private struct Extension {
    let way: Way
    let place: SIMD3<Float>
    /// The index of the first route of the search.
    let first: Int
    let decibel: Double
  }

  /// The position at which the routes begin, and its room.
  private(set) var origin = SIMD3<Float>.zero
  private(set) var room: RoomIndex?
  /// The version of the graph that was searched; `nil` for none.
  private(set) var version: Int?
  /// The number of searches.
  private(set) var number = 0
  /// The number of steps of the last search through a door.
  private(set) var steps = 0
  /// The cheapest route to each end, and after a second search the routes with the least occlusion.
  private(set) var ways: [Way] = []
  private var isDone: [Bool] = []
  /// The rooms beyond each group of exits, a bit for each, apart from exits that are done; `nil` while a route may be
  /// extended to an exit of the group.
  ///
  /// A route that has been in all of these rooms leaves the group out.
  private var visited: [UInt64?] = []
  /// Whether a route was left out because it has too much occlusion.
  private var isCut = false
  /// The routes into a room, the cheapest route first: from twice the index of the room's first exit on.
  ///
  /// Behind the number of its routes, a room has elements that nothing reads.
  private var arrivals: [Arrival] = []
  /// The number of routes into each room.
  private var arrivalCounts: [Int32] = []
  /// A heap of the ends that are to be visited, by their costs.
  private var heap: [(cost: Double, end: DoorEnd)] = []

  /// Finds the routes by Dijkstra's algorithm; the memory stays from call to call.
  mutating func search(_ graph: PortalGraph, from origin: SIMD3<Float>, in room: RoomIndex) {
    (self.origin, self.room, version) = (origin, room, graph.version)
    number += 1
    (steps, isCut) = (0, false)
    ways.removeAll(keepingCapacity: true)
    arrivalCounts.removeAll(keepingCapacity: true)
    for _ in 0..<graph.roomCount { arrivalCounts.append(0) }
    // Two searches find up to two routes to each end.
    while arrivals.count < 4 * graph.doors.count { arrivals.append(Arrival(route: 0, door: 0)) }
    search(graph, from: room, decibel: 1)
    if isCut { search(graph, from: room, decibel: 1e6) }
  }

  /// Finds a route to each end, with a number of metres for a decibel of occlusion.
  private mutating func search(_ graph: PortalGraph, from room: RoomIndex, decibel: Double) {
    let first = ways.count
    isDone.removeAll(keepingCapacity: true)
    for _ in 0..<2 * graph.doors.count {
      ways.append(Way())
      isDone.append(false)
    }
    visited.removeAll(keepingCapacity: true)
    for _ in graph.groups { visited.append(nil) }
    visit(graph, room, Way(length: 0), from: origin, first, decibel)
    while let end = popNearest() {
      guard !isDone[end.position] else { continue }
      isDone[end.position] = true
      let (room, index) = (graph.room(at: end), first + end.position)
      let way = ways[index]
      if first == 0 || way != ways[end.position] {
        arrive(graph, room, Arrival(route: Int32(index), door: end.door))
      }
      visit(graph, room, way, from: graph[end.door].position, first, decibel)
    }
  }

  /// Adds a route to the list of the routes into a room: at the end, in a first search.
  private mutating func arrive(_ graph: PortalGraph, _ room: RoomIndex, _ arrival: Arrival) {
    let first = 2 * graph.places(of: room).lowerBound
    // Each search does an end of a door once, so that a room has no more routes than twice its doors.
    var place = first + Int(arrivalCounts[room.position])
    arrivalCounts[room.position] += 1
    let cost = ways[Int(arrival.route)].cost
    while place > first, ways[Int(arrivals[place - 1].route)].cost > cost {
      arrivals[place] = arrivals[place - 1]
      place -= 1
    }
    arrivals[place] = arrival
  }

  /// Runs a closure for the routes into a room, the cheapest first, until it returns `false`.
  ///
  /// The closure receives the route, and the index of the door through which it comes.
  @inline(__always)
  func forEachWay(into room: RoomIndex, _ graph: borrowing PortalGraph, _ body: (Way, DoorIndex) -> Bool) {
    guard room.position < arrivalCounts.count else { return }
    let first = 2 * graph.places(of: room).lowerBound
    for place in first..<first + Int(arrivalCounts[room.position]) {
      guard body(ways[Int(arrivals[place].route)], arrivals[place].door) else { return }
    }
  }

  /// Extends a route to all doors of a room that it has reached.
  ///
  /// A route back into a room is never shorter than the straight line inside of the room: doors that lead there are
  /// left out.
  private mutating func visit(
    _ graph: PortalGraph,
    _ room: RoomIndex,
    _ way: Way,
    from place: SIMD3<Float>,
    _ first: Int,
    _ decibel: Double
  ) {
    guard let root = graph.root(of: room) else { return }
    var way = way
    way.rooms |= graph.bit(of: room)
    extend(Extension(way: way, place: place, first: first, decibel: decibel), toGroup: root, graph)
  }

  /// Extends a route to the exits of a group, in the order of the doors: it decides between routes of the same cost.
  private mutating func extend(_ route: Extension, toGroup index: Int, _ graph: PortalGraph) {
    if let rooms = visited[index], rooms & ~route.way.rooms == 0 { return }
    if let second = graph.groups[index].secondHalf {
      extend(route, toGroup: index + 1, graph)
      extend(route, toGroup: second, graph)
      if let rooms = visited[index + 1], let others = visited[second] { visited[index] = rooms | others }
      return
    }
    var (rooms, isOpen): (UInt64, Bool) = (0, false)
    for place in graph.groups[index].exits {
      let exit = graph.exits[place]
      guard !isDone[exit.end.position] else { continue }
      let bit = graph.bit(of: exit.room)
      guard route.way.rooms & bit == 0 else {
        rooms |= bit
        continue
      }
      isOpen = true
      extend(route, to: exit.end, graph)
    }
    if !isOpen { visited[index] = rooms }
  }

  /// Extends a route through a door to an end of it, if it is the cheapest route so far.
  private mutating func extend(_ route: Extension, to end: DoorEnd, _ graph: PortalGraph) {
    steps += 1
    let (door, index) = (graph[end.door], route.first + end.position)
    let length = route.way.length + (door.position - route.place).length
    let loss = route.way.loss + door.loss
    // A shorter route with as much occlusion as the wall must not displace a longer open route.
    guard loss > graph.closed else {
      isCut = true
      return
    }
    let cost = Way.cost(length, loss, decibel: route.decibel)
    guard cost < ways[index].cost(decibel: route.decibel) else { return }
    ways[index] = route.way
    (ways[index].length, ways[index].loss) = (length, loss)
    // The hash of Fowler, Noll and Vo.
    ways[index].openings = (route.way.openings ^ UInt64(door.portal.position + 1)) &* 0x100_0000_01B3
    if route.way.first == nil {
      ways[index].first = end.door
    } else if route.way.second == nil {
      ways[index].second = end.door
    }
    push(cost, end)
  }

  private mutating func push(_ cost: Double, _ end: DoorEnd) {
    heap.append((cost, end))
    var child = heap.count - 1
    while child > 0, heap[child].cost < heap[(child - 1) / 2].cost {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func popNearest() -> DoorEnd? {
    guard let top = heap.first else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child + 1].cost < heap[child].cost { child += 1 }
      guard heap[child].cost < heap[parent].cost else { break }
      heap.swapAt(parent, child)
      parent = child
    }
    return top.end
  }
}
