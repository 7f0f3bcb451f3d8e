//! A scene that is mixed into memory, as fast as the machine can, without a sound card.

import FileDecode
import Spatial3D

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let growl = try SoundBuffer(AudioFile(opening: "growl.ogg").readAll(), in: offline.context)

let monster = try SoundSource(playing: growl, in: offline.context)
monster.position = [4, 0, -2]
monster.play()
let mix = offline.render(.seconds(2))

var file = try AudioFileWriter(creating: "scene.wav", format: mix.format)
try file.write(mix)
try file.close()
