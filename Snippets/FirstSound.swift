//! A growl, four metres to the right and two ahead of the listener.

import FileDecode
import Foundation
import Spatial3D

do {
  let context = try AudioContext()
  let growl = try SoundBuffer(
    reading: AudioFile(opening: "growl.ogg"),
    in: context
  )

  let monster = try SoundSource(playing: growl, in: context)
  monster.position = [4, 0, -2]  // metres: right, up, and towards you
  monster.play()
  await monster.waitUntilStopped()
} catch {
  print(error)  // such as: there is no output, or no such file
  exit(1)
}
