internal import AudioSupport
internal import CSpatial3DShim
internal import Synchronization

extension ContextHandle {
  /// How many effects a source may feed; 0 without effects.
  var sendLimit: Int {
    hasEffects ? Int(device.output.send_limit) : 0
  }

  /// Whether the library has effects.
  var hasEffects: Bool { capabilities.contains(.effects) }

  /// Whether one effect can feed another.
  var canChainEffects: Bool { capabilities.contains([.effects, .effectTarget]) }

  /// Creates an effect slot of the library, without an effect.
  func createEffectSlot(_ operation: String) throws(AudioError) -> UInt32 {
    try creating(
      operation,
      s3d_effect_slot(),
      failure: { error in
        guard error == S3D_NOT_IN_LIBRARY else {
          return (.effectLimitReached, "the library has no more room for effects. Drop units that are inaudible.")
        }
        return (.notInLibrary, "the OpenAL library has no effects. Use OpenAL Soft.")
      },
      { created in unsafe s3d_effect_slot_create(pointer, &created) }
    ).id
  }

  /// Destroys a slot that nothing feeds any more.
  func destroyEffectSlot(_ slot: UInt32) {
    volume.withLock { $0.slotGains[slot] = nil }
    loaded.withLock { $0.effects[slot] = nil }
    unsafe s3d_effect_slot_destroy(pointer, s3d_effect_slot(id: slot))
  }

  /// Loads an effect into a slot, inside the library's ranges and limits.
  func handOver(_ effect: EffectParameters, to slot: UInt32) {
    // The shim reads as many values as the kind has before it returns, and the array has that many.
    unsafe s3d_effect_slot_load(pointer, s3d_effect_slot(id: slot), s3d_effect_kind(effect.kind), effect.values)
  }

  /// Removes the effect from a slot.
  func clear(_ slot: UInt32) {
    loaded.withLock { $0.effects[slot] = nil }
    unsafe s3d_effect_slot_clear(pointer, s3d_effect_slot(id: slot))
  }

  /// Sets the slot that a slot feeds; `nil` is the mix.
  func setTarget(_ target: UInt32?, of slot: UInt32) {
    unsafe s3d_effect_slot_set_target(pointer, s3d_effect_slot(id: slot), s3d_effect_slot(id: target ?? 0))
  }

  /// Routes a slot through equalisers one after the other into the mix; clears the remaining slots.
  ///
  /// There are as many slots as stages, or more.
  func chain(_ slot: UInt32, _ equalizers: [UInt32], _ stages: [Effect.Equalizer]) {
    guard !equalizers.isEmpty else { return }
    var end = slot
    for (next, stage) in zip(equalizers, stages) {
      load(.equalizer(stage), into: next)
      setTarget(next, of: end)
      end = next
    }
    setTarget(nil, of: end)
    for slot in equalizers.dropFirst(stages.count) { clear(slot) }
  }

  /// Applies the routing of a source, inside a transaction.
  func route(_ id: UInt32, _ routing: SourceRouting) {
    let source = s3d_source(id: id)
    unsafe s3d_transaction_direct(pointer, source, s3d_filter(routing.direct))
    for position in 0..<routing.sendCount {
      let send = routing[position]
      let slot = s3d_effect_slot(id: send.slot)
      unsafe s3d_transaction_send(pointer, source, Int32(send.index), slot, s3d_filter(send.filter))
    }
  }
}

extension s3d_filter {
  fileprivate init(_ filter: PathFilter) {
    self.init(gain: filter.gain, gain_lf: filter.lowGain, gain_hf: filter.highGain)
  }
}

extension s3d_effect_kind {
  fileprivate init(_ kind: EffectParameters.Kind) {
    switch kind {
    case .reverb: self = S3D_EFFECT_REVERB
    case .echo: self = S3D_EFFECT_ECHO
    case .chorus: self = S3D_EFFECT_CHORUS
    case .flanger: self = S3D_EFFECT_FLANGER
    case .distortion: self = S3D_EFFECT_DISTORTION
    case .compressor: self = S3D_EFFECT_COMPRESSOR
    case .equalizer: self = S3D_EFFECT_EQUALIZER
    case .pitchShifter: self = S3D_EFFECT_PITCH_SHIFTER
    case .frequencyShifter: self = S3D_EFFECT_FREQUENCY_SHIFTER
    case .ringModulator: self = S3D_EFFECT_RING_MODULATOR
    }
  }
}

// MARK: - Limits of the rate

/// The effects in the library's slots, as they were set, and the rates of the mix at which they were limited.
struct LoadedEffects: Sendable {
  var effects: [UInt32: LoadedEffect] = [:]
  /// The rates by slot, in hertz.
  var rates: [UInt32: Double] = [:]
}

extension ContextHandle {
  /// The rate of the mix, in hertz, or a lower rate that the device is about to have.
  var effectRate: Int { min(sampleRate, device.pendingRate.load(ordering: .sequentiallyConsistent)) }

  /// The limits at `effectRate`.
  var effectLimits: EffectLimits { EffectLimits(version: version, rate: Double(effectRate)) }

  /// Loads an effect other than a reverb, and returns which of its values differ.
  @discardableResult
  func load(_ effect: Effect, into slot: UInt32) -> [EffectLimits.Change] {
    load(LoadedEffect.effect(effect).limited(effectLimits), into: slot)
  }

  @discardableResult
  func load(_ effect: LimitedEffect, into slot: UInt32) -> [EffectLimits.Change] {
    let present = effectLimits
    // Another context may have changed the rate since the effect was limited.
    let effect = effect.limits == present ? effect : effect.effect.limited(present)
    loaded.withLock { loaded in
      loaded.effects[slot] = effect.effect
      loaded.rates[slot] = present.rate
    }
    if let values = effect.values { handOver(values, to: slot) }
    return effect.changes
  }

  /// Loads all effects again that were loaded for another rate.
  func reloadEffects(for rate: Int) {
    let limits = EffectLimits(version: version, rate: Double(rate))
    let effects = loaded.withLock { loaded in
      let others = loaded.effects.filter { loaded.rates[$0.key] != limits.rate }
      for slot in others.keys { loaded.rates[slot] = limits.rate }
      return others
    }
    for (slot, effect) in effects {
      if let values = effect.limited(limits).values { handOver(values, to: slot) }
    }
  }
}
