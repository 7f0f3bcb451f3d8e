//! The first calls of a game that comes from another engine.

import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)
func noise(seed: UInt64) -> PCMBuffer<Float> {
  TestSignal.noise(
    seed: seed,
    duration: .seconds(2),
    format: .mono(sampleRate: 48_000)
  )
}
let theme = Sound(noise(seed: 1))
let bang = Sound(noise(seed: 2))
let recordings = [noise(seed: 3), noise(seed: 4)]

// snippet.event
var steps = Sound(anyOfSamples: recordings)  // or Sound(anyOf: paths)
steps.pitchVariation = -1...1  // semitones
steps.limit = PlaybackLimit(4, whenReached: .stealOldest)
let sfx = world.mixer.makeBus("sfx")
world.playOnce(steps, at: [0, -1.7, -0.3], on: sfx)
// snippet.end

// snippet.player
let music = world.mixer.makeBus("music", kind: .direct)
let player = try SoundPlayer(playing: theme, in: world, on: music)
player.repeats = .forever
player.play()
player.schedule(bang, .atLoopEnd)
// snippet.end

let mix = offline.render(.seconds(1))
precondition(mix.level > -30)
