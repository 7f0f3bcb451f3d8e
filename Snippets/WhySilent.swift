//! Find out why a sound of a world is silent, record the world, and write a page about it.

import GameAudio
import Spatial3DReports
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context, voiceLimit: 2)
let noise = TestSignal.noise(
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let torches = (1...4).map { number in
  let torch = Emitter(playing: Sound(noise), in: world)
  (torch.position, torch.repeats) = ([Float(number) * 3, 0, 0], .forever)
  torch.play()
  return torch
}
offline.render(.milliseconds(100))

// snippet.explain
print(world.explain(torches[3]))
print(world.voiceStatistics())
// snippet.end

// snippet.difference
let before = world.snapshot()
world.mixer.main.isMuted = true
print(world.snapshot().difference(from: before))
// snippet.end

precondition(!world.snapshot().difference(from: before).isEmpty)
world.mixer.main.isMuted = false

// snippet.text
print(WorldText(world.snapshot(), listing: 3))
// snippet.end

// snippet.record
let recording = world.record()
torches[0].fade(to: .decibels(-20), Fade(.milliseconds(300)))
offline.render(.seconds(1))
recording.stop()
try WorldPage(recording, title: "Four torches").write(to: "torches.html")
// snippet.end

// snippet.replay
var other = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let copy = AudioWorld(in: other.context, voiceLimit: 2)
recording.replay(in: copy)
let mix = other.render(recording.duration)
// snippet.end

precondition(!mix.isSilent())
