//! A scene that is mixed into memory and into a file, as fast as the machine can, without a sound card.

import FileDecode
import Spatial3D

let pcm = try AudioFile(opening: "growl.ogg").readAll()

// snippet.mix
var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let source = try SoundSource(playing: SoundBuffer(pcm, in: offline.context), in: offline.context)
source.play()
let mix = offline.render(.seconds(2))
// snippet.end

var file = try AudioFileWriter(creating: "scene.wav", format: mix.format)
try file.write(mix)
try file.close()
