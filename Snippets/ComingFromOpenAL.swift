//! The Swift equivalent of a first program in C: no device, no object names, nothing to delete, no error to poll.

import FileDecode
import Spatial3D

let samples = try AudioFile(opening: "growl.ogg").readAll()

// snippet.first
let context = try AudioContext()
let buffer = try SoundBuffer(samples, in: context)
let source = try SoundSource(playing: buffer, in: context)

source.isLooping = true
source.position = [4, 0, -2]
context.listener.orientation = Orientation(
  forward: [0, 0, -1],
  up: [0, 1, 0]
)
source.play()
// snippet.end
