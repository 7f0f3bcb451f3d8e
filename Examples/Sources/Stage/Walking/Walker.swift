import Foundation

/// A person who walks and turns by key presses.
///
/// A terminal reports presses of keys and no releases. A press therefore adds a step, and steps that are left are
/// walked at a constant speed. A held key repeats faster than that, so that the walk is smooth while it is held.
package struct Walker: Hashable, Sendable {
  /// The length of a step, in metres.
  package static let step = 0.25

  /// The angle of a turn by one press, in degrees.
  package static let turn = 10.0

  /// The duration of a step or a turn, in seconds.
  package static let stepSeconds = 0.1

  /// The steps that are left at most, so that the walk ends soon after the release of a key.
  package static let mostSteps = 3.0

  /// Half of the width of a person, in metres.
  package static let radius = 0.3

  /// The position, in metres: x to the right, y down the plan.
  package private(set) var position: SIMD2<Double>

  /// The heading, in degrees clockwise from up the plan (north): 0 to 360.
  package private(set) var heading = 0.0

  /// The velocity during the last update, in metres per second.
  package private(set) var velocity = SIMD2<Double>.zero

  /// The steps ahead that are left to walk; backwards if negative.
  private var steps = 0.0

  /// The turns to the right that are left; to the left if negative.
  private var turns = 0.0

  /// A person at a position who looks up the plan.
  package init(at position: SIMD2<Double>) { self.position = position }

  /// Adds steps ahead; a negative number is backwards.
  package mutating func walk(_ count: Double) { Self.add(count, to: &steps) }

  /// Adds turns to the right; a negative number is to the left.
  package mutating func turn(_ count: Double) { Self.add(count, to: &turns) }

  /// Adds to what is left; the opposite direction replaces it.
  private static func add(_ count: Double, to left: inout Double) {
    left = left * count < 0 ? count : min(max(left + count, -mostSteps), mostSteps)
  }

  /// Walks and turns for a number of seconds; a wall stops the part of the walk that leads into it.
  ///
  /// - Parameters:
  ///   - seconds: The seconds.
  ///   - hasRoom: Whether a person can stand at a position.
  package mutating func advance(by seconds: Double, where hasRoom: (SIMD2<Double>) -> Bool) {
    guard seconds > 0 else { return }
    heading = (heading + Self.take(seconds / Self.stepSeconds, of: &turns) * Self.turn + 360)
      .truncatingRemainder(dividingBy: 360)
    let before = position
    var way = Self.take(seconds / Self.stepSeconds, of: &steps) * Self.step
    // Short moves, so that a long update does not jump over a wall.
    while way != 0 {
      let move = min(max(way, -Self.step), Self.step)
      way -= move
      for part in [SIMD2(direction.x, 0), SIMD2(0, direction.y)] {
        let next = position + part * move
        if hasRoom(next) { position = next }
      }
    }
    velocity = (position - before) / seconds
  }

  /// Removes up to a number of steps from those that are left, and returns them.
  private static func take(_ most: Double, of left: inout Double) -> Double {
    let taken = min(max(left, -most), most)
    left -= taken
    // The rest of a step after several updates is a rounding error.
    if abs(left) < 1e-9 { left = 0 }
    return taken
  }

  /// The direction of the heading on the plan, of length 1.
  package var direction: SIMD2<Double> { Self.direction(ofHeading: heading) }

  /// The direction of a heading in degrees on the plan, of length 1.
  package static func direction(ofHeading heading: Double) -> SIMD2<Double> {
    let radians = heading * .pi / 180
    return [sin(radians), -cos(radians)]
  }
}
