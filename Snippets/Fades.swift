//! A sound that glides to a tenth of its level, on the clock of the mix.

import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let context = offline.context
let tone = TestSignal.sine(
  frequency: 220,
  duration: .seconds(4),
  format: .mono(sampleRate: 48_000)
)
let music = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
music.play()
offline.render(.seconds(1))

// snippet.fade
let fade = Fade(.seconds(2), .equalPower)
let start = context.clock
let ticks = context.onTick(every: 512) { [weak music] time in
  music?.gain = fade.gain(from: 1, to: 0.1, after: time - start)
}
// snippet.end

let before = offline.render(.milliseconds(100)).level
offline.render(.seconds(2))
let fallen = offline.render(.milliseconds(100)).level - before
precondition(abs(fallen.rawValue + 20) < 0.5)
withExtendedLifetime(ticks) {}
