// A gain and a level are two types: neither stands for the other, nor does a number that was computed.

import GameAudio

func mixUnits(_ emitter: Emitter, _ bus: Bus, _ player: SoundPlayer, _ unit: EffectUnit, _ slider: Float) {
  emitter.gain = bus.level
  // expected-error@-1 {{cannot assign value of type 'Decibels' to type 'Gain'}}
  emitter.gain = slider
  // expected-error@-1 {{cannot assign value of type 'Float' to type 'Gain'}}
  emitter.occlusion = Gain(0.5)
  // expected-error@-1 {{cannot assign value of type 'Gain' to type 'Decibels'}}
  bus.gain = Decibels(-6)
  // expected-error@-1 {{cannot assign value of type 'Decibels' to type 'Gain'}}
  bus.fade(to: Decibels(-6), .declick)
  // expected-error@-1 {{cannot convert value of type 'Decibels' to expected argument type 'Gain'}}
  bus.send(to: unit, gain: Decibels(-6))
  // expected-error@-1 {{cannot convert value of type 'Decibels' to expected argument type 'Gain'}}
  player.volume = slider
  // expected-error@-1 {{cannot assign value of type 'Float' to type 'Gain'}}
  let filter = ToneFilter(low: player.volume)
  // expected-error@-1 {{cannot convert value of type 'Gain' to expected argument type 'Decibels'}}
  let ducking = Ducking(by: bus.gain)
  // expected-error@-1 {{cannot convert value of type 'Gain' to expected argument type 'Decibels'}}
  let line = MixSnapshot.Line(gain: bus.level, low: bus.gain)
  // expected-error@-1 {{cannot convert value of type 'Decibels' to expected argument type 'Gain'}}
  // expected-error@-2 {{cannot convert value of type 'Gain' to expected argument type 'Decibels'}}
  let louder = bus.gain + 3
  // expected-error@-1 {{cannot convert value of type 'Gain' to expected argument type 'Float'}}
  print(filter, ducking, line, louder)
}
