//! A beast that growls beside the listener, in a world.

import Foundation
import GameAudio

do {
  // snippet.growl
  let world = try AudioWorld()
  let growl = Emitter(playing: Sound("growl.ogg"), in: world)
  growl.repeats = .forever
  growl.position = [4, 0, -2]
  growl.play()
  // snippet.end
  try await Task.sleep(for: .seconds(5))
  withExtendedLifetime(growl) {}
} catch {
  print(error)
  exit(1)
}
