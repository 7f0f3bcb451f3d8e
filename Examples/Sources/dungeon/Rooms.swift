import GameAudio
import Stage

/// Two rooms of 20 by 16 metres, one behind the other, with a door between them and 200 torches in each.
///
/// The walk leads from the hall, which is south of the origin, through the door at the origin to the cave in the north.
enum Rooms {
  static let length: Float = 20
  static let width: Float = 16
  /// The distance from the door, in metres, at which the other room is no longer audible.
  static let threshold: Float = 3

  /// The positions of the torches, in rows along the walls.
  static let torches: [SIMD3<Float>] = {
    var noise = Noise(seed: 3)
    return (0..<400).map { index in
      let side: Float = index.isMultiple(of: 2) ? -1 : 1
      let along = ((Float(index / 2) + 0.5) / 100 - 1) * (length - 0.5)
      return [side * (width / 2 - 0.5 - Float(index / 2 % 4) * 0.5), 1.8 + 0.4 * Float(noise.next()), along]
    }
  }()

  /// The position of the listener's head after a walk of some metres.
  static func place(after distance: Double) -> SIMD3<Float> {
    let z = 14 - Float(distance)
    // A bend on each side of the door, which is passed in its middle.
    let part = z / 14
    return [8 * part * (1 - part * part), 1.7, z]
  }

  /// The shares of the hall and of the cave at a position: their squares add up to 1, also in the door.
  static func shares(at place: SIMD3<Float>) -> (hall: Float, cave: Float) {
    let hall = min(max(0.5 + place.z / (2 * threshold), 0), 1)
    return (hall.squareRoot(), (1 - hall).squareRoot())
  }
}
