import TestSupport
import Testing

@testable import GameAudio

/// The search for routes, compared with a search that looks at each exit.
@Suite struct PortalSearchTests {
  private static func rooms(_ count: Int) -> RoomMap {
    RoomMap((0..<count).map { ReverbZone(.sphere(center: .zero, radius: 1), Reverb(.smallRoom), name: "\($0)") })
  }

  private static func one<Value>(of values: [Value], _ random: inout SplitMix64) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// A level of one of several shapes: rooms in any order, a hub, a chain, or doors in one room.
  private static func level(_ random: inout SplitMix64) -> (portals: [Portal], rooms: Int) {
    // Above 63 zones, rooms have no bit, and routes may lead back.
    let rooms = Int.random(in: Bool.random(using: &random) ? 1...6 : 60...80, using: &random)
    let count = Int.random(in: 0...one(of: [6, 20, 110], &random), using: &random)
    let shape = Int.random(in: 0..<4, using: &random)
    let hub = Int.random(in: 0..<rooms, using: &random)
    // Whole coordinates make many routes of the same length.
    let isOnGrid = Bool.random(using: &random)
    let opennesses: [Float] = Bool.random(using: &random) ? [1] : [1, 0.5, 0.2, 0.05, 0.02]
    func name(_ room: Int) -> String? { room == rooms ? nil : "\(room)" }
    let portals = (0..<count).map { index in
      let pair: (Int, Int) =
        switch shape {
        case 0: (Int.random(in: 0...rooms, using: &random), Int.random(in: 0...rooms, using: &random))
        case 1: (hub, Int.random(in: 0...rooms, using: &random))
        case 2: (index % rooms, index % rooms + 1)
        default: (hub, Bool.random(using: &random) ? rooms : max(hub - 1, 0))
        }
      func coordinate() -> Float {
        isOnGrid ? Float(Int.random(in: -4...4, using: &random)) : Float.random(in: -40...40, using: &random)
      }
      return Portal(
        between: name(pair.0),
        and: name(pair.1),
        at: [coordinate(), isOnGrid ? 0 : coordinate(), coordinate()],
        openness: one(of: opennesses, &random)
      )
    }
    return (portals, rooms)
  }

  @Test func `The routes equal the routes of a search that looks at each exit, to the bit and in their order`() {
    var random = SplitMix64(seed: 42)
    var routes = PortalRoutes()
    var (ways, second) = (0, 0)
    for _ in 0..<3_000 {
      let (portals, count) = Self.level(&random)
      let closed = Self.one(of: [-10_000, -60, -30, -10] as [Float], &random)
      let graph = PortalGraph(portals, in: Self.rooms(count), closed: closed)
      let origin = SIMD3(Float(Int.random(in: -4...4, using: &random)), 0, Float.random(in: -4...4, using: &random))
      let room = Int.random(in: 0...count, using: &random)
      routes.search(graph, from: origin, in: RoomIndex(room))
      let plain = PlainPortalRoutes(graph, from: origin, in: room)
      #expect(routes.ways == plain.ways && routes.steps == plain.steps)
      for room in 0..<graph.roomCount {
        var arrivals: [(way: PortalRoutes.Way, door: DoorIndex)] = []
        routes.forEachWay(into: RoomIndex(room), graph) { way, door in
          arrivals.append((way, door))
          return true
        }
        let expected = plain.arrivals[room]
        #expect(arrivals.map(\.way) == expected.map { plain.ways[$0] })
        #expect(arrivals.map(\.door) == expected.map { DoorIndex($0 / 2 % max(graph.doors.count, 1)) })
        ways += arrivals.count
      }
      if plain.ways.count > 2 * graph.doors.count { second += 1 }
    }
    // The levels have routes, and some need second searches.
    #expect(ways > 20_000 && second > 150, "\(ways) \(second)")
  }

  @Test func `Doors of one room take a time in proportion to their number`() {
    let rooms = Self.rooms(2)
    for other in [nil, "1"] as [String?] {
      expectGrowth(of: "doors", from: 1_000) { count in
        let portals = (0..<count).map { index in
          Portal(between: "0", and: other, at: [20, 0, Float(index) * 40 / Float(count) - 20])
        }
        let graph = PortalGraph(portals, in: rooms)
        var routes = PortalRoutes()
        for _ in 0..<4 { routes.search(graph, from: [0, 0, 3], in: 0) }
        #expect(routes.steps == count)
      }
    }
  }

  @Test func `A door elsewhere does not make a search look at all doors of a room again`() {
    // The door of the far house is searched last.
    let house = Portal(between: "1", and: nil, at: [900, 0, 0])
    expectGrowth(of: "doors", from: 1_000) { count in
      var portals = (0..<count).map { index in
        Portal(between: "0", and: nil, at: [20, 0, Float(index) * 40 / Float(count) - 20])
      }
      portals.insert(house, at: count / 2)
      let graph = PortalGraph(portals, in: Self.rooms(2))
      var routes = PortalRoutes()
      routes.search(graph, from: [0, 0, 3], in: 0)
      #expect(routes.steps == 2 * count)
    }
  }
}
