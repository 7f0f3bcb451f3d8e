import Testing

@testable import GameAudio

/// Rooms, and paths between many of them, without a mix.
@Suite struct RoomMapTests {
  private static func box(_ center: SIMD3<Float>, _ size: SIMD3<Float> = [9, 4, 9], name: String) -> ReverbZone {
    ReverbZone(.box(center: center, size: size), Reverb(.smallRoom), name: name)
  }

  private static func path(
    from sound: SIMD3<Float>,
    to listener: SIMD3<Float>,
    _ portals: [Portal],
    _ zones: [ReverbZone]
  )
    -> SoundPath
  {
    var rooms = RoomMap(zones)
    _ = rooms.setDoorways(portals)
    let graph = PortalGraph(portals, in: rooms, closed: -30)
    var routes = PortalRoutes()
    routes.search(graph, from: listener, in: rooms.room(of: listener))
    return SoundPath(from: sound, in: rooms.room(of: sound), graph, routes, wall: -30)
  }

  @Test func `Zones of one name are one room, and no portal leads to one without a name`() {
    let zones = [
      Self.box([0, 0, 0], name: "hall"), Self.box([50, 0, 0], name: ""), Self.box([10, 0, 0], name: "hall"),
      Self.box([20, 0, 0], name: "cell"),
    ]
    let rooms = RoomMap(zones)
    #expect(rooms.room(of: [0, 0, 0]) == 0 && rooms.room(of: [10, 0, 0]) == 0 && rooms.room(of: [20, 0, 0]) == 3)
    #expect(rooms.room(of: [50, 0, 0]) == 1 && rooms.room(of: [0, 0, 50]) == 4)
    let portal = Portal(between: "hall", and: "cell", at: [15, 0, 0])
    #expect(Self.path(from: [10, 0, 0], to: [20, 0, 0], [portal], zones).course == .portal(0))
    #expect(Self.path(from: [10, 0, 0], to: [0, 0, 0], [portal], zones).course == .straight)
    #expect(rooms.rooms(of: Portal(between: "", and: "cell", at: .zero)) == nil)
    #expect(rooms.rooms(of: Portal(between: "hall", and: nil, at: .zero)) == RoomPair(first: 0, second: 4))
  }

  @Test func `A place in a deep doorway belongs to the nearer room`() {
    let zones = [
      Self.box([-5.6, 0, 0], [10, 4, 10], name: "left"), Self.box([5.6, 0, 0], [10, 4, 10], name: "right"),
    ]
    let portal = Portal(between: "left", and: "right", at: .zero, radius: 0.5)
    for x in stride(from: Float(-3), through: 3, by: 0.05) {
      let left = Self.path(from: [-3, 0, 0], to: [x, 0, 0], [portal], zones)
      let right = Self.path(from: [3, 0, 0], to: [x, 0, 0], [portal], zones)
      #expect(left.course != .wall && right.course != .wall, "at \(x)")
      #expect((left.course == .straight) == (x <= 0.01), "at \(x)")
    }
    // Farther along the wall there is no doorway.
    #expect(Self.path(from: [3, 0, 0], to: [0, 0, 3], [portal], zones).course == .wall)
  }

  @Test func `The steps of a search grow with the doors, not with their square`() {
    let zones = (0..<400).map { Self.box([Float($0) * 10, 0, 0], name: "\($0)") }
    let portals = (0..<400).flatMap { house in
      [-4.5, 4.5].map { Portal(between: "\(house)", and: nil, at: [Float(house) * 10, 0, $0]) }
    }
    let rooms = RoomMap(zones)
    let graph = PortalGraph(portals, in: rooms)
    var routes = PortalRoutes()
    for (place, room) in [([0, 0, 20], 400), ([3_000, 0, 0], 300)] as [(SIMD3<Float>, RoomIndex)] {
      routes.search(graph, from: place, in: room)
      #expect(routes.steps < 3 * portals.count, "\(routes.steps) steps")
      #expect(SoundPath(from: [3_990, 0, 0], in: 399, graph, routes, wall: -30).course != .wall)
    }
  }

  @Test func `A short path that occludes too much hides no open one`() {
    let zones = (0..<3).map { Self.box([Float($0) * 10, 0, 0], [9, 4, 150], name: "\($0)") }
    let portals = [
      Portal(between: "0", and: "1", at: [5, 0, 0], radius: 0, openness: 0.1),
      Portal(between: "0", and: "1", at: [5, 0, 60], radius: 0),
      Portal(between: "1", and: "2", at: [15, 0, 0], radius: 0, openness: 0.1),
    ]
    let path = Self.path(from: [20, 0, 0], to: .zero, portals, zones)
    #expect(path.course == .portal(1) && abs(path.occlusion + 20) < 0.01)
  }

