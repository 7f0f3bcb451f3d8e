import Spatial3D

/// What stands between the listener and a sound.
struct Between {
  let name: String

  /// A thing in the same room: the direct sound has to go around it, the room's answer does not.
  let obstruction: Decibels

  /// A wall: all of the sound has to go through.
  let occlusion: Decibels

  static let nothing = Between(name: "nothing", obstruction: 0, occlusion: 0)

  /// What the table compares.
  static let all =
    [nothing]
    + [-12, -24, -48].map { Between(name: "a column", obstruction: Decibels($0), occlusion: 0) }
    + [-12, -24, -48].map { Between(name: "a wall", obstruction: 0, occlusion: Decibels($0)) }
    + [Between(name: "both", obstruction: -24, occlusion: -24)]

  /// What is heard, and drawn.
  static let heard = [nothing, all[2], all[5], all[7]]

  /// How much it takes at 5 kHz, as a heading has it.
  var muffling: Decibels { obstruction + occlusion }
}
