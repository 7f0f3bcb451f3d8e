//! Ten thousand torches, of which sixty-four have a voice.

import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let noise = TestSignal.noise(
  duration: .seconds(2),
  format: .mono(sampleRate: 48_000)
)
var places = (0..<10_000).map { index in
  SIMD3<Float>(Float(index % 100), 0, Float(index / 100)) * 2
}

// snippet.torches
let world = AudioWorld(in: offline.context, voiceLimit: 64)
var flame = Sound(noise)
flame.silentBeyond = 40
let torches = places.map { place in
  let torch = Emitter(playing: flame, in: world)
  (torch.position, torch.repeats) = (place, .forever)
  torch.playbackTime = .seconds(.random(in: 0..<2))
  torch.play()
  return torch
}
// snippet.end

offline.render(.milliseconds(100))

// snippet.frame
world.update {
  world.listener.position = [40, 1.7, 40]
  world.move(torches, to: places.span)
}
// snippet.end

offline.render(.milliseconds(200))
precondition(world.voiceStatistics().real == 64)

// snippet.explain
let far = torches[9_999]
print(world.voiceStatistics())
print(world.explain(far))
// snippet.end

precondition(far.isVirtual)

// snippet.important
let speech = Emitter(playing: Sound(noise), in: world)
speech.priority = .mustBeHeard
speech.virtualBehavior = .resume
speech.play()
// snippet.end

// snippet.limit
var step = Sound(noise)
step.limit = PlaybackLimit(4, spacing: .milliseconds(40))
step.loudnessOfMany = .compensated
world.playOnce(step, at: [38, 0, 40])
// snippet.end

// snippet.events
var events: [EmitterNotification] = []
world.takeEvents(into: &events)  // once a frame
for notification in events where notification.event == .ended(.played) {
  print("\(notification.emitter) has ended.")
}
// snippet.end

offline.render(.milliseconds(100))
precondition(!speech.isVirtual)
withExtendedLifetime((torches, speech)) {}
