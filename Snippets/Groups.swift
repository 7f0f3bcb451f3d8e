//! Groups of sources, a crossfade, and HRTF on and off.

import Spatial3D
import Spatial3DTesting

let context = try AudioContext(device: .silent)
let hum = TestSignal.sine(
  frequency: 110,
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let buffer = try SoundBuffer(hum, in: context)
let drone = try SoundSource(playing: buffer, in: context)
let torch = try SoundSource(playing: buffer, in: context)
let calm = try SoundSource(playing: buffer, in: context)
let battle = try SoundSource(playing: buffer, in: context)

// snippet.group
let world = [drone, torch]
let playing = world.filter { $0.state == .playing }
context.pause(playing)  // the menu opens
context.play(playing)  // and closes
for source in world { source.gain = 0.5 }  // a slider, or a duck
// snippet.end

// snippet.crossfade
calm.stop(fadingOut: .seconds(2))
battle.play(fadingIn: .seconds(2))
// snippet.end

func setHeadphones(_ isOn: Bool) throws {
  // snippet.hrtf
  var settings = context.settings
  settings.hrtf = isOn ? .on : .off
  try context.device.reset(settings)
  // snippet.end
}
withExtendedLifetime(setHeadphones) {}
