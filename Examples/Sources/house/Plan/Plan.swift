import GameAudio

/// The plan of the house: four rooms, the doors between them, and two pillars.
///
/// Positions are in metres from the north-west corner: x to the east, y to the south, which is z of the scene.
enum Plan {
  /// A rectangular room.
  struct Room: Hashable, Sendable {
    let name: String
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>
    let reverb: Reverb

    /// The middle of the room.
    var center: SIMD2<Double> { SIMD2(x.lowerBound + x.upperBound, y.lowerBound + y.upperBound) / 2 }

    func contains(_ place: SIMD2<Double>) -> Bool { x.contains(place.x) && y.contains(place.y) }
  }

  /// A door in a wall; its index in ``doors`` and 1 are its number.
  struct Door: Hashable, Sendable {
    let rooms: (String, String)
    let place: SIMD2<Double>
    /// Whether its wall leads from north to south.
    let isInNorthSouthWall: Bool
    /// How far it is open at the beginning: 0 is closed, 1 open.
    let openness: Float

    static func == (left: Door, right: Door) -> Bool { left.place == right.place }
    func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// Both ends of the opening.
    var ends: (SIMD2<Double>, SIMD2<Double>) {
      let half: SIMD2<Double> = isInNorthSouthWall ? [0, Plan.doorWidth / 2] : [Plan.doorWidth / 2, 0]
      return (place - half, place + half)
    }
  }

  static let size = SIMD2(16.0, 13.0)
  static let doorWidth = 1.2
  /// The height of the listener's head, and of the monsters' mouths.
  static let height: Float = 1.6
  static let ceiling: Float = 3

  static let rooms = [
    Room(name: "hall", x: 0...9, y: 0...8, reverb: Reverb(.largeHall, level: -8)),
    Room(name: "kitchen", x: 9...16, y: 0...6, reverb: Reverb(efx: .bathroom, level: -12)),
    Room(name: "cellar", x: 9...16, y: 6...13, reverb: Reverb(efx: .cave, level: -8)),
    Room(name: "library", x: 0...9, y: 8...13, reverb: Reverb(efx: .carpetedHallway, level: -6)),
  ]

  /// An open door, a door that opens during the walk, a door ajar, and a door that stays closed.
  static let doors = [
    Door(rooms: ("hall", "kitchen"), place: [9, 2.5], isInNorthSouthWall: true, openness: 1),
    Door(rooms: ("kitchen", "cellar"), place: [12.5, 6], isInNorthSouthWall: false, openness: 0),
    Door(rooms: ("library", "cellar"), place: [9, 11], isInNorthSouthWall: true, openness: 0.5),
    Door(rooms: ("hall", "library"), place: [3.5, 8], isInNorthSouthWall: false, openness: 0),
  ]

  /// A chimney in the hall, and a column in the cellar: squares with a side of ``pillarWidth``.
  static let pillars: [SIMD2<Double>] = [[5, 4], [13.2, 9.5]]
  static let pillarWidth = 1.2

  /// The room at a position; the first room on a wall, and `nil` outdoors.
  static func room(at place: SIMD2<Double>) -> Room? { rooms.first { $0.contains(place) } }

  /// A position of the plan in the scene.
  static func scenePosition(_ place: SIMD2<Double>, height: Float = height) -> SIMD3<Float> {
    [Float(place.x), height, Float(place.y)]
  }

  /// The reverb zones: a box for each room.
  static var zones: [ReverbZone] {
    rooms.map { room in
      ReverbZone(
        .box(
          center: scenePosition(room.center, height: ceiling / 2),
          size: [Float(room.x.upperBound - room.x.lowerBound), ceiling, Float(room.y.upperBound - room.y.lowerBound)]
        ),
        room.reverb,
        fade: 0.8,
        name: room.name
      )
    }
  }

  /// The portals: one for each door.
  static var portals: [Portal] {
    doors.map { door in
      Portal(
        between: door.rooms.0,
        and: door.rooms.1,
        at: scenePosition(door.place),
        radius: Float(doorWidth / 2),
        openness: door.openness
      )
    }
  }
}
