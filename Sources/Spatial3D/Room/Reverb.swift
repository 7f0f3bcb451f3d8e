/// The room of a context.
///
/// ```swift
/// context.reverb = Reverb(
///   .cathedral,
///   level: -6,
///   equalizer: .init(frequency: 1_200, bandwidth: 1.5, level: -3)
/// )
/// monster.reverbBlend = 0.4  // 0 is dry, 1 wet
/// // behind a door: dB at 5 kHz, of direct sound and room
/// monster.occlusion = -18
/// monster.obstruction = -6  // behind a pillar: of direct sound alone
/// ```
///
/// ``AudioContext/reverbResolution`` reports the actual result of the loaded library.
public struct Reverb: Hashable, Sendable {
  /// The acoustics of the room.
  public var room: RoomAcoustics

  /// The level of the reverb of all sources.
  ///
  /// Range: -40 to 40 dB, clamped. Default: 0, the room's own gains. Apple's rooms reach the full range. Three of the
  /// 113 rooms of Creative Labs end at 37 to 39.8 dB, and ``ReverbResolution/level`` reports that. A change of the
  /// level alone is smooth, and may be frequent. Apple's counterpart is `ALC_ASA_REVERB_GLOBAL_LEVEL`.
  public var level: Decibels

  /// The equaliser behind the reverb; `nil`, the default, adds no equaliser.
  public var equalizer: ParametricEqualizer?

  /// One of Apple's rooms.
  ///
  /// Apple's counterpart is `ALC_ASA_REVERB_ROOM_TYPE`.
  public init(_ preset: RoomPreset, level: Decibels = 0, equalizer: ParametricEqualizer? = nil) {
    self.init(room: RoomAcoustics(preset), level: level, equalizer: equalizer)
  }

  /// One of Creative Labs' acoustics.
  ///
  /// The OpenAL counterparts are the presets of `efx-presets.h`.
  public init(efx preset: EFXPreset, level: Decibels = 0, equalizer: ParametricEqualizer? = nil) {
    self.init(room: RoomAcoustics(preset), level: level, equalizer: equalizer)
  }

  /// A room of your own.
  public init(room: RoomAcoustics, level: Decibels = 0, equalizer: ParametricEqualizer? = nil) {
    self.room = room
    self.level = level
    self.equalizer = equalizer
  }
}

extension Reverb: Clampable {
  package var isFinite: Bool { room.isFinite && level.rawValue.isFinite && equalizer?.isFinite != false }

  package var clamped: Reverb {
    Reverb(room: room.clamped, level: level.clamped(to: -40...40), equalizer: equalizer?.clamped)
  }
}
