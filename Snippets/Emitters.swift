//! A beast that growls beside the listener, in a world.

import Foundation
import GameAudio

do {
  // snippet.growl
  let world = try AudioWorld()
  let growl = Emitter(playing: Sound("growl.ogg"), in: world)
  growl.position = [4, 0, -2]
  growl.play()
  await growl.waitUntilEnded()
  // snippet.end
} catch {
  print(error)
  exit(1)
}