  @Test func `A short path that occludes too much farther on gives way to an open one`() {
    let zones = (0..<4).map { Self.box([Float($0) * 10, 0, 0], [9, 4, 150], name: "\($0)") }
    let portals = [
      Portal(between: "0", and: "1", at: [5, 0, 0], radius: 0, openness: 0.1),
      Portal(between: "0", and: "1", at: [5, 0, 60], radius: 0),
      Portal(between: "1", and: "2", at: [15, 0, 0], radius: 0),
      Portal(between: "2", and: "3", at: [25, 0, 0], radius: 0, openness: 0.1),
    ]
    // In the middle, the near opening is cheaper. Behind the last opening, only the far one occludes less than the
    // wall.
    #expect(Self.path(from: [20, 0, 0], to: .zero, portals, zones).course == .portal(0))
    let path = Self.path(from: [30, 0, 0], to: .zero, portals, zones)
    #expect(path.course == .portal(1) && abs(path.occlusion + 20) < 0.01)
    let length = SIMD3<Float>(5, 0, 60).length + SIMD3<Float>(10, 0, 60).length + 15
    #expect(abs(path.place.length - length) < 0.1, "\(path.place.length) m for \(length) m")
  }

  @Test func `A sound comes through portals wherever a path occludes less than the wall`() {
    var random = RandomSequence(seed: 36)
    var reach: Float = 40
    func place() -> SIMD3<Float> {
      SIMD3(.random(in: -reach...reach, using: &random), 0, .random(in: -reach...reach, using: &random))
    }
    var (ways, walls) = (0, 0)
    for round in 0..<600 {
      // Every other scene has paths of hundreds of metres, and occlusion of any size.
      reach = round.isMultiple(of: 2) ? 40 : 900
      let zones = (0..<6).map { Self.box([Float($0) * 10, 0, 0], name: "\($0)") }
      let portals = (0..<9).map { _ in
        let first = Int.random(in: 0..<5, using: &random)
        let second = Int.random(in: first + 1...5, using: &random)
        var openness = [1, 0.3, 0.1][Int.random(in: 0..<3, using: &random)] as Float
        if reach > 40 { openness = .random(in: 0.05...1, using: &random) }
        return Portal(between: "\(first)", and: "\(second)", at: place(), radius: 0, openness: openness)
      }
      let graph = PortalGraph(portals, in: RoomMap(zones), closed: -30)
      var routes = PortalRoutes()
      routes.search(graph, from: place(), in: 0)
      // The least occlusion of each room, relaxed until nothing changes.
      var losses: [Float] = [0] + Array(repeating: -.infinity, count: 6)
      for _ in 0..<6 {
        for door in graph.doors {
          let (x, y) = (door.rooms.first.position, door.rooms.second.position)
          losses[x] = max(losses[x], losses[y] + door.loss)
          losses[y] = max(losses[y], losses[x] + door.loss)
        }
      }
      for room in 1..<6 {
        let path = SoundPath(from: place(), in: RoomIndex(room), graph, routes, wall: -30)
        if abs(losses[room] + 30) < 0.001 { continue }
        let isOpen = losses[room] > -30
        if (path.course != .wall) != isOpen { Issue.record("\(path) for \(losses[room]) dB through \(portals)") }
        if isOpen { ways += 1 } else { walls += 1 }
      }
    }
    #expect(ways > 500 && walls > 100, "\(ways) ways, \(walls) walls")
  }

  @Test func `A vector turns with the way, and keeps its length`() {
    var random = RandomSequence(seed: 35)
    func direction() -> SIMD3<Float> {
      let vector = SIMD3<Float>(
        .random(in: -1...1, using: &random),
        .random(in: -1...1, using: &random),
        .random(in: -1...1, using: &random)
      )
      return vector / vector.length
    }
    for index in 0..<3_000 {
      let from = direction()
      let to = index % 10 == 0 ? -from : direction()
      #expect((from.turned(from: from, to: to) - to).length < 1e-2)
      let other = direction()
      let turned = other.turned(from: from, to: to)
      #expect(abs(turned.length - 1) < 2e-2 && abs((turned * to).sum() - (other * from).sum()) < 2e-2)
    }
  }
}
