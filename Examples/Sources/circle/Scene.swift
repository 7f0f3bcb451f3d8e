import Foundation
import Spatial3D
import Stage

/// The positions of the sounds and the walk of the listener; the scene itself plays no sound.
struct Scene {
  /// The distance of the sources from the middle, in metres.
  static let radius = 4.0

  /// The largest number of sounds of a walk: a drawing has eight colours for sounds.
  static let largestSoundCount = 8

  /// The number of updates a second, as in a game.
  static let updateRate = 60

  /// The sounds and their positions.
  let placed: [(sound: MonoSound, place: SIMD3<Float>)]

  /// The listener's walk.
  let walk: Walk

  /// The gain of every source, low enough that the mix cannot clip.
  let gain: Gain

  /// Sounds evenly spaced on a circle, and a walk of a number of seconds that weaves between them.
  ///
  /// The first sound is straight ahead of an unrotated listener in the middle.
  init(of sounds: [MonoSound], seconds: Double) {
    placed = sounds.enumerated().map { index, sound in
      let bearing = 2 * .pi * Double(index) / Double(sounds.count)
      return (sound, [Float(Self.radius * sin(bearing)), 0, Float(-Self.radius * cos(bearing))])
    }
    // More sounds make the walk shallower, so that no bend is too sharp.
    let depth = min(1.5, 5 / Double(max(sounds.count, 1)))
    walk = Walk(along: .weaving(between: sounds.count, radius: 3.7, depth: depth), seconds: seconds)
    gain = Gain(Headroom.gain(for: placed.map { ($0.sound.peak, $0.place) }, along: walk))
  }

  /// The number of updates of the whole walk.
  var updateCount: Int { max(Int((walk.seconds * Double(Self.updateRate)).rounded()), 1) }

  /// The time of an update, in seconds.
  func time(ofUpdate update: Int) -> Double { Double(update) / Double(Self.updateRate) }
}
