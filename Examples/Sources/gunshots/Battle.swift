import Foundation
import Spatial3D
import Stage

/// The positions of the guns and the times of their shots; the battle itself plays no sound.
///
/// Two hundred guns fire one by one, faster and faster, and then all at once.
struct Battle {
  /// A gun's shot, at a time in seconds.
  struct Shot {
    let gun: Int
    let time: Double
  }

  /// The duration of the battle, in seconds.
  static let seconds = 10.0

  /// The time at which all guns fire at once, in seconds.
  static let volley = 8.0

  /// The number of updates a second, as in a game.
  static let updateRate = 60

  /// In metres per second; the flash of a gun has no delay.
  static let speedOfSound = 343.3

  /// The positions of the guns, in metres around the listener.
  let places: [SIMD3<Float>]

  /// All shots in the order of time.
  let shots: [Shot]

  init(of count: Int) {
    // Spaced by the golden angle, as evenly as seeds in a sunflower, at distances from 5 to 75 m.
    places = (0..<count).map { gun in
      let bearing = Double(gun) * 137.507_764 * .pi / 180
      let distance = 5 + 70 * (Double(gun) / Double(max(count - 1, 1))).squareRoot()
      return [Float(distance * sin(bearing)), 0, Float(-distance * cos(bearing))]
    }
    var noise = Noise(seed: 7)
    let single = (0..<count).map { gun in
      // The square root moves more of them towards the end.
      Shot(gun: gun, time: (Self.volley - 1) * ((noise.next() + 1) / 2).squareRoot())
    }
    shots = single.sorted { $0.time < $1.time } + (0..<count).map { Shot(gun: $0, time: Self.volley) }
  }

  static var updateCount: Int { Int(seconds) * updateRate }

  /// The delay of a gun's sound at the listener, in seconds.
  func flight(from gun: Int) -> Double {
    Double(Listener().distance(to: places[gun])) / Self.speedOfSound
  }

  /// The shots in the interval of an update.
  func shots(in update: Int) -> ArraySlice<Shot> {
    let span = Double(update) / Double(Self.updateRate)..<Double(update + 1) / Double(Self.updateRate)
    let first = shots.firstIndex { $0.time >= span.lowerBound } ?? shots.endIndex
    return shots[first...].prefix { $0.time < span.upperBound }
  }
}
