import Foundation

/// A monster of the house: it stays at its position, or paces up and down.
struct Monster: Hashable, Sendable {
  let name: String
  let room: String
  /// Both ends of its path; equal ends for a monster that stays.
  let ends: (SIMD2<Double>, SIMD2<Double>)

  /// The seconds of a walk up and down.
  static let period = 4.0

  static let all = [
    Monster(name: "hound", room: "kitchen", ends: ([14.5, 1.2], [14.5, 1.2])),
    Monster(name: "ogre", room: "cellar", ends: ([14.6, 10.6], [14.6, 10.6])),
    Monster(name: "ghost", room: "library", ends: ([1.6, 9.8], [4.2, 10.6])),
  ]

  /// The position at a time.
  func place(at time: Double) -> SIMD2<Double> {
    let part = 0.5 - 0.5 * cos(2 * .pi * time / Self.period)
    return ends.0 + (ends.1 - ends.0) * part
  }

  static func == (left: Monster, right: Monster) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
