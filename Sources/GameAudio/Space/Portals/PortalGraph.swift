internal import Spatial3D

/// The rooms of a world and the openings between them, by indices.
///
/// The last room is the outdoors. Pure: no call and no lock.
struct PortalGraph: Sendable {
  /// An opening that is not closed.
  struct Door: Equatable, Sendable {
    let portal: PortalIndex
    let rooms: RoomPair
    let position: SIMD3<Float>
    let radius: Float
    /// The occlusion, in decibels.
    let loss: Float
  }

  /// An exit from a room.
  struct Exit: Equatable, Sendable {
    /// The end of the door at which the route comes out.
    let end: DoorEnd
    /// The room beyond the door.
    let room: RoomIndex
  }

  /// Exits of a room that follow each other in the list of the exits.
  struct Group: Sendable {
    /// The largest number of exits in a group without halves.
    ///
    /// Chosen: most rooms have fewer doors, and then one group.
    static let size = 8

    /// The positions of the exits in the list.
    let exits: Range<Int>
    /// The group of the second half of the exits; the group of the first half follows this group.
    fileprivate(set) var secondHalf: Int?
  }

  /// The number of changes of the openings and the rooms up to this graph.
  let version: Int
  let roomCount: Int
  /// The occlusion, in decibels, below which an opening or a route counts as closed.
  let closed: Float
  private(set) var doors: [Door] = []
  /// The exits of each room in the order of the doors, one room after the other, and the beginning of each.
  private(set) var exits: [Exit] = []
  private var begins: [Int]
  /// A tree of groups for each room with exits.
  private(set) var groups: [Group] = []
  /// The group of all exits of each room.
  private var roots: [Int?] = []

  /// The outdoors.
  var outdoors: RoomIndex { RoomIndex(roomCount - 1) }

  /// A graph of some portals, without portals of an unknown name, closed portals and portals to the same room.
  ///
  /// - Parameters:
  ///   - portals: The portals.
  ///   - rooms: The rooms, with their indices.
  ///   - closed: The occlusion below which an opening counts as closed, in decibels.
  ///   - version: The number of changes of the openings and the rooms.
  init(_ portals: [Portal] = [], in rooms: RoomMap = RoomMap(), closed: Float = -100, version: Int = 0) {
    (self.version, self.closed) = (version, closed)
    roomCount = rooms.outdoors.position + 1
    begins = []
    for (index, portal) in portals.enumerated() where portal.isUsable && portal.openness > 0 {
      guard let pair = rooms.rooms(of: portal) else { continue }
      let loss = Decibels(factor: min(portal.openness, 1)).rawValue
      guard loss > closed else { continue }
      doors.append(
        Door(
          portal: PortalIndex(index),
          rooms: pair,
          position: portal.position,
          radius: max(portal.radius, 0),
          loss: loss
        )
      )
    }
    sortExits()
    roots = (0..<roomCount).map { room in
      let places = places(of: RoomIndex(room))
      return places.isEmpty ? nil : addGroup(of: places)
    }
  }

  /// Sorts the ends of the doors by the rooms that they lead out of.
  private mutating func sortExits() {
    begins = Array(repeating: 0, count: roomCount + 1)
    for door in doors {
      begins[door.rooms.first.position + 1] += 1
      begins[door.rooms.second.position + 1] += 1
    }
    for room in 0..<roomCount { begins[room + 1] += begins[room] }
    var places = begins
    exits = Array(repeating: Exit(end: DoorEnd(0), room: outdoors), count: 2 * doors.count)
    func add(_ exit: Exit, of room: RoomIndex) {
      exits[places[room.position]] = exit
      places[room.position] += 1
    }
    for (index, door) in doors.enumerated() {
      let (index, rooms) = (DoorIndex(index), door.rooms)
      add(Exit(end: DoorEnd(of: index, inSecondRoom: true), room: rooms.second), of: rooms.first)
      add(Exit(end: DoorEnd(of: index, inSecondRoom: false), room: rooms.first), of: rooms.second)
    }
  }

  subscript(index: DoorIndex) -> Door { doors[index.position] }

  /// The room into which a route comes at an end of a door.
  func room(at end: DoorEnd) -> RoomIndex {
    let rooms = self[end.door].rooms
    return end.isInSecondRoom ? rooms.second : rooms.first
  }

  /// Adds the group of some exits, and then the groups of its halves; returns the index of the group.
  private mutating func addGroup(of places: Range<Int>) -> Int {
    let index = groups.count
    groups.append(Group(exits: places))
    guard places.count > Group.size else { return index }
    let middle = places.lowerBound + places.count / 2
    _ = addGroup(of: places.lowerBound..<middle)
    groups[index].secondHalf = addGroup(of: middle..<places.upperBound)
    return index
  }

  /// The bit of a room in the set of rooms that a route has been in: the outdoors and the first 63 zones have a bit.
  func bit(of room: RoomIndex) -> UInt64 {
    room == outdoors ? 1 << 63 : room.position < 63 ? 1 << UInt64(room.position) : 0
  }

  /// The indices of the exits of a room in the list of the exits of all rooms.
  func places(of room: RoomIndex) -> Range<Int> { begins[room.position]..<begins[room.position + 1] }

  /// The group of all exits of a room; `nil` for a room without exits.
  func root(of room: RoomIndex) -> Int? { roots[room.position] }
}
