//! A monster that notifies of its loops and of its silence, and music that is streamed.
//! Endless.

import FileDecode
import Spatial3D

let context = try AudioContext()
let growl = try SoundBuffer(
  AudioFile(opening: "growl.ogg").readAll(),
  in: context
)
let monster = try SoundSource(playing: growl, in: context)

// snippet.observe
let observation = monster.observe(.state) { notification in
  if notification.state == .stopped { print("The monster is silent.") }
}
monster.play()
await monster.waitUntilStopped()
// snippet.end

// snippet.inbox
let inbox = NotificationInbox()
var score = 0
let count = inbox.observe(monster, .state) { notification in
  // on the thread of the frame
  if notification.state == .stopped { score += 1 }
}

// Once a frame:
inbox.deliver()
// snippet.end

// snippet.answer
let reply = try SoundSource(playing: growl, in: context)
let chain = monster.observe(.state) { [weak reply] notification in
  if notification.kind == .stateChanged(.stopped) { reply?.play() }
}
// snippet.end

let music = try SoundSource(
  streaming: AudioFile(opening: "theme.flac"),
  in: context
)
music.isLooping = true
music.play()

// snippet.loop
for await notification in music.events(.loop) {
  print(notification)
}
// snippet.end
