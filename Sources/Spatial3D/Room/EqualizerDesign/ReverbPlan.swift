/// The plan of a reverb for the loaded library: the content of each slot, and the result.
struct ReverbPlan: Equatable, Sendable {
  /// The content of the first slot.
  let room: LimitedEffect
  /// The content of the slots behind it.
  let stages: [Effect.Equalizer]
  private let gains: ReverbGains
  private let accuracy: EqualizerAccuracy

  /// A plan for a library; `canChain` is whether one effect can feed another.
  init(for reverb: Reverb, canChain: Bool, limits: EffectLimits) {
    let rate = limits.rate
    var (room, offset) = (reverb.room, Float(0))
    if let equalizer = reverb.equalizer, canChain {
      let fit = EqualizerDesign(of: equalizer, rate: rate)
      (stages, accuracy) = (fit.stages, fit.accuracy)
    } else if let equalizer = reverb.equalizer {
      let fit = ShelfDesign(of: equalizer, in: room, rate: rate)
      (room, offset) = (fit.room, fit.offset)
      (stages, accuracy) = ([], fit.accuracy)
    } else {
      (stages, accuracy) = ([], .exact)
    }
    gains = ReverbGains(of: room, offset: offset)
    self.room = LoadedEffect.room(gains.loudest).limited(limits)
  }

  /// The gain of the first slot.
  func slotGain(_ level: Decibels) -> Float { gains.slotGain(level) }

  /// The factor for the gains of sources on the path into the first slot.
  func boost(_ level: Decibels) -> Float { gains.boost(level) }

  /// The result of the plan for a level of its reverb.
  func resolution(of reverb: Reverb, _ limits: EffectLimits) -> ReverbResolution {
    ReverbResolution(level: gains.reached(reverb.level), equalizer: accuracy, room: limits.limited(reverb.room))
  }
}
