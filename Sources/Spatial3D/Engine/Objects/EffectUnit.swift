internal import AudioSupport
internal import Synchronization

/// An effect that sources feed beside the room of their scene: a second room behind a door, an echo over a valley.
///
/// ```swift
/// let cave = try EffectUnit(
///   .reverb(Reverb(efx: .cave, level: -3)),
///   in: context
/// )
/// let echo = try EffectUnit(.echo(Effect.Echo()), in: context)
/// monster.effectSends = [
///   EffectSend(to: cave, gain: 0.5, highFrequencyLevel: -12),
///   EffectSend(to: echo, gain: 0.2),
/// ]
/// ```
///
/// A source that feeds it keeps it alive. The release of the last reference cuts off its tail: keep it until the tail
/// has rung out. It may be used from any thread, and keeps its context alive.
///
/// The OpenAL counterpart is an auxiliary effect slot, of which a context has 64; its rooms and their equalisers take
/// some of them.
public final class EffectUnit: Sendable {
  /// The context that the unit belongs to.
  public let context: AudioContext

  /// The position of the unit in the order in which units were made: the library mixes them in that order.
  package let number: Int
  /// The frame of the mix at which the unit was made.
  package let firstFrame: Int

  let slots: Lock<Slots>
  let slot: UInt32

  private static let count = Atomic(0)

  /// The number of the unit that was made last; 0 before the first one.
  package static var lastNumber: Int { count.load(ordering: .relaxed) }

  struct Slots: Sendable {
    var effect: Effect
    var gain: Float
    var plan: ReverbPlan?
    var equalizers: [UInt32] = []
    /// The properties with a reported value.
    var complaints: Set<String> = []
  }

  /// A unit with an effect.
  ///
  /// - Throws: ``AudioError`` with the code `effectLimitReached` if the context has no slot left, `notInLibrary` if the
  ///   library has no effects, `valueNotUsable` for a value that is not finite.
  ///
  /// The OpenAL counterpart is `alGenAuxiliaryEffectSlots`.
  public init(_ effect: Effect, gain: Gain = .unity, in context: AudioContext) throws(AudioError) {
    let operation = "create an effect unit"
    guard effect.isFinite, gain.isUsable else {
      throw AudioError(
        code: .valueNotUsable,
        operation: operation,
        message: gain.isUsable ? "a value of the effect is not finite." : "the gain was \(gain.inWords)."
      )
    }
    self.context = context
    number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    (slot, firstFrame) = try context.state.withLock { state throws(AudioError) in
      (try context.handle.createEffectSlot(operation), state.handle.mixedFrames)
    }
    slots = Lock(Slots(effect: effect.clamped, gain: gain.rawValue.clamped(to: 0...1)))
    try load(effect.clamped, operation)
  }

  deinit {
    guard !context.handle.isInherited else { return }
    context.state.withLock { state in
      state.endSends(to: slot)
      context.handle.destroyEffectSlot(slot)
      for slot in slots.withLock({ $0.equalizers }) { context.handle.destroyEffectSlot(slot) }
    }
  }

  /// The effect of the unit.
  ///
  /// Setting it may cut off the tail: for a crossfade, use two units and the levels of their sends. A value that is not
  /// finite changes nothing, nor does a reverb with an equaliser that finds no free slots. The OpenAL counterpart is
  /// `AL_EFFECTSLOT_EFFECT`.
  public var effect: Effect {
    get { slots.withLock { $0.effect } }
    set {
      guard newValue.isFinite else {
        return complain(about: "effect", newValue)
      }
      let effect = newValue.clamped
      guard effect != self.effect else { return }
      do throws(AudioError) {
        try load(effect, "set the effect of a unit")
      } catch {
        context.report(.effectUnavailable(error))
      }
    }
  }

  /// The gain of the unit.
  ///
  /// Range: 0 to 1, clamped; a gain that is negative or not finite changes nothing. Default: 1. The OpenAL counterpart
  /// is `AL_EFFECTSLOT_GAIN`.
  public var gain: Gain {
    get { Gain(slots.withLock { $0.gain }) }
    set {
      guard newValue.isUsable else {
        return complain(about: "gain", newValue)
      }
      context.state.withLock { _ in
        slots.withLock { slots in
          slots.gain = newValue.rawValue.clamped(to: 0...1)
          context.handle.setGain(slots.slotGain, of: slot)
        }
      }
    }
  }

  /// The actual result of the loaded library for a reverb; `nil` for any other effect.
  public var reverbResolution: ReverbResolution? {
    let (effect, plan) = slots.withLock { ($0.effect, $0.plan) }
    guard case .reverb(let reverb) = effect else { return nil }
    return plan?.resolution(of: reverb, context.handle.effectLimits)
  }

  /// Reports an unusable value, once for each property.
  private func complain(about property: String, _ value: Any) {
    guard slots.withLock({ $0.complaints.insert(property).inserted }) else { return }
    let part = UnusablePart(of: value, named: property)
    context.report(.unusable(part.name, of: "an effect unit", value: part.value))
  }

  private func load(_ effect: Effect, _ operation: String) throws(AudioError) {
    var plan: ReverbPlan?
    if case .reverb(let reverb) = effect {
      // The fit takes long and runs outside the locks.
      plan = ReverbPlan(for: reverb, canChain: context.handle.canChainEffects, limits: context.handle.effectLimits)
    }
    let changes = try context.state.withLock { _ throws(AudioError) in
      try slots.withLock { slots throws(AudioError) in
        let stages = plan?.stages ?? []
        while slots.equalizers.count < stages.count {
          slots.equalizers.append(try context.handle.createEffectSlot(operation))
        }
        (slots.effect, slots.plan) = (effect, plan)
        var changes: [EffectLimits.Change] = []
        if let plan {
          context.handle.load(plan.room, into: slot)
        } else {
          changes = context.handle.load(effect, into: slot)
        }
        context.handle.setGain(slots.slotGain, of: slot)
        context.handle.chain(slot, slots.equalizers, stages)
        return changes.filter { slots.complaints.insert($0.property).inserted }
      }
    }
    for change in changes { context.report(.effectLimited(change, rate: context.sampleRate)) }
  }
}

extension EffectUnit.Slots {
  fileprivate var slotGain: Float {
    guard case .reverb(let reverb) = effect, let plan else { return gain }
    return gain * plan.slotGain(reverb.level)
  }
}
