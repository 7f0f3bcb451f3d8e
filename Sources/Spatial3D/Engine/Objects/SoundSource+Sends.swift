internal import AudioSupport

extension SoundSource {
  /// The effects that the source feeds beside the room, each unit once.
  ///
  /// Up to ``OutputConfiguration/auxiliarySendLimit`` sends are audible. Further sends, and units of another context,
  /// are silent, and ``AudioContext/onDiagnostic`` reports that once. The context's ``AudioContext/reverb`` uses two
  /// sends, or as many as are left. With one left, sounds switch to a new room at once; with none, they are not in it.
  /// A change is audible at once, also inside ``AudioContext/withDeferredUpdates(_:)``. A level that is not finite
  /// leaves all sends unchanged. Default: none.
  ///
  /// The OpenAL counterpart is `AL_AUXILIARY_SEND_FILTER`.
  public var effectSends: [EffectSend] {
    get { heldSends.withLock { $0 } }
    set {
      if let value = newValue.lazy.compactMap(\.unusableValue).first {
        return complain(about: .effectSends, "effectSends", value: value)
      }
      var heard: [EffectSend] = []
      let limit = context.state.withLock { $0.scene.sendLimit }
      for send in newValue where heard.count < limit && send.unit.context === context {
        if heard.contains(where: { $0.unit === send.unit }) { continue }
        let highFrequencyLevel = send.highFrequencyLevel.clamped(to: -100...0)
        heard.append(
          EffectSend(
            to: send.unit,
            gain: send.gain.clamped(to: .silence ... .unity),
            highFrequencyLevel: highFrequencyLevel
          )
        )
      }
      // The old units are released after the lock, because their deinitializers take it.
      var held = heard
      context.state.withLock { state in
        heldSends.withLock { swap(&$0, &held) }
        let sends = heard.map {
          EffectSends.Send(slot: $0.unit.slot, level: $0.gain.rawValue, lowPass: $0.highFrequencyLevel)
        }
        let before = state.records[key].scene.effectSends
        state.records[key].scene.effectSends.set(sends, limit: limit)
        if state.records[key].scene.effectSends != before { state.apply(.reverbBlend, of: [key]) }
      }
      guard heard.count < newValue.count,
        context.state.withLock({ $0.records[key].scene.complain(about: .leftOutSends) })
      else { return }
      context.report(.sendLimitExceeded(newValue.count - heard.count, limit: limit, of: inWords))
    }
  }

  /// Ends the send to a unit that is silent, and leaves those to other units as they are.
  ///
  /// A shorter list of ``effectSends`` may move a send to another index of the library, which is a click.
  package func endSend(to unit: EffectUnit) {
    // The unit is released after the lock, because its deinitializer takes it.
    let isFed = heldSends.withLock { sends in
      let count = sends.count
      sends.removeAll { $0.unit === unit }
      return sends.count < count
    }
    guard isFed else { return }
    context.state.withLock { state in
      state.records[key].scene.effectSends.forget(unit.slot)
      state.apply(.reverbBlend, of: key)
    }
  }

  /// Changes the send to one unit, without an array: for a gain that glides.
  ///
  /// It allocates no memory for a unit that the source feeds. Another unit is added to ``effectSends``. A gain of 0
  /// silences the send, which still costs its mixing: remove it from ``effectSends``. A value that is not finite leaves
  /// the send unchanged.
  ///
  /// - Parameters:
  ///   - gain: The gain of the send, as ``EffectSend/gain``.
  ///   - highFrequencyLevel: The level of the send at 5 kHz, as ``EffectSend/highFrequencyLevel``.
  ///   - unit: The unit.
  ///
  /// The OpenAL counterpart is `AL_AUXILIARY_SEND_FILTER`.
  public func setSendGain(_ gain: Gain, highFrequencyLevel: Decibels = 0, to unit: EffectUnit) {
    if let value = EffectSend(to: unit, gain: gain, highFrequencyLevel: highFrequencyLevel).unusableValue {
      return complain(about: .effectSends, "effectSends", value: value)
    }
    let (gain, highFrequencyLevel) = (gain.clamped(to: .silence ... .unity), highFrequencyLevel.clamped(to: -100...0))
    let isFed = context.state.withLock { state in
      let isChanged: Bool? = heldSends.withLock { sends in
        guard let index = sends.firstIndex(where: { $0.unit === unit }) else { return nil }
        guard sends[index].gain != gain || sends[index].highFrequencyLevel != highFrequencyLevel else { return false }
        (sends[index].gain, sends[index].highFrequencyLevel) = (gain, highFrequencyLevel)
        return true
      }
      if isChanged == true {
        state.records[key].scene.effectSends.change(
          .init(slot: unit.slot, level: gain.rawValue, lowPass: highFrequencyLevel)
        )
        state.apply(.reverbBlend, of: key)
      }
      return isChanged != nil
    }
    if !isFed { effectSends.append(EffectSend(to: unit, gain: gain, highFrequencyLevel: highFrequencyLevel)) }
  }
}
