import Glibc

/// How a level becomes gains: all that the reverb itself can be raised is in the effect, and the slot's gain takes it down.
///
/// So that a change of level is a change of one gain, which the library glides. The effect's own gains end 13 to 45 dB above those
/// of a preset. Beyond that the sources are raised that feed it, and lowered again on all other ways.
struct ReverbGains: Equatable {
  /// The acoustics at the highest gains that they go up to.
  let loudest: RoomAcoustics

  /// How far above their own gains, and above what the equaliser's fit shifts them, in decibels.
  let headroom: Float

  /// The gains of acoustics that are to be raised by some decibels at level 0.
  init(of room: RoomAcoustics, offset: Float = 0) {
    var loudest = room
    guard room.gain > 0, room.reflectionsGain > 0 || room.lateGain > 0 else {
      (self.loudest, headroom) = (room, 0)
      return
    }
    let factor = min(
      RoomAcoustics.largestReflectionsGain / max(room.reflectionsGain, .leastNormalMagnitude),
      RoomAcoustics.largestLateGain / max(room.lateGain, .leastNormalMagnitude)
    )
    loudest.gain = 1
    loudest.reflectionsGain = min(room.reflectionsGain * factor, RoomAcoustics.largestReflectionsGain)
    loudest.lateGain = min(room.lateGain * factor, RoomAcoustics.largestLateGain)
    self.loudest = loudest
    headroom = 20 * log10(factor / room.gain) - offset
  }

  /// How far sources are raised at most: OpenAL Soft 1.19 takes no more for any gain.
  private static let largestBoost: Float = 16

  /// The level that is reached.
  func reached(_ level: Decibels) -> Decibels { min(level, Decibels(headroom) + Decibels(gain: Self.largestBoost)) }

  /// The slot's gain for a level.
  func slotGain(_ level: Decibels) -> Float { (level - Decibels(headroom)).gain.clamped(to: 0...1) }

  /// What the gains of sources are to be multiplied with for a level, on their way into the reverb.
  func boost(_ level: Decibels) -> Float {
    (level - Decibels(headroom)).gain.clamped(to: 1...Self.largestBoost)
  }
}
