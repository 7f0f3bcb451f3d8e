import Spatial3D

/// Effect units, and what sources send to them.
extension Operation {
  static let effects =
    EffectKind.allCases.flatMap { kind in
      [
        Operation("effect.make.\(kind.rawValue)", 1) { hand in
          guard let context = hand.context() else { return }
          let (effect, gain, place) = (
            hand.values.effect(kind), hand.values.number(0...1), hand.place(in: hand.world.units)
          )
          let unit = hand.attempt(
            "unit \(place) = \(effect), gain \(gain)",
            mayThrow: .effectLimitReached,
            .valueNotUsable
          ) { () throws(AudioError) in
            try EffectUnit(effect, gain: gain, in: context)
          }
          if let unit { hand.drop("old unit \(place)", in: hand.world.units, at: place, for: unit) }
        },
        Operation("effect.set.\(kind.rawValue)", 1) { hand in
          guard let (place, unit) = hand.pick(hand.world.units) else { return }
          let effect = hand.values.effect(kind)
          hand.call("unit \(place) effect = \(effect)") { unit.effect = effect }
          _ = hand.call("unit \(place) reverbResolution?") { unit.reverbResolution }
        },
      ]
    } + [
      Operation("effect.gain", 2) { hand in
        guard let (place, unit) = hand.pick(hand.world.units) else { return }
        let (old, gain) = (unit.gain, hand.values.number(0...1))
        hand.call("unit \(place) gain = \(gain)") { unit.gain = gain }
        hand.require((0...1).contains(unit.gain), "a unit's gain of \(unit.gain)")
        if hand.world.isAlone {
          let expected = gain.isFinite ? min(max(gain, 0), 1) : old
          hand.require(unit.gain == expected, "a unit's gain of \(unit.gain) after \(gain)")
        }
      },
      Operation("effect.drop", 2) { hand in
        let place = hand.place(in: hand.world.units)
        hand.drop("drop unit \(place)", in: hand.world.units, at: place)
      },
      Operation("effectSends", 6) { hand in
        guard let (place, emitter) = hand.emitter() else { return }
        let picked = (0..<hand.values.int(0...4)).compactMap { _ in hand.pick(hand.world.units) }
        let sends = picked.map {
          EffectSend(to: $0.object, gain: hand.values.number(0...1), muffling: hand.values.level(-100...0))
        }
        let text = zip(picked, sends).map { "\($0.place) \($1.gain) \($1.muffling)" }
        hand.call("source \(place) effectSends = \(text)") { emitter.source.effectSends = sends }
        let limit = emitter.source.context.output.auxiliarySendLimit
        let now = emitter.source.effectSends
        hand.require(now.count <= limit, "\(now.count) sends of at most \(limit)")
        hand.require(now.allSatisfy { (0...1).contains($0.gain) }, "sends of \(now.map(\.gain))")
      },
    ]
}

extension Hand {
  /// Puts another object, or none, at a place, by which the old one may end.
  func drop<Element>(_ text: String, in slots: Slots<Element>, at place: Int, for element: Element? = nil) {
    call(text) { slots.put(element, at: place) }
  }
}
