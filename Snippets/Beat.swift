//! Two sounds that start together, on the frame of a beat.

import Spatial3D
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let context = offline.context
let tone = TestSignal.sine(
  frequency: 55,
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let buffer = try SoundBuffer(tone, in: context)
let kick = try SoundSource(playing: buffer, in: context)
let bass = try SoundSource(playing: buffer, in: context)

// snippet.beat
let beat = context.clock + .milliseconds(500)
context.play([kick, bass], at: beat)
// snippet.end

// snippet.ticks
let ticks = context.onTick(every: 512) { [weak bass] time in
  guard time > beat else { return }
  bass?.pitch = Float(1 + (time - beat) / .seconds(4))
}
// snippet.end

let mix = offline.render(.seconds(1))
withExtendedLifetime(ticks) {}
