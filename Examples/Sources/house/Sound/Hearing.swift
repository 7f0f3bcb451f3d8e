import GameAudio

/// The path by which a listener receives a sound.
enum Way: Hashable, Sendable {
  /// Straight, in the same room.
  case straight
  /// Through the door of an index, which is the first one from the listener.
  case door(Int)
  /// Through the walls: no open door leads to it.
  case wall

  /// The path in words.
  var words: String {
    switch self {
    case .straight: "same room"
    case .door(let index): "door \(index + 1)"
    case .wall: "wall"
    }
  }
}

/// The path, the occlusion and the level of one sound at one moment.
struct Hearing: Hashable, Sendable {
  var way = Way.straight
  /// The length of the path, in metres.
  var distance: Float = 0
  /// The loss of the whole sound by walls, doors and pillars.
  var muffling: Decibels = 0
  /// The change of the level on the path, by distance, occlusion and buses.
  var gain: Decibels = 0
  /// The predicted level at the listener at this moment, re full scale.
  var level: Decibels = .silence

  /// The values of an explanation by the world.
  init(_ explanation: Explanation) {
    level = explanation.level
    for factor in explanation.factors where factor.kind != .sound {
      gain += factor.level
      switch factor.kind {
      case .wall: (way, muffling) = (.wall, muffling + factor.level)
      case .portal(let portal):
        muffling += factor.level
        if let door = Plan.doors.firstIndex(where: { $0.rooms.0 == portal.first && $0.rooms.1 == portal.second }) {
          way = .door(door)
        }
      case .occlusionByRays, .obstructionByRays: muffling += factor.level
      case .attenuation(let distance, _): self.distance = distance
      default: break
      }
    }
  }
}
