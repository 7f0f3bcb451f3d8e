import Testing

@testable import GameAudio

/// The search for paths through portals, without a mix.
@Suite struct PortalGraphTests {
  private static func zones(_ count: Int) -> [ReverbZone] {
    (0..<count).map { index in
      ReverbZone(.box(center: [Float(index) * 10, 0, 0], size: [9, 4, 9]), Reverb(.smallRoom), name: "\(index)")
    }
  }

  @Test func `A portal has the zones of its two sides, and is named after them`() {
    var door = Portal(between: "hall", and: nil, at: .zero)
    #expect(door.first == "hall" && door.second == nil && door.name == "hall–outdoors")
    (door.first, door.second) = (nil, "cell")
    #expect(door == Portal(between: nil, and: "cell", at: .zero) && door.name == "outdoors–cell")
  }

  /// The cost of the cheapest path, by trying all orders of rooms.
  private static func cost(
    _ graph: PortalGraph,
    from origin: SIMD3<Float>,
    in room: Int,
    to place: SIMD3<Float>,
    in goal: Int
  )
    -> Float
  {
    // The doors as points, relaxed until nothing changes.
    var costs = [Float](repeating: .infinity, count: 2 * graph.doors.count)
    func rooms(_ end: Int) -> (out: Int, into: Int) {
      let pair = graph.doors[end / 2].rooms
      let (first, second) = (pair.first.position, pair.second.position)
      return end % 2 == 0 ? (second, first) : (first, second)
    }
    for end in costs.indices where rooms(end).out == room {
      costs[end] = (graph.doors[end / 2].position - origin).length - graph.doors[end / 2].loss
    }
    for _ in costs.indices {
      for end in costs.indices {
        for next in costs.indices where rooms(next).out == rooms(end).into {
          let step =
            (graph.doors[next / 2].position - graph.doors[end / 2].position).length - graph.doors[next / 2].loss
          costs[next] = min(costs[next], costs[end] + step)
        }
      }
    }
    return costs.indices.filter { rooms($0).into == goal }
      .map { costs[$0] + (graph.doors[$0 / 2].position - place).length }.min() ?? .infinity
  }

