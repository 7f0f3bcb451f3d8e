internal import CSpatial3DShim

/// The effects in the library's slots, as they were asked for, and the speed of sound that limits their rooms.
struct LoadedEffects: Sendable {
  var effects: [UInt32: LoadedEffect] = [:]
  var speedOfSound: Float = 343.3
  /// The rate that they were loaded for, in hertz.
  var rate = 0
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
  /// The limits at the rate and the speed of sound that the context has.
  var effectLimits: EffectLimits { effectLimits(speedOfSound: loaded.withLock { $0.speedOfSound }) }

  private func effectLimits(speedOfSound: Float) -> EffectLimits {
    EffectLimits(version: LibraryVersion(versionText), rate: Double(sampleRate), speedOfSound: speedOfSound)
  }

  func load(_ room: RoomAcoustics, into slot: UInt32) { _ = load(.room(room), into: slot) }

  /// Loads an effect other than a reverb, and returns which of its values are others.
  @discardableResult
  func load(_ effect: Effect, into slot: UInt32) -> [EffectLimits.Change] { load(.effect(effect), into: slot) }

  private func load(_ effect: LoadedEffect, into slot: UInt32) -> [EffectLimits.Change] {
    let (values, changes) = effect.parameters(effectLimits)
    loaded.withLock { loaded in
      loaded.effects[slot] = effect
      loaded.rate = sampleRate
    }
    if let values { handOver(values, to: slot) }
    return changes
  }

  /// Sets the speed of sound, and reloads the rooms that are limited in another way by it.
  func setSpeedOfSound(_ speed: Float) {
    let (old, effects) = loaded.withLock { loaded in
      defer { loaded.speedOfSound = speed }
      return (loaded.speedOfSound, loaded.effects)
    }
    let (before, after) = (effectLimits(speedOfSound: old), effectLimits(speedOfSound: speed))
    func reload() {
      for (slot, effect) in effects where before != after {
        let values = effect.parameters(after).values
        if let values, values != effect.parameters(before).values { handOver(values, to: slot) }
      }
    }
    // The library never has a speed that its rooms are not limited for.
    if speed > old { reload() }
    unsafe s3d_context_set_speed_of_sound(pointer, speed)
    if speed <= old { reload() }
  }

  /// Loads all effects again where the mix has another rate than they were loaded for.
  func reloadEffects() {
    let effects = loaded.withLock { $0.rate == sampleRate ? [:] : $0.effects }
    for (slot, effect) in effects { _ = load(effect, into: slot) }
  }
}
