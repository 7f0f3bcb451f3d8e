internal import AudioSupport
internal import CSpatial3DShim
internal import Synchronization

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
