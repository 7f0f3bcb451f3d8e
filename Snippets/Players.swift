//! A player of music, and the sounds behind it.

import GameAudio

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)

// snippet.loop
let music = try SoundPlayer(playing: "theme.flac", in: world)
music.loopRange = 11_025..<44_100
music.repeats = .forever
await music.prepareToPlay()
music.play()
// snippet.end

offline.render(.seconds(2))
precondition(music.isPlaying)

// snippet.keys
music.pause()
music.playbackTime -= .milliseconds(300)
music.play()
// snippet.end

// snippet.levels
music.pan = -0.5
music.pitch = 0.9
music.fade(to: 0.3, Fade(.seconds(2), .linear))
// snippet.end

offline.render(.milliseconds(100))

// snippet.meter
for channel in music.meter {
  print(channel.average, channel.peak)
}
// snippet.end

// snippet.schedule
let crickets = Sound("growl.ogg", streamed: true)
music.schedule(crickets, .atLoopEnd)
music.schedule(Sound("theme.flac"))
// snippet.end

// snippet.crossfade
let battle = try SoundPlayer(playing: "theme.flac", in: world)
music.crossfade(to: battle, Fade(.seconds(1), .equalPower))
// snippet.end

offline.render(.seconds(1))

// snippet.stems
let stems = try ["theme.flac", "theme.flac"].map {
  try SoundPlayer(playing: $0, in: world)
}
for stem in stems { await stem.prepareToPlay() }
SoundPlayer.play(stems)
// snippet.end

// snippet.events
let observation = stems[0].observe { event in
  if case .decodeError(let sentence) = event { print(sentence) }
}
// snippet.end

offline.render(.seconds(1))
withExtendedLifetime(observation) {}
