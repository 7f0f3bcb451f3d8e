internal import AudioSupport

extension SoundSource {
  /// The blend of the direct sound and the ``AudioContext/reverb``: 0 is dry, 1 is wet without direct sound.
  ///
  /// In between, dry and wet together keep the same power. The blend has no effect while the context has no reverb.
  /// Range: 0 to 1, clamped. Default: 0. A low blend is enough: 0.2 puts a sound into the room.
  ///
  /// Apple's counterparts are `ALC_ASA_REVERB_SEND_LEVEL` and `AVAudio3DMixing.reverbBlend`.
  public var reverbBlend: Float {
    get { read(.reverbBlend) { $0.reverbBlend } }
    set {
      set(.reverbBlend, "reverbBlend", to: newValue, in: 0...1) { assign(&$0.reverbBlend, with: $1) }
    }
  }

  /// The occlusion by a wall or a closed door: the level of the direct sound and of the room at 5 kHz.
  ///
  /// Low frequencies lose a quarter of the decibels. Range: -100 to 0 dB, clamped. Default: 0, which costs nothing.
  ///
  /// It may change each frame, for example while a door moves. Without ``Capabilities/filterInterpolation`` the filter
  /// changes abruptly at the beginning of a mix: this clicks in low notes, louder for larger changes, but not in noise.
  ///
  /// Apple's counterpart is `ALC_ASA_OCCLUSION`.
  public var occlusion: Decibels {
    get { read(.occlusion) { $0.occlusion } }
    set { set(.occlusion, "occlusion", to: newValue) { assign(&$0.occlusion, with: $1) } }
  }

  /// The obstruction by an obstacle: the level of the direct sound, but not of the room, at 5 kHz.
  ///
  /// It adds to ``occlusion``, but low frequencies go around the obstacle. Range: -100 to 0 dB, clamped. Default: 0,
  /// which costs nothing.
  ///
  /// Apple's counterpart is `ALC_ASA_OBSTRUCTION`.
  public var obstruction: Decibels {
    get { read(.obstruction) { $0.obstruction } }
    set { set(.obstruction, "obstruction", to: newValue) { assign(&$0.obstruction, with: $1) } }
  }

  /// The levels of the source's low and high frequencies, in the direct sound, the room and the effects.
  ///
  /// Range: -60 to 0 dB each, clamped. Default: 0, which costs nothing; any other level makes the source several times
  /// as expensive to mix. The levels add to ``occlusion``, ``obstruction`` and the filters of ``effectSends`` in one
  /// filter of the library. At 250 Hz and at 5 kHz it is exact to 0.1 dB if neither is more than 36 dB below the
  /// middle. At 60 dB, one end lowers the other by 8 dB. It changes as abruptly as ``occlusion``. The OpenAL
  /// counterpart is `AL_FILTER_BANDPASS`.
  public var filter: ToneFilter {
    get { read(.filter) { $0.filter } }
    set { set(.filter, "filter", to: newValue) { assign(&$0.filter, with: $1) } }
  }

  /// The steepness of the source's fading in rooms and effects with distance: 1 fades like the direct sound.
  ///
  /// Range: 0 to 1, clamped, the range of OpenAL Soft 1.25; ``RoomAcoustics/roomRolloff`` has a wider range. Default:
  /// 0, which leaves the fading to the room's acoustics. The OpenAL counterpart is `AL_ROOM_ROLLOFF_FACTOR`.
  public var roomRolloff: Float {
    get { read(.roomRolloff) { $0.roomRolloff } }
    set { set(.roomRolloff, "roomRolloff", to: newValue, in: 0...1) { assign(&$0.roomRolloff, with: $1) } }
  }

  private func set(
    _ property: SourceProperties,
    _ name: StaticString,
    to level: Decibels,
    _ body: (inout SourceValues, Decibels) -> Bool
  ) {
    // Silence is valid, and is clamped to the lowest level.
    guard level.rawValue.isFinite || level == .silence else {
      return complain(about: property, "\(name)", value: "\(level)")
    }
    change(property) { body(&$0, level.clamped(to: -100...0)) }
  }
}
