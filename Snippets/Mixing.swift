//! The buses of a game: sliders, a pause menu, ducking, snapshots, and an audio session.

import Foundation
import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)
let sound = Sound(
  TestSignal.noise(
    duration: .seconds(2),
    format: .mono(sampleRate: 48_000)
  )
)

// snippet.buses
let mixer = world.mixer
let music = mixer.makeBus("music", kind: .direct)
let sfx = mixer.makeBus("sfx")
let steps = mixer.makeBus("steps", in: sfx)
let speech = mixer.makeBus("speech")
world.playOnce(sound, at: [2, 0, -1], on: steps)
// snippet.end

// snippet.gains
music.gain = 0.5
sfx.gain = .decibels(-6)
// snippet.end
(music.gain, sfx.gain) = (.unity, .unity)

// snippet.sliders
mixer.main.gain = .decibels(-3)  // master
music.fade(to: .decibels(-10), Fade(.milliseconds(200)))
sfx.isMuted = false
// snippet.end

// snippet.options
/// The gain of a slider from 0 to 1: a half sounds half as loud.
func gain(ofSlider value: Float) -> Gain {
  value > 0 ? .decibels(Decibels(10 * log2(min(value, 1)))) : .silence
}
let sliders: [BusName: Float] = ["main": 0.9, "music": 0.5, "speech": 0]
var options = MixSnapshot()
for (bus, value) in sliders {
  options[bus].gain = gain(ofSlider: value)
}
mixer.apply(options, Fade(.milliseconds(50)))
let stored = try JSONEncoder().encode(options)
// At the next start:
mixer.apply(try JSONDecoder().decode(MixSnapshot.self, from: stored))
// snippet.end
offline.render(.milliseconds(100))
precondition(abs(music.gain.decibels.rawValue + 10) < 0.01)
precondition(speech.gain == .silence)

// snippet.pause
sfx.pause(Fade(.milliseconds(100)))  // the music plays on
sfx.resume(Fade(.milliseconds(100)))
// snippet.end

// snippet.ducking
music.duck(under: speech, Ducking(by: -12))
sfx.duck(
  under: speech,
  Ducking(by: -6, attack: .milliseconds(50), release: .seconds(1))
)
// snippet.end

// snippet.snapshots
let calm = mixer.snapshot()
var underwater = calm
underwater["main"].high = -24
underwater["music"].gain = .decibels(-6)
mixer.apply(underwater, Fade(.seconds(1)))
mixer.apply(calm.blended(with: underwater, 0.5), Fade(.seconds(1)))
// snippet.end

// snippet.effects
let hall = try EffectUnit(.reverb(Reverb(.largeHall)), in: world.context)
sfx.send(to: hall, gain: .decibels(-9), Fade(.milliseconds(500)))
// snippet.end

// snippet.session
let session = AudioSession()
try session.activate()
let following = world.follow(session, resuming: .players())
music.mutesWithOtherAudio = true
// snippet.end

offline.render(.seconds(3))
precondition(!world.context.isSuspended)
session.report(.phoneCallBegan)
precondition(world.context.isSuspended)
session.report(.phoneCallEnded(shouldResume: true))
precondition(!world.context.isSuspended)
withExtendedLifetime(following) {}
