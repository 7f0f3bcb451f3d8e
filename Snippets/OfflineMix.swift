//! A scene that is mixed into memory and into a file, faster than real time, without a sound card.

import FileDecode
import Spatial3D

let pcm = try AudioFile(opening: "growl.ogg").readAll()

// snippet.mix
var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let source = try SoundSource(
  playing: SoundBuffer(pcm, in: offline.context),
  in: offline.context
)
source.play()
let mix = offline.render(.seconds(2))
// snippet.end

// snippet.file
var file = try AudioFileWriter(creating: "scene.wav", format: mix.format)
for _ in 0..<10 {
  source.position.x += 0.5
  try file.write(offline.render(.milliseconds(100)))
}
try file.close()
// snippet.end

// snippet.players
let second = try AudioContext(device: offline.context.device)
second.listener.position = [20, 0, 0]
let both = offline.render(.seconds(1))
// snippet.end
print(both.duration)

// snippet.headphones
let settings = OutputSettings(hrtf: .on)
let headphones = try OfflineRenderer(
  format: .stereo(sampleRate: 48_000),
  settings: settings
)
print(headphones.context.output.hrtf)
// snippet.end

// snippet.ambisonic
let format = PCMFormat(sampleRate: 48_000, layout: .ambisonic(order: 1))
if headphones.context.capabilities.contains(.ambisonicRendering) {
  let sphere = try OfflineRenderer(format: format)
  print(sphere.format)
}
// snippet.end
