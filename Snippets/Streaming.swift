//! Music that is streamed, an introduction that plays once, and a queue.

import FileDecode
import Spatial3D

let context = try AudioContext()

// snippet.stream
let music = try SoundSource(
  streaming: AudioFile(opening: "theme.flac"),
  in: context
)
music.isListenerRelative = true  // goes with the listener
music.isLooping = true
music.play()
// snippet.end

// snippet.seek
music.playbackTime = .seconds(2)
print(music.playbackTime, music.state)
// snippet.end

// snippet.range
let theme = 44_100..<132_300
let battle = try SoundSource(
  streaming: AudioFile(opening: "theme.flac"),
  loopRange: theme,
  in: context
)
// from the first frame to the end of the range, and then the range again
battle.isLooping = true
battle.play()
// snippet.end

// snippet.section
battle.loopRange = 88_200..<132_300
// snippet.end

// snippet.leave
battle.isLooping = false  // plays on to the end of the sound
await battle.waitUntilStopped()
// snippet.end

// snippet.queue
let voice = try SoundSource(in: context)
let words = try ["growl.ogg", "growl.ogg"].map {
  try SoundBuffer(AudioFile(opening: $0).readAll(), in: context)
}
try voice.queue(words)
voice.play()
await voice.waitUntilStopped()
_ = voice.unqueueProcessed()
// snippet.end
