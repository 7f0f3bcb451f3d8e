import GameAudio
import Testing

@testable import house

@Suite struct PlanTests {
  private static let open = Plan.doors.map { _ in Float(1) }
  private static let closed = Plan.doors.map { _ in Float(0) }

  /// Positions in the middle of squares of a quarter of a metre.
  private static func places(in room: Plan.Room) -> [SIMD2<Double>] {
    stride(from: room.x.lowerBound + 0.125, to: room.x.upperBound, by: 0.25).flatMap { x in
      stride(from: room.y.lowerBound + 0.125, to: room.y.upperBound, by: 0.25).map { SIMD2(x, $0) }
    }
  }

  @Test func `Four rooms with different reverbs fill the plan`() {
    #expect(Set(Plan.rooms.map(\.reverb)).count == 4)
    #expect(Plan.rooms.reduce(0) { $0 + Self.places(in: $1).count } == Int(Plan.size.x * Plan.size.y * 16))
    for room in Plan.rooms {
      for place in Self.places(in: room) { #expect(Plan.rooms.filter { $0.contains(place) } == [room]) }
    }
  }

  @Test func `Each door is in a wall between its rooms`() throws {
    for door in Plan.doors {
      let across: SIMD2<Double> = door.isInNorthSouthWall ? [0.1, 0] : [0, 0.1]
      let rooms = [-across, across].map { Plan.room(at: door.place + $0)?.name }
      #expect(Set(rooms) == [door.rooms.0, door.rooms.1])
      for end in [door.ends.0, door.ends.1] { #expect(Plan.rooms.filter { $0.contains(end) }.count == 2) }
    }
  }

  @Test func `The zones and the portals of the world are the rooms and the doors`() {
    for (zone, room) in zip(Plan.zones, Plan.rooms) {
      #expect(zone.name == room.name)
      #expect(Self.places(in: room).allSatisfy { zone.weight(at: Plan.scenePosition($0)) == 1 })
    }
    for (portal, door) in zip(Plan.portals, Plan.doors) {
      #expect(portal.first == door.rooms.0 && portal.second == door.rooms.1)
      #expect(portal.position == Plan.scenePosition(door.place))
    }
  }

  @Test func `A ray passes an open door, and no closed one`() {
    for (index, door) in Plan.doors.enumerated() {
      let across: SIMD2<Double> = door.isInNorthSouthWall ? [1, 0.2] : [0.2, 1]
      let (start, end) = (door.place - across, door.place + across)
      #expect(Plan.obstacle(from: start, to: end, openness: Self.open) == .nothing)
      var openness = Self.open
      openness[index] = 0
      #expect(Plan.obstacle(from: start, to: end, openness: openness) == .wall)
      // Beside the opening is the wall.
      let along: SIMD2<Double> = door.isInNorthSouthWall ? [0, 0.9] : [0.9, 0]
      #expect(Plan.obstacle(from: start + along, to: end + along, openness: Self.open) == .wall)
    }
  }

  @Test func `No wall is between a place of a room and the doors of that room`() {
    for room in Plan.rooms {
      for door in Plan.doors where [door.rooms.0, door.rooms.1].contains(room.name) {
        for place in Self.places(in: room) {
          #expect(Plan.obstacle(from: place, to: door.place, openness: Self.closed) != .wall)
        }
      }
    }
  }

  @Test func `A pillar hides what is behind it`() throws {
    for pillar in Plan.pillars {
      #expect(Plan.obstacle(from: pillar - [1.5, 0.3], to: pillar + [1.5, 0.3], openness: Self.open) == .pillar)
      #expect(Plan.obstacle(from: pillar - [1.5, 1], to: pillar + [1.5, -1], openness: Self.open) == .nothing)
    }
  }

  @Test func `A person stands in an open door, and in no closed one`() {
    for (index, door) in Plan.doors.enumerated() {
      #expect(Plan.hasRoom(at: door.place, radius: 0.3, openness: Self.open))
      #expect(!Plan.hasRoom(at: door.place, radius: 0.3, openness: Self.closed))
      #expect(Plan.nearestDoor(to: door.place + [0.2, 0.2]) == index)
    }
    for pillar in Plan.pillars { #expect(!Plan.hasRoom(at: pillar + [0.8, 0], radius: 0.3, openness: Self.open)) }
    for place in [[-1, 2], [8.9, 5], [20, 20]] as [SIMD2<Double>] {
      #expect(!Plan.hasRoom(at: place, radius: 0.3, openness: Self.open))
    }
  }
}
