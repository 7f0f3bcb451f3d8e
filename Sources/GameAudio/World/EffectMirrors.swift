internal import AudioSupport
internal import Spatial3D

/// The effects in stems that stand for effects of the mix: each device of the library has effects of its own.
struct EffectMirrors: Sendable {
  private struct Key: Hashable, Sendable {
    let original: ObjectIdentifier
    let context: ObjectIdentifier

    init(_ original: EffectUnit, _ context: AudioContext) {
      (self.original, self.context) = (ObjectIdentifier(original), ObjectIdentifier(context))
    }
  }

  private struct Mirror: Sendable {
    let original: Weak<EffectUnit>
    let unit: EffectUnit
  }

  private var mirrors: [Key: Mirror] = [:]

  var isEmpty: Bool { mirrors.isEmpty }

  /// The effect in a context that stands for an effect; `nil` for none.
  func unit(for original: EffectUnit, in context: AudioContext) -> EffectUnit? {
    mirrors[Key(original, context)].flatMap { $0.original.object == nil ? nil : $0.unit }
  }

  mutating func add(_ unit: EffectUnit, for original: EffectUnit) {
    mirrors[Key(original, unit.context)] = Mirror(original: Weak(original), unit: unit)
  }

  /// Removes the effects that stand for an effect, and returns them.
  mutating func remove(_ original: EffectUnit) -> [EffectUnit] {
    let keys = mirrors.keys.filter { $0.original == ObjectIdentifier(original) }
    return keys.compactMap { mirrors.removeValue(forKey: $0)?.unit }
  }

  /// Removes the effects whose originals are gone, and returns them.
  mutating func removeOrphans() -> [EffectUnit] {
    let gone = mirrors.filter { $0.value.original.object == nil }
    for key in gone.keys { mirrors[key] = nil }
    return gone.map(\.value.unit)
  }

  /// The effects with their originals.
  var pairs: [(original: EffectUnit, unit: EffectUnit)] {
    mirrors.values.compactMap { mirror in mirror.original.object.map { ($0, mirror.unit) } }
  }
}

extension AudioWorld {
  /// The effect in the context of a source that stands for an effect; `nil` where the library refuses it.
  func unit(_ original: EffectUnit, in context: AudioContext) -> EffectUnit? {
    guard original.context !== context else { return original }
    if let known = mirrors.withLock({ $0.unit(for: original, in: context) }) { return known }
    do throws(AudioError) {
      let unit = try EffectUnit(original.effect, gain: original.gain, in: context)
      mirrors.withLock { $0.add(unit, for: original) }
      return unit
    } catch {
      if withState({ $0.playback.outbox.isNew(.code(.stemUnavailable)) }) {
        self.context.report(.stemEffectUnavailable("\(error)"))
      }
      return nil
    }
  }

  /// Lets the stems have the physics of the mix, and the settings of its effects.
  func updateStems() {
    let contexts = contexts
    guard contexts.count > 1 else { return }
    for stem in contexts.dropFirst() { stem.follow(context) }
    guard !mirrors.withLock({ $0.isEmpty }) else { return }
    let orphans = mirrors.withLock { $0.removeOrphans() }
    withExtendedLifetime(orphans) {}
    for (original, unit) in mirrors.withLock({ $0.pairs }) {
      let (effect, gain) = (original.effect, original.gain)
      if unit.effect != effect { unit.effect = effect }
      if unit.gain != gain { unit.gain = gain }
    }
  }
}
