//! A growl that loops, four metres to the right and two ahead of the listener.

import FileDecode
import Spatial3D

let context = try AudioContext()
let growl = try SoundBuffer(AudioFile(opening: "growl.ogg").readAll(), in: context)

let monster = try SoundSource(playing: growl, in: context)
monster.isLooping = true
monster.position = [4, 0, -2]  // metres: right, up, and towards you
monster.play()

try await Task.sleep(for: .seconds(5))
