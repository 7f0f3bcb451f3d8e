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

  /// The values of an explanation by the world, whose factors have names.
  init(_ explanation: Explanation) {
    level = explanation.level
    for factor in explanation.factors where factor.name != "the sound itself" {
      gain += factor.level
      if factor.name == "wall between the rooms" {
        (way, muffling) = (.wall, muffling + factor.level)
      } else if let door = Plan.doors.firstIndex(where: { factor.name == "portal \($0.rooms.0)–\($0.rooms.1)" }) {
        (way, muffling) = (.door(door), muffling + factor.level)
      } else if factor.name.hasSuffix(" by rays") {
        muffling += factor.level
      } else if factor.name.hasPrefix("attenuation at ") {
        distance = factor.name.split(separator: " ").dropFirst(2).first.flatMap { Float($0) } ?? 0
      }
    }
  }
}
