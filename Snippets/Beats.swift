//! Sounds that start on a bar, a tempo change, and the lines that have passed.

import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)
let tone = TestSignal.sine(
  frequency: 440,
  duration: .milliseconds(200),
  format: .mono(sampleRate: 48_000)
)
let drums = Emitter(playing: Sound(tone), in: world)
let boss = Emitter(playing: Sound(tone), in: world)

// snippet.start
let beats = BeatClock(120, in: world)
beats.start(at: world.context.clock + .milliseconds(200))
drums.play(at: beats.next(.bar))
// snippet.end

// snippet.loop
let bars = beats.events(.bar)
// snippet.end

offline.render(.seconds(1))

// snippet.change
let change = beats.next(.bars(4))
beats.setTempo(140, at: change)
boss.play(at: change)
// snippet.end

// snippet.observe
let token = beats.observe(.beat) { [weak beats] tick in
  guard let beats else { return }
  // Each offbeat, half a beat after the line.
  drums.play(at: beats.moment(ofBeat: tick.position + 0.5))
}
// snippet.end

offline.render(.seconds(11))
precondition(change == .milliseconds(8_200))

// snippet.bars
for await tick in bars {
  print("Bar \(tick.bar) began at \(tick.moment).")
  if tick.bar == 6 { break }
}
// snippet.end

// snippet.pause
beats.stop()
beats.start(fromBeat: beats.position)
// snippet.end

precondition(beats.tempo == 140)
withExtendedLifetime((boss, token)) {}