  @Test func `The way is the cheapest one, in any graph`() {
    var random = RandomSequence(seed: 31)
    func vector() -> SIMD3<Float> {
      SIMD3(.random(in: -40...40, using: &random), 0, .random(in: -40...40, using: &random))
    }
    for _ in 0..<1_000 {
      let rooms = Int.random(in: 1...6, using: &random)
      let portals = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        func room() -> String? {
          let index = Int.random(in: 0...rooms, using: &random)
          return index == rooms ? nil : "\(index)"
        }
        return Portal(
          between: room(),
          and: room(),
          at: vector(),
          radius: 0,
          openness: .random(in: 0...1, using: &random)
        )
      }
      let graph = PortalGraph(portals, in: RoomMap(Self.zones(rooms)), closed: -10_000)
      let (origin, place) = (vector(), vector())
      let (room, goal) = (Int.random(in: 0...rooms, using: &random), Int.random(in: 0...rooms, using: &random))
      var routes = PortalRoutes()
      routes.search(graph, from: origin, in: RoomIndex(room))
      let path = SoundPath(from: place, in: RoomIndex(goal), graph, routes, wall: -100)
      if room == goal {
        #expect(path.course == .straight && path.place == place && path.occlusion == 0)
        continue
      }
      let expected = Self.cost(graph, from: origin, in: room, to: place, in: goal)
      guard expected < .infinity else {
        #expect(path.course == .wall && path.occlusion == -100 && path.place == place)
        continue
      }
      guard case .portal(let index) = path.course else {
        Issue.record("There is a way of \(expected).")
        continue
      }
      #expect(abs((path.place - origin).length - path.occlusion - expected) < 1e-2)
      // It comes from the first door.
      let ahead = portals[index.position].position - origin
      if ahead.length > 0.1 {
        #expect(
          abs((path.place - origin).length * ahead.length - ((path.place - origin) * ahead).sum()) < 0.1 * ahead.length
        )
      }
    }
  }

  @Test func `A wide opening bends the way no more than it has to`() {
    let graph = PortalGraph(
      [Portal(between: "0", and: "1", at: [5, 0, 0], radius: 1)],
      in: RoomMap(Self.zones(2))
    )
    var routes = PortalRoutes()
    routes.search(graph, from: [0, 0, 0], in: 0)
    // Straight through the opening.
    let free = SoundPath(from: [10, 0, 1], in: 1, graph, routes, wall: -30)
    #expect((free.place - [10, 0, 1]).length < 1e-3 && free.course == .portal(0) && free.occlusion == 0)
    // Around its edge.
    let bent = SoundPath(from: [8, 0, 8], in: 1, graph, routes, wall: -30)
    let opening = SIMD3<Float>(5 - 0.70711, 0, 0.70711)
    #expect((bent.ahead - opening / opening.length).length < 1e-3)
    #expect(abs(bent.place.length - (opening.length + (opening - [8, 0, 8]).length)) < 1e-3)
    #expect((bent.arrival - ([8, 0, 8] - opening) / (opening - [8, 0, 8]).length).length < 1e-3)
  }

  @Test func `Hundreds of portals in a row are one long way`() {
    let count = 400
    let zones = Self.zones(count)
    let portals = (1..<count).map { Portal(between: "\($0 - 1)", and: "\($0)", at: [Float($0) * 10 - 5, 0, 0]) }
    let graph = PortalGraph(portals, in: RoomMap(zones))
    var routes = PortalRoutes()
    routes.search(graph, from: .zero, in: 0)
    let path = SoundPath(from: [3_990, 0, 0], in: RoomIndex(count - 1), graph, routes, wall: -30)
    #expect(path.course == .portal(0) && abs(path.place.x - 3_990) < 0.1)
  }

  @Test func `A nearly closed opening is passed by where a detour is cheaper`() {
    let zones = Self.zones(2)
    func course(_ openness: Float) -> SoundPath.Course {
      let portals = [
        Portal(between: "0", and: "1", at: [5, 0, 0], openness: openness),
        Portal(between: "0", and: "1", at: [5, 0, 8]),
      ]
      let graph = PortalGraph(portals, in: RoomMap(zones), closed: -30)
      var routes = PortalRoutes()
      routes.search(graph, from: .zero, in: 0)
      return SoundPath(from: [10, 0, 0], in: 1, graph, routes, wall: -30).course
    }
    #expect(
      course(1) == .portal(0) && course(0.5) == .portal(0) && course(0.1) == .portal(1) && course(0) == .portal(1)
    )
  }

  @Test func `A place in a wall belongs to the nearest zone, and one that zones share to the highest`() {
    var zones = Self.zones(2)
    var rooms = RoomMap(zones)
    #expect(rooms.room(of: [0, 0, 0]) == 0 && rooms.room(of: [4.7, 0, 0]) == 0)
    #expect(rooms.room(of: [5.3, 0, 0]) == 1 && rooms.room(of: [0, 0, 9]) == 2)
    zones.append(ReverbZone(.sphere(center: .zero, radius: 2), Reverb(.smallRoom), priority: 1, name: "tent"))
    rooms = RoomMap(zones)
    #expect(rooms.room(of: [1, 0, 0]) == 2 && rooms.room(of: [3, 0, 0]) == 0)
  }

  @Test func `In an opening the next part of the way gives the direction`() {
    var random = RandomSequence(seed: 32)
    for _ in 0..<300 {
      func vector(_ range: ClosedRange<Float>) -> SIMD3<Float> { .random(in: range, using: &random) }
      let (door, sound) = (vector(-40...40), vector(-40...40))
      let portals = [
        Portal(between: "0", and: "1", at: door, radius: 0.5), Portal(between: "1", and: "2", at: vector(-40...40)),
      ]
      let graph = PortalGraph(portals, in: RoomMap(Self.zones(3)))
      var routes = PortalRoutes()
      // The listener stands in the first opening, or 2 cm beside it.
      let origin = door + vector(-0.01...0.01)
      routes.search(graph, from: origin, in: 0)
      for room in 1...2 {
        let path = SoundPath(from: sound, in: RoomIndex(room), graph, routes, wall: -30)
        let next = room == 1 ? sound : portals[1].position
        guard (next - origin).length > 2 else { continue }
        #expect(path.course == .portal(0))
        #expect((path.ahead - (next - origin) / (next - origin).length).length < 0.02, "\(path)")
        let length = (next - origin).length + (sound - next).length
        #expect(abs((path.place - origin).length - length) < 0.05 && abs(path.ahead.length - 1) < 1e-4)
      }
    }
  }

  @Test func `An opening is open up to 1, has a radius from 0 on, and is closed where it occludes as the wall`() {
    let rooms = RoomMap(Self.zones(2))
    func doors(_ openness: Float, radius: Float = 2, closed: Float = -30) -> [PortalGraph.Door] {
      let portal = Portal(between: "0", and: "1", at: [5, 0, 0], radius: radius, openness: openness)
      return PortalGraph([portal], in: rooms, closed: closed).doors
    }
    #expect(doors(1).map(\.loss) == [0] && doors(3).map(\.loss) == [0] && doors(1).map(\.radius) == [2])
    #expect(doors(1, radius: -2).map(\.radius) == [0] && doors(1, radius: 0).map(\.radius) == [0])
    let half = Decibels(factor: 0.5).rawValue
    #expect(doors(0.5).map(\.loss) == [half] && doors(0.5, closed: half).isEmpty)
    #expect(doors(0.5, closed: half - 0.01).count == 1 && doors(0).isEmpty && doors(-1).isEmpty)
    #expect(doors(1)[0].rooms == RoomPair(first: 0, second: 1) && doors(1)[0].portal == 0)
    let graph = PortalGraph([], in: rooms)
    #expect(graph.outdoors == 2 && graph.bit(of: 2) == 1 << 63 && graph.bit(of: 0) == 1 && graph.bit(of: 1) == 2)
    let many = PortalGraph([], in: RoomMap(Self.zones(70)))
    #expect(
      many.bit(of: 62) == 1 << 62 && many.bit(of: 63) == 0 && many.bit(of: 69) == 0 && many.bit(of: 70) == 1 << 63
    )
  }

  @Test func `A sound arrives at the last opening of its way, whatever the order of the openings`() {
    let portals = [
      Portal(between: "0", and: "1", at: [5, 0, 20], radius: 0),
      Portal(between: "1", and: "2", at: [15, 0, 0], radius: 0),
    ]
    for list in [portals, portals.reversed()] {
      let graph = PortalGraph(list, in: RoomMap(Self.zones(3)))
      var routes = PortalRoutes()
      routes.search(graph, from: .zero, in: 0)
      let path = SoundPath(from: [20, 0, 0], in: 2, graph, routes, wall: -30)
      #expect(path.course == list.firstIndex(of: portals[0]).map { .portal(PortalIndex($0)) })
      #expect((path.arrival - SIMD3(1, 0, 0)).length < 1e-5)
      #expect((path.ahead - portals[0].position / portals[0].position.length).length < 1e-5)
      let near = SoundPath(from: [12, 0, 0], in: 1, graph, routes, wall: -30)
      #expect((near.arrival - SIMD3(7, 0, -20) / SIMD3<Float>(7, 0, -20).length).length < 1e-5)
      // A vector turns with the path.
      #expect((path.turned([1, 0, 0]) - path.ahead).length < 1e-4)
    }
  }
}
