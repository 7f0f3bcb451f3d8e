extension SoundSource {
  /// How much of the source is heard in the scene's ``AudioContext/reverb``: 0 is dry, 1 is wet, with nothing direct left.
  ///
  /// In between, dry and wet have together the same power. Of no effect while the scene has no reverb. Range: 0 to 1, clamped.
  /// Default: 0. Little is enough: a fifth puts a sound into the room.
  ///
  /// Apple's counterpart is `ALC_ASA_REVERB_SEND_LEVEL`.
  public var reverbSendLevel: Float {
    get { read(.reverbSendLevel) { $0.reverbSendLevel } }
    set {
      set(.reverbSendLevel, "reverbSendLevel", to: newValue, in: 0...1) { replace(&$0.reverbSendLevel, with: $1) }
    }
  }

  /// How much a wall or a closed door muffles the source, in the direct sound and in the room: the level at 5 kHz.
  ///
  /// Low frequencies lose a quarter of the decibels. Range: -100 to 0 dB, clamped. Default: 0, of no cost.
  ///
  /// Set it each frame as a door moves. Without ``Capabilities/filterInterpolation`` the filter changes at once where a mix
  /// begins: it does not click in noise, and does in low notes, the more the larger the change.
  ///
  /// Apple's counterpart is `ALC_ASA_OCCLUSION`.
  public var occlusion: Decibels {
    get { read(.occlusion) { $0.occlusion } }
    set { set(.occlusion, "occlusion", to: newValue) { replace(&$0.occlusion, with: $1) } }
  }

  /// How much a thing in between muffles the direct sound, and not the room: the level at 5 kHz.
  ///
  /// Adds to ``occlusion``; otherwise as it. Low frequencies go around. Range: -100 to 0 dB, clamped. Default: 0, of no cost.
  ///
  /// Apple's counterpart is `ALC_ASA_OBSTRUCTION`.
  public var obstruction: Decibels {
    get { read(.obstruction) { $0.obstruction } }
    set { set(.obstruction, "obstruction", to: newValue) { replace(&$0.obstruction, with: $1) } }
  }

  /// How steeply the source's sound in rooms and effects fades with distance: 1 as the direct sound does.
  ///
  /// Range: 0 to 1, clamped, which is what OpenAL Soft 1.25 takes; ``RoomAcoustics/roomRolloff`` goes further. Default: 0, by
  /// which it fades as the room's own acoustics say. The OpenAL counterpart is `AL_ROOM_ROLLOFF_FACTOR`.
  public var roomRolloff: Float {
    get { read(.roomRolloff) { $0.roomRolloff } }
    set { set(.roomRolloff, "roomRolloff", to: newValue, in: 0...1) { replace(&$0.roomRolloff, with: $1) } }
  }

  private func set(
    _ property: SourceProperties,
    _ name: StaticString,
    to level: Decibels,
    _ body: (inout SourceValues, Decibels) -> Bool
  ) {
    // A level of silence is meant: the lowest that there is.
    guard level.rawValue.isFinite || level == .silence else {
      return complain(about: property, name, value: "\(level)")
    }
    change(property) { body(&$0, level.clamped(to: -100...0)) }
  }

  /// The effects that the source feeds beside the room, each unit once.
  ///
  /// Up to ``GrantedOutput/auxiliarySendLimit``; those beyond it, and units of another context, are not heard, which
  /// ``AudioContext/onDiagnostic`` is told once. The scene's ``AudioContext/reverb`` has two of that number, or what is left of
  /// them: with one left, sounds go over to a new room at once, and with none they are not in it. It is heard at once, also inside
  /// ``AudioContext/withDeferredUpdates(_:)``. A level that is not finite leaves all as it was. Default: none.
  ///
  /// The OpenAL counterpart is `AL_AUXILIARY_SEND_FILTER`.
  public var effectSends: [EffectSend] {
    get { heldSends.withLock { $0 } }
    set {
      guard newValue.allSatisfy({ $0.gain.isFinite && !$0.muffling.rawValue.isNaN }) else {
        return complain(about: .effectSends, "effectSends", value: "\(newValue.map(\.gain))")
      }
      var heard: [EffectSend] = []
      let limit = context.state.withLock { $0.scene.sendLimit }
      for send in newValue where heard.count < limit && send.unit.context === context {
        if heard.contains(where: { $0.unit === send.unit }) { continue }
        let muffling = send.muffling.clamped(to: -100...0)
        heard.append(EffectSend(to: send.unit, gain: send.gain.clamped(to: 0...1), muffling: muffling))
      }
      // The old units go after the lock, which their end takes.
      var held = heard
      context.state.withLock { state in
        heldSends.withLock { swap(&$0, &held) }
        let sends = heard.map { EffectSends.Send(slot: $0.unit.slot, level: $0.gain, muffling: $0.muffling) }
        let isChanged = state.scene.changeEffectSends(key) { old in
          let before = old
          old.set(sends, limit: limit)
          return old != before
        }
        if isChanged { context.handle.apply(.reverbSendLevel, of: [key], in: &state.scene) }
      }
      guard heard.count < newValue.count,
        context.state.withLock({ $0.scene.complain(about: .leftOutSends, of: key) })
      else { return }
      context.report(.sendsLeftOut(newValue.count - heard.count, limit: limit))
    }
  }
}
