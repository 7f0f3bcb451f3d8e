internal import Spatial3D

/// The rooms of a world, and the room that a position belongs to.
///
/// Zones of one name are one room, with the index of the first of them. A zone without a name is a room that no portal
/// leads to. The last room is the outdoors. Pure: no call and no lock.
struct RoomMap: Sendable {
  /// The distance from a zone, in metres, up to which a position in no zone counts as inside: half of a wall of 1 m.
  static let margin: Float = 0.5

  /// A ball around a portal between two zones, for positions in a wall that is thicker than the margins.
  private struct Doorway: Equatable, Sendable {
    let center: SIMD3<Float>
    let radius: Float
    let rooms: RoomPair
  }

  private let zones: [ReverbZone]
  /// The indices of the zones whose numbers are usable: the others are no rooms.
  private let usable: [Int]
  /// The room of each zone.
  private let rooms: [RoomIndex]
  private let named: [String: RoomIndex]
  private var doorways: [Doorway] = []

  /// The index of the outdoors.
  var outdoors: RoomIndex { RoomIndex(zones.count) }

  /// The rooms of some zones.
  init(_ zones: [ReverbZone] = []) {
    var named: [String: RoomIndex] = [:]
    rooms = zones.enumerated().map { index, zone in
      guard !zone.name.isEmpty, zone.isUsable else { return RoomIndex(index) }
      let first = named[zone.name] ?? RoomIndex(index)
      named[zone.name] = first
      return first
    }
    usable = zones.indices.filter { zones[$0].isUsable }
    (self.zones, self.named) = (zones, named)
  }

  /// The rooms of a portal; `nil` for an unknown name, and for a portal from a room to itself.
  func rooms(of portal: Portal) -> RoomPair? {
    guard let first = room(named: portal.first), let second = room(named: portal.second), first != second else {
      return nil
    }
    return RoomPair(first: first, second: second)
  }

  private func room(named name: String?) -> RoomIndex? { name.map { named[$0] } ?? outdoors }

  /// Takes over the portals, open or closed; returns whether a position may belong to another room than before.
  mutating func setDoorways(_ portals: [Portal]) -> Bool {
    let old = doorways
    doorways = portals.compactMap { portal in
      guard portal.isUsable, portal.first != nil, portal.second != nil, let rooms = rooms(of: portal) else {
        return nil
      }
      return Doorway(center: portal.position, radius: max(portal.radius, 0) + Self.margin, rooms: rooms)
    }
    return doorways != old
  }

  /// The index of the room that a position belongs to.
  ///
  /// It is the room of the zone of the highest priority that contains the position, or else of the nearest zone within
  /// the margin. Near a portal, a position in the wall belongs to the nearer of the two rooms.
  func room(of place: SIMD3<Float>) -> RoomIndex {
    var (inside, near, nearest): (Int?, Int?, Float) = (nil, nil, Self.margin)
    for index in usable {
      let distance = zones[index].shape.distance(to: place)
      if distance <= 0 {
        if inside.map({ zones[index].priority > zones[$0].priority }) ?? true { inside = index }
      } else if distance < nearest {
        (near, nearest) = (index, distance)
      }
    }
    if let zone = inside ?? near { return rooms[zone] }
    return doorwayRoom(of: place) ?? outdoors
  }

  private func doorwayRoom(of place: SIMD3<Float>) -> RoomIndex? {
    var (best, nearest): (Int?, Float) = (nil, .infinity)
    for index in doorways.indices {
      let distance = (doorways[index].center - place).length
      if distance < doorways[index].radius, distance < nearest { (best, nearest) = (index, distance) }
    }
    guard let best else { return nil }
    let rooms = doorways[best].rooms
    let isFirst = distance(from: place, toRoom: rooms.first) <= distance(from: place, toRoom: rooms.second)
    return isFirst ? rooms.first : rooms.second
  }

  private func distance(from place: SIMD3<Float>, toRoom room: RoomIndex) -> Float {
    var nearest = Float.infinity
    for index in usable where rooms[index] == room {
      nearest = min(nearest, zones[index].shape.distance(to: place))
    }
    return nearest
  }
}
