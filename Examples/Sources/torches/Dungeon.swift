import Foundation
import GameAudio
import Stage

/// A dungeon of 25 times 25 rooms with 16 torches on the walls of each, and a walk through it.
struct Dungeon {
  static let roomsPerSide = 25
  /// The length of a room, in metres.
  static let roomLength: Float = 8
  static let length = Float(roomsPerSide) * roomLength
  static let torchesPerRoom = 16

  /// The seconds of the walk, and the updates of a second, as in a game.
  static let seconds = 36
  static let updateRate = 60

  /// The positions of the torches, in metres; the middle of the dungeon is the origin.
  static let places: [SIMD3<Float>] = (0..<roomsPerSide * roomsPerSide).flatMap { room in
    let corner = SIMD2(Float(room % roomsPerSide), Float(room / roomsPerSide)) * roomLength - length / 2
    return (0..<torchesPerRoom).map { torch -> SIMD3<Float> in
      // Four torches on each wall, half a metre inside of it.
      let along = (Float(torch % 4) + 0.5) * roomLength / 4
      let across: Float = torch / 4 % 2 == 0 ? 0.5 : roomLength - 0.5
      return torch < 8 ? [corner.x + along, 1.8, corner.y + across] : [corner.x + across, 1.8, corner.y + along]
    }
  }

  /// The listener after a number of seconds: on a loop with bends, looking ahead.
  static func listener(at time: Double) -> Listener {
    func place(_ time: Double) -> SIMD3<Float> {
      let turn = 2 * Double.pi * time / Double(seconds)
      let radius = Double(length) * (0.2 + 0.07 * sin(3 * turn))
      return [Float(radius * sin(turn)), 1.7, Float(-radius * cos(turn))]
    }
    let (here, ahead) = (place(time), place(time + 0.1))
    return Listener(position: here, orientation: Orientation(forward: ahead - here, up: [0, 1, 0]))
  }
}
