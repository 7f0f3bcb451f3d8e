import FuzzSupport
import Spatial3D

/// Effect units, and the sends of sources to them.
extension Operation {
  static let effects =
    EffectKind.allCases.flatMap { kind in
      [
        Operation("effect.make.\(kind.rawValue)", 1) { caller in
          guard let context = caller.context() else { return }
          let (effect, gain, place) = (
            caller.values.effect(kind), caller.values.gain(0...1), caller.place(in: caller.world.units)
          )
          let unit = caller.attempt(
            "unit \(place) = \(effect), gain \(gain)",
            mayThrow: .effectLimitReached,
            .valueNotUsable
          ) { () throws(AudioError) in
            try EffectUnit(effect, gain: gain, in: context)
          }
          if let unit { caller.drop("old unit \(place)", in: caller.world.units, at: place, for: unit) }
        },
        Operation("effect.set.\(kind.rawValue)", 1) { caller in
          guard let (place, unit) = caller.pick(caller.world.units) else { return }
          let effect = caller.values.effect(kind)
          caller.call("unit \(place) effect = \(effect)") { unit.effect = effect }
          _ = caller.call("unit \(place) reverbResolution?") { unit.reverbResolution }
        },
      ]
    } + [
      Operation("effect.gain", 2) { caller in
        guard let (place, unit) = caller.pick(caller.world.units) else { return }
        let (old, gain) = (unit.gain, caller.values.gain(0...1))
        caller.call("unit \(place) gain = \(gain)") { unit.gain = gain }
        caller.require((0...1).contains(unit.gain), "a unit's gain of \(unit.gain)")
        if caller.isExact {
          let expected = gain >= 0 && gain.rawValue.isFinite ? min(gain, 1) : old
          caller.require(unit.gain == expected, "a unit's gain of \(unit.gain) after \(gain)")
        }
      },
      Operation("effect.drop", 2) { caller in
        let place = caller.place(in: caller.world.units)
        caller.drop("drop unit \(place)", in: caller.world.units, at: place)
      },
      Operation("effectSends", 6) { caller in
        guard let (place, emitter) = caller.emitter() else { return }
        let picked = (0..<caller.values.int(0...4)).compactMap { _ in caller.pick(caller.world.units) }
        let sends = picked.map {
          EffectSend(to: $0.object, gain: caller.values.gain(0...1), highFrequencyLevel: caller.values.level(-100...0))
        }
        let text = zip(picked, sends).map { "\($0.place) \($1.gain) \($1.highFrequencyLevel)" }
        caller.call("source \(place) effectSends = \(text)") { emitter.source.effectSends = sends }
        let limit = emitter.source.context.output.auxiliarySendLimit
        let now = emitter.source.effectSends
        caller.require(now.count <= limit, "\(now.count) sends of at most \(limit)")
        caller.require(now.allSatisfy { (0...1).contains($0.gain) }, "sends of \(now.map(\.gain))")
      },
    ]
}

extension Caller {
  /// Puts another object, or none, into a slot, and releases the old object.
  func drop<Element>(_ text: String, in slots: Slots<Element>, at place: Int, for element: Element? = nil) {
    call(text) { slots.put(element, at: place) }
  }
}
