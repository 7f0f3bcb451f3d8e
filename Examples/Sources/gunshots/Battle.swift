import Foundation
import Stage

/// Who stands where and fires when: everything about the example that makes no sound.
///
/// Two hundred guns fire one by one, faster and faster, and then all at once.
struct Battle {
  /// A gun's shot, at a number of seconds.
  struct Shot {
    let gun: Int
    let time: Double
  }

  /// How long it takes, in seconds.
  static let seconds = 10.0

  /// When all fire at once.
  static let volley = 8.0

  /// Looked at so many times a second, as in a game.
  static let updateRate = 60

  /// In metres per second; light is at once.
  static let speedOfSound = 343.3

  /// Where the guns are, in metres around the listener.
  let places: [SIMD3<Float>]

  /// All shots, the first of them first.
  let shots: [Shot]

  init(of count: Int) {
    // By the golden angle, as evenly as seeds in a sunflower, from 5 to 75 m away.
    places = (0..<count).map { gun in
      let bearing = Double(gun) * 137.507_764 * .pi / 180
      let distance = 5 + 70 * (Double(gun) / Double(max(count - 1, 1))).squareRoot()
      return [Float(distance * sin(bearing)), 0, Float(-distance * cos(bearing))]
    }
    var noise = Noise(seed: 7)
    let single = (0..<count).map { gun in
      // The root puts more of them towards the end.
      Shot(gun: gun, time: (Self.volley - 1) * ((noise.next() + 1) / 2).squareRoot())
    }
    shots = single.sorted { $0.time < $1.time } + (0..<count).map { Shot(gun: $0, time: Self.volley) }
  }

  static var updateCount: Int { Int(seconds) * updateRate }

  /// How long a gun's sound travels, in seconds.
  func flight(from gun: Int) -> Double {
    Double((places[gun] * places[gun]).sum().squareRoot()) / Self.speedOfSound
  }

  /// The shots of an update.
  func shots(in update: Int) -> ArraySlice<Shot> {
    let span = Double(update) / Double(Self.updateRate)..<Double(update + 1) / Double(Self.updateRate)
    let first = shots.firstIndex { $0.time >= span.lowerBound } ?? shots.endIndex
    return shots[first...].prefix { $0.time < span.upperBound }
  }
}
