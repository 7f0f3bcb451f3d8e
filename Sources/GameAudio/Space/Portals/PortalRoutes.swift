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
    /// The door at which the route leaves the first room, and the next door; -1 for none.
    var first: Int32 = -1
    var second: Int32 = -1
    /// A hash of the openings on the route, in their order; 0 for none.
    var openings: UInt64 = 0
    /// The rooms that the route has been in, a bit for each; see ``PortalGraph/bit(of:)``.
    var rooms: UInt64 = 0

    var cost: Float { length - loss }

    /// The length, with a number of metres for a decibel of occlusion.
    func cost(decibel: Double) -> Double { Double(length) - decibel * Double(loss) }
  }

  /// The position at which the routes begin, and its room.
  private(set) var origin = SIMD3<Float>.zero
  private(set) var room = -1
  /// The version of the graph that was searched; -1 for none.
  private(set) var version = -1
  /// The number of searches.
  private(set) var number = 0
  /// The number of steps of the last search through a door.
  private(set) var steps = 0
  /// The cheapest route to each end, and after a second search the routes with the least occlusion.
  private(set) var ways: [Way] = []
  private var isDone: [Bool] = []
  /// Whether a route was left out because it has too much occlusion.
  private var isCut = false
  /// The indices of the routes into a room, the cheapest route first: from twice the index of the room's first exit on.
  private var arrivals: [Int32] = []
  /// The number of routes into each room.
  private var arrivalCounts: [Int32] = []
  /// A heap of the ends that are to be visited, by their costs.
  private var heap: [(cost: Double, end: Int32)] = []

  /// Finds the routes by Dijkstra's algorithm; the memory stays from call to call.
  mutating func search(_ graph: PortalGraph, from origin: SIMD3<Float>, in room: Int) {
    (self.origin, self.room, version) = (origin, room, graph.version)
    number += 1
    (steps, isCut) = (0, false)
    ways.removeAll(keepingCapacity: true)
    arrivalCounts.removeAll(keepingCapacity: true)
    for _ in 0..<graph.roomCount { arrivalCounts.append(0) }
    // Two searches find up to two routes to each end.
    while arrivals.count < 4 * graph.doors.count { arrivals.append(-1) }
    search(graph, decibel: 1)
    if isCut { search(graph, decibel: 1e6) }
  }

  /// Finds a route to each end, with a number of metres for a decibel of occlusion.
  private mutating func search(_ graph: PortalGraph, decibel: Double) {
    let first = ways.count
    isDone.removeAll(keepingCapacity: true)
    for _ in 0..<2 * graph.doors.count {
      ways.append(Way())
      isDone.append(false)
    }
    visit(graph, room, Way(length: 0), from: origin, first, decibel)
    while let end = popNearest() {
      guard !isDone[end] else { continue }
      isDone[end] = true
      let door = graph.doors[end / 2]
      let room = Int(end % 2 == 0 ? door.rooms.x : door.rooms.y)
      let way = ways[first + end]
      if first == 0 || way != ways[end] { arrive(graph, room, first + end) }
      visit(graph, room, way, from: door.position, first, decibel)
    }
  }

  /// Adds a route to the list of the routes into a room: at the end, in a first search.
  private mutating func arrive(_ graph: PortalGraph, _ room: Int, _ index: Int) {
    let first = 2 * graph.places(of: room).lowerBound
    // Each search does an end of a door once, so that a room has no more routes than twice its doors.
    var place = first + Int(arrivalCounts[room])
    arrivalCounts[room] += 1
    while place > first, ways[Int(arrivals[place - 1])].cost > ways[index].cost {
      arrivals[place] = arrivals[place - 1]
      place -= 1
    }
    arrivals[place] = Int32(index)
  }

  /// Runs a closure for the routes into a room, the cheapest first, until it returns `false`.
  ///
  /// The closure receives the route, and the index of the door through which it comes.
  @inline(__always)
  func forEachWay(into room: Int, _ graph: borrowing PortalGraph, _ body: (Way, Int) -> Bool) {
    guard room < arrivalCounts.count else { return }
    let first = 2 * graph.places(of: room).lowerBound
    for place in first..<first + Int(arrivalCounts[room]) {
      let (index, count) = (Int(arrivals[place]), graph.doors.count)
      guard body(ways[index], index / 2 < count ? index / 2 : index / 2 - count) else { return }
    }
  }

  /// Extends a route to all doors of a room that it has reached.
  ///
  /// A route back into a room is never shorter than the straight line inside of the room: doors that lead there are
  /// left out.
  private mutating func visit(
    _ graph: PortalGraph,
    _ room: Int,
    _ way: Way,
    from place: SIMD3<Float>,
    _ first: Int,
    _ decibel: Double
  ) {
    var way = way
    way.rooms |= graph.bit(of: room)
    graph.forEachExit(of: room) { exit in
      let end = Int(exit.end)
      guard way.rooms & graph.bit(of: Int(exit.room)) == 0, !isDone[end] else { return }
      steps += 1
      let index = end / 2
      let door = graph.doors[index]
      var next = way
      next.length += (door.position - place).length
      next.loss += door.loss
      // A shorter route with as much occlusion as the wall must not displace a longer open route.
      guard next.loss > graph.closed else {
        isCut = true
        return
      }
      // The hash of Fowler, Noll and Vo.
      next.openings = (way.openings ^ UInt64(door.portal + 1)) &* 0x100_0000_01B3
      if next.first < 0 {
        next.first = Int32(index)
      } else if next.second < 0 {
        next.second = Int32(index)
      }
      let cost = next.cost(decibel: decibel)
      guard cost < ways[first + end].cost(decibel: decibel) else { return }
      ways[first + end] = next
      push(cost, Int32(end))
    }
  }

  private mutating func push(_ cost: Double, _ end: Int32) {
    heap.append((cost, end))
    var child = heap.count - 1
    while child > 0, heap[child].cost < heap[(child - 1) / 2].cost {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func popNearest() -> Int? {
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
    return Int(top.end)
  }
}
