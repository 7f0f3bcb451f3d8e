internal import CSpatial3DShim

/// The effects in the library's slots, as they were asked for.
struct LoadedEffects: Sendable {
  var effects: [UInt32: LoadedEffect] = [:]
  /// The rates of the mix that the effects were loaded for, in hertz.
  var rates: [UInt32: Int] = [:]
}

/// The content of a slot.
enum LoadedEffect: Equatable, Sendable {
  case room(RoomAcoustics)
  case effect(Effect)

  /// The values for the library, and what differs from those that were asked for; `nil` of a reverb, which is a room.
  func parameters(_ limits: EffectLimits) -> (values: EffectParameters?, changes: [EffectLimits.Change]) {
    switch self {
    case .room(let room): return (EffectParameters(limits.limited(room)), [])
    case .effect(let asked):
      let (used, changes) = limits.limited(asked)
      return (EffectParameters(used), changes)
    }
  }
}

extension ContextHandle {
  /// The limits at the rate that the context has.
  var effectLimits: EffectLimits { effectLimits(for: sampleRate) }

  private func effectLimits(for rate: Int) -> EffectLimits {
    EffectLimits(version: LibraryVersion(versionText), rate: Double(rate))
  }

  func load(_ room: RoomAcoustics, into slot: UInt32) { _ = load(.room(room), into: slot) }

  /// Loads an effect other than a reverb, and returns which of its values are others.
  @discardableResult
  func load(_ effect: Effect, into slot: UInt32) -> [EffectLimits.Change] { load(.effect(effect), into: slot) }

  private func load(_ effect: LoadedEffect, into slot: UInt32) -> [EffectLimits.Change] {
    let rate = sampleRate
    let (values, changes) = effect.parameters(effectLimits(for: rate))
    loaded.withLock { loaded in
      loaded.effects[slot] = effect
      loaded.rates[slot] = rate
    }
    if let values { handOver(values, to: slot) }
    return changes
  }

  /// Loads the effects again that were loaded for another rate.
  func reloadEffects(for rate: Int) {
    let effects = loaded.withLock { loaded in
      let others = loaded.effects.filter { loaded.rates[$0.key] != rate }
      for slot in others.keys { loaded.rates[slot] = rate }
      return others
    }
    guard !effects.isEmpty else { return }
    let limits = effectLimits(for: rate)
    for (slot, effect) in effects {
      if let values = effect.parameters(limits).values { handOver(values, to: slot) }
    }
  }
}
