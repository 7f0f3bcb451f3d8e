//! An assertion of a game's test about the sound of its scene.

import Spatial3D
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let tone = TestSignal.sine(
  frequency: 440,
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)

let monster = try SoundSource(
  playing: SoundBuffer(tone, in: offline.context),
  in: offline.context
)
monster.position = [4, 0, 0]
monster.play()

let mix = offline.render(.seconds(1))
// louder on the right
precondition(
  mix.level(ofChannel: 1).rawValue > mix.level(ofChannel: 0).rawValue
)
