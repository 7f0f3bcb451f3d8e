internal import PCM
internal import Spatial3D

// The fades of emitters.

extension WorldScene {
  /// Ends a fade at the gain that it has.
  mutating func removeFade(of slot: EmitterSlot, _ kind: EmitterFade.Kind) {
    fades.remove(EmitterFade.Key(slot: slot, kind: kind))
  }

  /// Ends all fades of an emitter.
  mutating func removeFades(of slot: EmitterSlot) {
    guard !fades.isEmpty else { return }
    removeFade(of: slot, .gain)
    removeFade(of: slot, .level)
    for send in emitters[rare: slot].sends { removeFade(of: slot, .send(ObjectIdentifier(send.unit))) }
  }

  mutating func setFadedGain(_ gain: Gain, _ key: EmitterFade.Key) {
    switch key.kind {
    case .gain: modify(key.slot) { $0.gain = gain.rawValue }
    case .level: modify(key.slot) { $0.fade = gain.rawValue }
    case .send(let unit):
      emitters.changeSends(of: key.slot) { sends in
        for index in sends.indices where ObjectIdentifier(sends[index].unit) == unit {
          sends[index].gain = gain.rawValue
        }
      }
      updateWeight(of: key.slot)
    }
  }

  func fadedGain(_ kind: EmitterFade.Kind, of slot: EmitterSlot) -> Float {
    switch kind {
    case .gain: emitters[slot].gain
    case .level: emitters[slot].fade
    case .send(let unit): emitters[rare: slot].sends.first { ObjectIdentifier($0.unit) == unit }?.gain ?? 0
    }
  }
}
