/// The content of a slot.
enum LoadedEffect: Equatable, Sendable {
  case room(RoomAcoustics)
  case effect(Effect)

  /// The effect within limits.
  ///
  /// A room takes up to 400 steps. A plan therefore limits it outside of locks; only a change of the rate limits it
  /// under the context's lock.
  func limited(_ limits: EffectLimits) -> LimitedEffect {
    switch self {
    case .room(let room):
      return LimitedEffect(effect: self, limits: limits, values: EffectParameters(limits.limited(room)), changes: [])
    case .effect(let asked):
      let (used, changes) = limits.limited(asked)
      return LimitedEffect(effect: self, limits: limits, values: EffectParameters(used), changes: changes)
    }
  }
}

/// The content of a slot with the values for the library's computations.
struct LimitedEffect: Equatable, Sendable {
  let effect: LoadedEffect
  let limits: EffectLimits
  /// The limited values; `nil` of a reverb, which is loaded as a room.
  let values: EffectParameters?
  let changes: [EffectLimits.Change]
}
