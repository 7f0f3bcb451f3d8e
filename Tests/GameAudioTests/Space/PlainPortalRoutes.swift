import Testing

@testable import GameAudio

/// The search of ``PortalRoutes`` without groups: each route into a room looks at each exit of the room.
struct PlainPortalRoutes {
  typealias Way = PortalRoutes.Way

  private(set) var ways: [Way] = []
  /// The indices of the routes into each room, the cheapest route first.
  private(set) var arrivals: [[Int]] = []
  /// The number of exits that a route was extended to.
  private(set) var steps = 0
  /// The exits of each room, in the order of the doors: the end of each, and the room beyond.
  private var exits: [[(end: Int, room: Int)]]
  private var isDone: [Bool] = []
  private var isCut = false
  private var heap: [(cost: Double, end: Int)] = []

  init(_ graph: PortalGraph, from origin: SIMD3<Float>, in room: Int) {
    arrivals = Array(repeating: [], count: graph.roomCount)
    exits = Array(repeating: [], count: graph.roomCount)
    for (index, door) in graph.doors.enumerated() {
      let (first, second) = (door.rooms.first.position, door.rooms.second.position)
      exits[first].append((2 * index + 1, second))
      exits[second].append((2 * index, first))
    }
    search(graph, origin, room, decibel: 1)
    if isCut { search(graph, origin, room, decibel: 1e6) }
  }

  private mutating func search(_ graph: PortalGraph, _ origin: SIMD3<Float>, _ room: Int, decibel: Double) {
    let first = ways.count
    isDone = Array(repeating: false, count: 2 * graph.doors.count)
    ways += Array(repeating: Way(), count: 2 * graph.doors.count)
    visit(graph, room, Way(length: 0), from: origin, first, decibel)
    while let end = popNearest() {
      guard !isDone[end] else { continue }
      isDone[end] = true
      let door = graph.doors[end / 2]
      let room = (end % 2 == 0 ? door.rooms.first : door.rooms.second).position
      let way = ways[first + end]
      if first == 0 || way != ways[end] {
        let place = arrivals[room].firstIndex { ways[$0].cost > way.cost } ?? arrivals[room].count
        arrivals[room].insert(first + end, at: place)
      }
      visit(graph, room, way, from: door.position, first, decibel)
    }
  }

  private mutating func visit(
    _ graph: PortalGraph,
    _ room: Int,
    _ way: Way,
    from place: SIMD3<Float>,
    _ first: Int,
    _ decibel: Double
  ) {
    var way = way
    way.rooms |= graph.bit(of: RoomIndex(room))
    for (end, beyond) in exits[room] where way.rooms & graph.bit(of: RoomIndex(beyond)) == 0 && !isDone[end] {
      let index = end / 2
      let door = graph.doors[index]
      steps += 1
      var next = way
      next.length += (door.position - place).length
      next.loss += door.loss
      guard next.loss > graph.closed else {
        isCut = true
        continue
      }
      next.openings = (way.openings ^ UInt64(door.portal.position + 1)) &* 0x100_0000_01B3
      if next.first == nil {
        next.first = DoorIndex(index)
      } else if next.second == nil {
        next.second = DoorIndex(index)
      }
      let cost = next.cost(decibel: decibel)
      guard cost < ways[first + end].cost(decibel: decibel) else { continue }
      ways[first + end] = next
      push(cost, end)
    }
  }

  /// The order of equal costs is the order of this heap.
  private mutating func push(_ cost: Double, _ end: Int) {
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
    return top.end
  }
}
