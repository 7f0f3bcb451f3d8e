//! A room, a door between, and a second room behind it.

import Spatial3D
import Spatial3DTesting

let offline = try OfflineRenderer(
  format: .stereo(sampleRate: 48_000),
  settings: OutputSettings(auxiliarySendLimit: 4)
)
let context = offline.context
let growl = TestSignal.noise(
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let monster = try SoundSource(
  playing: SoundBuffer(growl, in: context),
  in: context
)

// snippet.reverb
context.reverb = Reverb(
  .cathedral,
  level: -6,
  equalizer: .init(frequency: 1_200, bandwidth: 1.5, level: -3)
)
monster.reverbBlend = 0.4  // 0 is dry, 1 wet
// behind a door: dB at 5 kHz, of direct sound and room
monster.occlusion = -18
monster.obstruction = -6  // behind a pillar: of direct sound alone
// snippet.end

// snippet.resolution
if let made = context.reverbResolution {
  print("level \(made.level), equaliser \(made.equalizer)")
}
// snippet.end

// snippet.effects
let cave = try EffectUnit(
  .reverb(Reverb(efx: .cave, level: -3)),
  in: context
)
let echo = try EffectUnit(.echo(Effect.Echo()), in: context)
monster.effectSends = [
  EffectSend(to: cave, gain: 0.5, highFrequencyLevel: -12),
  EffectSend(to: echo, gain: 0.2),
]
// snippet.end
