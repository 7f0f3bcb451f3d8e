import Glibc

/// The gains for a level: the effect has its highest gains, and the slot's gain lowers the reverb.
///
/// A change of level is then a change of one gain, and the library makes that smooth. The effect's own gains end 13 to
/// 45 dB above the gains of a preset. Beyond that, the sources that feed the reverb are raised, and lowered again on
/// all other paths.
struct ReverbGains: Equatable {
  /// The acoustics at their highest gains.
  let loudest: RoomAcoustics

  /// The decibels from the room's own gains, with the offset of the equaliser's fit, up to the highest gains.
  let headroom: Float

  /// The gains of acoustics with an offset in decibels at level 0.
  init(of room: RoomAcoustics, offset: Float = 0) {
    var loudest = room
    guard room.gain > .silence, max(room.reflectionsGain, room.lateGain) > .silence else {
      (self.loudest, headroom) = (room, 0)
      return
    }
    let factor = min(
      RoomAcoustics.largestReflectionsGain.rawValue / max(room.reflectionsGain.rawValue, .leastNormalMagnitude),
      RoomAcoustics.largestLateGain.rawValue / max(room.lateGain.rawValue, .leastNormalMagnitude)
    )
    loudest.gain = .unity
    loudest.reflectionsGain = min(room.reflectionsGain * Gain(factor), RoomAcoustics.largestReflectionsGain)
    loudest.lateGain = min(room.lateGain * Gain(factor), RoomAcoustics.largestLateGain)
    self.loudest = loudest
    headroom = 20 * log10(factor / room.gain.rawValue) - offset
  }

  /// The largest factor for sources: OpenAL Soft 1.19 allows no higher gain.
  private static let largestBoost: Float = 16

  /// The level after the limits.
  func reached(_ level: Decibels) -> Decibels { min(level, Decibels(headroom) + Decibels(factor: Self.largestBoost)) }

  /// The slot's gain for a level.
  func slotGain(_ level: Decibels) -> Float { (level - Decibels(headroom)).factor.clamped(to: 0...1) }

  /// The factor for the gains of sources on the path into the reverb, at a level.
  func boost(_ level: Decibels) -> Float {
    (level - Decibels(headroom)).factor.clamped(to: 1...Self.largestBoost)
  }
}
