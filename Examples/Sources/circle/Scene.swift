import Drawing
import Foundation
import Spatial3D
import Stage

/// What is where, and where the listener walks: everything about the example that makes no sound.
struct Scene {
  /// How far the sources are from the middle, in metres.
  static let radius = 4.0

  /// How many sounds a walk can have; as many as drawings have colours.
  static let largestSoundCount = Theme.seriesCount

  /// The listener moves so many times a second, as in a game.
  static let updateRate = 60

  /// The sounds and where each is placed.
  let placed: [(sound: MonoSound, place: SIMD3<Float>)]

  /// The listener's walk.
  let walk: Walk

  /// The gain of every source with which the mix cannot clip.
  let gain: Float

  /// Sounds evenly on a circle, the first of them straight ahead of an unrotated listener in the middle, and a walk of a
  /// number of seconds in and out between them.
  init(of sounds: [MonoSound], seconds: Double) {
    placed = sounds.enumerated().map { index, sound in
      let bearing = 2 * .pi * Double(index) / Double(sounds.count)
      return (sound, [Float(Self.radius * sin(bearing)), 0, Float(-Self.radius * cos(bearing))])
    }
    // The more sounds, the shallower, so that no bend is too sharp to walk.
    let depth = min(1.5, 5 / Double(max(sounds.count, 1)))
    walk = Walk(along: .weaving(between: sounds.count, radius: 3.7, depth: depth), seconds: seconds)
    gain = Headroom.gain(for: placed.map { ($0.sound.peak, $0.place) }, along: walk)
  }

  /// How many times the listener moves in all.
  var updateCount: Int { max(Int((walk.seconds * Double(Self.updateRate)).rounded()), 1) }

  /// When an update is due, in seconds.
  func time(ofUpdate update: Int) -> Double { Double(update) / Double(Self.updateRate) }
}
