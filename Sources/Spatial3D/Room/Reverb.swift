/// The room that a scene plays in.
///
/// ```swift
/// context.reverb = Reverb(.cathedral, level: -6, equalizer: .init(frequency: 1_200, bandwidth: 1.5, gain: -3))
/// monster.reverbSendLevel = 0.4  // 0 is dry, 1 wet
/// monster.occlusion = -18  // behind a door: dB at 5 kHz, of direct sound and room
/// monster.obstruction = -6  // behind a pillar: of direct sound alone
/// ```
///
/// What the loaded library makes of it is told by ``AudioContext/reverbResolution``.
public struct Reverb: Hashable, Sendable {
  /// How the room sounds.
  public var room: RoomAcoustics

  /// How loud the reverb of all sources is.
  ///
  /// Range: -40 to 40 dB, clamped. Default: 0, as the room's own gains are. Apple's rooms reach all of it. Of Creative Labs',
  /// three of the 113 end at 37 to 39.8 dB, as ``ReverbResolution/level`` tells. Changing the level alone is a glide, and as often
  /// as you like. Apple's counterpart is `ALC_ASA_REVERB_GLOBAL_LEVEL`.
  public var level: Decibels

  /// What the reverb goes through; `nil`, the default, leaves it as it is.
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
  var isFinite: Bool { room.isFinite && level.rawValue.isFinite && equalizer?.isFinite != false }

  var clamped: Reverb {
    Reverb(room: room.clamped, level: level.clamped(to: -40...40), equalizer: equalizer?.clamped)
  }
}
