internal import Spatial3D

/// The rooms of a world and the openings between them, by indices.
///
/// The last room is the outdoors. Pure: no call and no lock.
struct PortalGraph: Sendable {
  /// An opening that is not closed.
  struct Door: Equatable, Sendable {
    /// The index in the list of the portals.
    let portal: Int
    let rooms: SIMD2<Int32>
    let position: SIMD3<Float>
    let radius: Float
    /// The occlusion, in decibels.
    let loss: Float
  }

  /// An exit from a room.
  struct Exit: Equatable, Sendable {
    /// The end of the door at which the route comes out: twice the index of the door, plus 1 for its second room.
    let end: Int32
    /// The room beyond the door.
    let room: Int32
  }

  /// The number of changes of the openings and the rooms up to this graph.
  let version: Int
  let roomCount: Int
  /// The occlusion, in decibels, below which an opening or a route counts as closed.
  let closed: Float
  private(set) var doors: [Door] = []
  /// The exits of each room, one room after the other, and the beginning of each.
  private var exits: [Exit] = []
  private var begins: [Int]

  /// The outdoors.
  var outdoors: Int { roomCount - 1 }

  /// A graph of some portals, without portals of an unknown name, closed portals and portals to the same room.
  ///
  /// - Parameters:
  ///   - portals: The portals.
  ///   - rooms: The rooms, with their indices.
  ///   - closed: The occlusion below which an opening counts as closed, in decibels.
  ///   - version: The number of changes of the openings and the rooms.
  init(_ portals: [Portal] = [], in rooms: RoomMap = RoomMap(), closed: Float = -100, version: Int = 0) {
    (self.version, self.closed) = (version, closed)
    roomCount = rooms.outdoors + 1
    begins = []
    for (index, portal) in portals.enumerated() where portal.isUsable && portal.openness > 0 {
      guard let pair = rooms.rooms(of: portal) else { continue }
      let loss = Decibels(factor: min(portal.openness, 1)).rawValue
      guard loss > closed else { continue }
      doors.append(
        Door(
          portal: index,
          rooms: pair,
          position: portal.position,
          radius: max(portal.radius, 0),
          loss: loss
        )
      )
    }
    sortExits()
  }

  /// Sorts the ends of the doors by the rooms that they lead out of.
  private mutating func sortExits() {
    begins = Array(repeating: 0, count: roomCount + 1)
    for door in doors {
      begins[Int(door.rooms.x) + 1] += 1
      begins[Int(door.rooms.y) + 1] += 1
    }
    for room in 0..<roomCount { begins[room + 1] += begins[room] }
    var places = begins
    exits = Array(repeating: Exit(end: 0, room: 0), count: 2 * doors.count)
    for (index, door) in doors.enumerated() {
      exits[places[Int(door.rooms.x)]] = Exit(end: Int32(2 * index + 1), room: door.rooms.y)
      places[Int(door.rooms.x)] += 1
      exits[places[Int(door.rooms.y)]] = Exit(end: Int32(2 * index), room: door.rooms.x)
      places[Int(door.rooms.y)] += 1
    }
  }

  /// The bit of a room in the set of rooms that a route has been in: the outdoors and the first 63 zones have a bit.
  func bit(of room: Int) -> UInt64 { room == outdoors ? 1 << 63 : room < 63 ? 1 << UInt64(room) : 0 }

  /// The indices of the exits of a room in the list of the exits of all rooms.
  func places(of room: Int) -> Range<Int> { begins[room]..<begins[room + 1] }

  /// Runs a closure for each exit of a room.
  @inline(__always)
  func forEachExit(of room: Int, _ body: (Exit) -> Void) {
    for place in places(of: room) { body(exits[place]) }
  }
}
