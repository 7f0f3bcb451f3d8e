import Spatial3D

/// The obstacles between the listener and a sound.
struct Between {
  let name: String

  /// The obstruction by a thing in the same room: the direct sound goes around it, the room's response is unaffected.
  let obstruction: Decibels

  /// The occlusion by a wall: all sound passes through it.
  let occlusion: Decibels

  static let nothing = Between(name: "nothing", obstruction: 0, occlusion: 0)

  /// The rows of the table.
  static let all =
    [nothing]
    + [-12, -24, -48].map { Between(name: "a column", obstruction: Decibels($0), occlusion: 0) }
    + [-12, -24, -48].map { Between(name: "a wall", obstruction: 0, occlusion: Decibels($0)) }
    + [Between(name: "both", obstruction: -24, occlusion: -24)]

  /// The entries that the example plays and draws.
  static let heard = [nothing, all[2], all[5], all[7]]

  /// The total attenuation at 5 kHz, for a heading.
  var muffling: Decibels { obstruction + occlusion }
}
