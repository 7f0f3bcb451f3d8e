internal import Spatial3D

/// The rooms of a world and the openings between them, by indices.
///
/// A room is a zone; the last one is the outdoors. Pure: no call and no lock.
struct PortalGraph: Sendable {
  /// An opening that is not closed.
  struct Door: Equatable, Sendable {
    /// The index in the list of the portals.
    let portal: Int
    let rooms: SIMD2<Int32>
    let position: SIMD3<Float>
    let radius: Float
    /// The muffling, in decibels.
    let loss: Float
  }

  /// A way out of a room.
  struct Exit: Equatable, Sendable {
    /// The end of the door at which the way comes out: twice the index of the door, plus 1 for its second room.
    let end: Int32
    /// The room beyond the door.
    let room: Int32
  }

  let roomCount: Int
  private(set) var doors: [Door] = []
  /// The exits of each room, one room after the other, and the beginning of each.
  private var exits: [Exit] = []
  private var begins: [Int]

  /// The outdoors.
  var outdoors: Int { roomCount - 1 }

  /// A graph of some portals; those of an unknown name, closed ones and those to the same room are left out.
  ///
  /// - Parameters:
  ///   - portals: The portals.
  ///   - zones: The zones, which give the rooms their indices.
  ///   - closed: The muffling below which an opening counts as closed, in decibels.
  init(_ portals: [Portal] = [], of zones: [ReverbZone] = [], closed: Float = -100) {
    roomCount = zones.count + 1
    begins = []
    for (index, portal) in portals.enumerated() where portal.isUsable && portal.openness > 0 {
      func room(_ name: String?) -> Int? {
        name.map { name in zones.firstIndex { $0.name == name && $0.isUsable } } ?? zones.count
      }
      guard let first = room(portal.first), let second = room(portal.second), first != second else { continue }
      let loss = Decibels(gain: min(portal.openness, 1)).rawValue
      guard loss > closed else { continue }
      doors.append(
        Door(
          portal: index,
          rooms: SIMD2(Int32(first), Int32(second)),
          position: portal.position,
          radius: max(portal.radius, 0),
          loss: loss
        )
      )
    }
    for room in 0..<roomCount {
      begins.append(exits.count)
      for (index, door) in doors.enumerated() {
        if door.rooms.x == room { exits.append(Exit(end: Int32(2 * index + 1), room: door.rooms.y)) }
        if door.rooms.y == room { exits.append(Exit(end: Int32(2 * index), room: door.rooms.x)) }
      }
    }
    begins.append(exits.count)
  }

  /// The places of the exits of a room in a list with those of all rooms.
  func places(of room: Int) -> Range<Int> { begins[room]..<begins[room + 1] }

  /// Runs a closure for each exit of a room.
  @inline(__always)
  func forEachExit(of room: Int, _ body: (Exit) -> Void) {
    for place in places(of: room) { body(exits[place]) }
  }
}

/// The shortest ways from one place to all doors, and through them.
///
/// A door has two ends: the way that comes out of it in its first room, and that which comes out in its second one. A decibel
/// of muffling counts as one metre, so that an open door is preferred to a nearer one that is nearly closed.
struct PortalRoutes: Sendable {
  /// The way that comes out at one end of a door.
  struct Way: Equatable, Sendable {
    var length: Float = .infinity
    var loss: Float = 0
    /// The door at which the way leaves the first room, and the next one; -1 for none.
    var first: Int32 = -1
    var second: Int32 = -1
    /// The rooms that the way has been in, a bit for each; those from the 64th on have none.
    var rooms: UInt64 = 0

    var cost: Float { length - loss }
  }

  /// The place at which the ways begin, and its room.
  private(set) var origin = SIMD3<Float>.zero
  private(set) var room = -1
  /// The number of searches.
  private(set) var number = 0
  private(set) var ways: [Way] = []
  private var isDone: [Bool] = []
  /// The ends at which ways come into a room, the cheapest way first: at the places of the room's exits.
  private var arrivals: [Int32] = []
  /// The number of ways into each room.
  private var arrivalCounts: [Int32] = []
  /// A heap of the ends that are to be visited, by their costs.
  private var heap: [(cost: Float, end: Int32)] = []

  /// Finds the ways by Dijkstra's algorithm; the memory stays from call to call.
  mutating func search(_ graph: PortalGraph, from origin: SIMD3<Float>, in room: Int) {
    (self.origin, self.room) = (origin, room)
    number += 1
    let count = 2 * graph.doors.count
    ways.removeAll(keepingCapacity: true)
    isDone.removeAll(keepingCapacity: true)
    heap.removeAll(keepingCapacity: true)
    for _ in 0..<count {
      ways.append(Way())
      isDone.append(false)
    }
    arrivals.removeAll(keepingCapacity: true)
    arrivalCounts.removeAll(keepingCapacity: true)
    for _ in 0..<count { arrivals.append(-1) }
    for _ in 0..<graph.roomCount { arrivalCounts.append(0) }
    visit(graph, room, Way(length: 0), from: origin)
    while let end = popNearest() {
      guard !isDone[end] else { continue }
      isDone[end] = true
      let door = graph.doors[end / 2]
      let room = Int(end % 2 == 0 ? door.rooms.x : door.rooms.y)
      // Each end of a door is done once, so that a room has no more ways than doors.
      arrivals[graph.places(of: room).lowerBound + Int(arrivalCounts[room])] = Int32(end)
      arrivalCounts[room] += 1
      visit(graph, room, ways[end], from: door.position)
    }
  }

  /// Runs a closure for the ways into a room, the cheapest first, until it returns `false`.
  ///
  /// The closure receives the way, and the index of the door through which it comes.
  @inline(__always)
  func forEachWay(into room: Int, _ graph: borrowing PortalGraph, _ body: (Way, Int) -> Bool) {
    guard room < arrivalCounts.count else { return }
    let first = graph.places(of: room).lowerBound
    for place in first..<first + Int(arrivalCounts[room]) {
      let end = Int(arrivals[place])
      guard body(ways[end], end / 2) else { return }
    }
  }

  /// Extends a way to all doors of a room that it has come to.
  ///
  /// A way back into a room is never shorter than the straight one inside of it: doors that lead there are left out.
  private mutating func visit(_ graph: PortalGraph, _ room: Int, _ way: Way, from place: SIMD3<Float>) {
    var way = way
    way.rooms |= 1 << UInt64(room)
    graph.forEachExit(of: room) { exit in
      let end = Int(exit.end)
      guard way.rooms & (1 << UInt64(exit.room)) == 0, !isDone[end] else { return }
      let index = end / 2
      let door = graph.doors[index]
      var next = way
      next.length += (door.position - place).length
      next.loss += door.loss
      if next.first < 0 {
        next.first = Int32(index)
      } else if next.second < 0 {
        next.second = Int32(index)
      }
      guard next.cost < ways[end].cost else { return }
      ways[end] = next
      push(next.cost, Int32(end))
    }
  }

  private mutating func push(_ cost: Float, _ end: Int32) {
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
