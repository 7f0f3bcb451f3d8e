//! A saved game: the values of a scene as JSON, and a scene made of them again.

import Foundation
import Spatial3D
import Spatial3DTesting

let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let context = offline.context
let growl = TestSignal.noise(
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let monster = try SoundSource(
  playing: SoundBuffer(growl, in: context),
  in: context
)
monster.position = [3, 0, -4]
monster.occlusion = -18
context.reverb = Reverb(.cathedral, level: -6)

// snippet.types
struct SavedScene: Codable {
  var listener = Listener()
  var reverb: Reverb?
  var monster = SavedSource()
}

struct SavedSource: Codable {
  var position = SIMD3<Float>.zero
  var gain: Gain = 1
  var occlusion: Decibels = 0
  var attenuation = DistanceAttenuation()
  var frame = 0
  var isPlaying = false
}
// snippet.end

// snippet.save
let scene = SavedScene(
  listener: context.listener,
  reverb: context.reverb,
  monster: SavedSource(
    position: monster.position,
    gain: monster.gain,
    occlusion: monster.occlusion,
    attenuation: monster.attenuation,
    frame: monster.playbackFrame,
    isPlaying: monster.state == .playing
  )
)
let file = try JSONEncoder().encode(scene)
// snippet.end

context.listener = Listener(gain: 0.5)
context.reverb = nil
monster.position = .zero

// snippet.load
let saved = try JSONDecoder().decode(SavedScene.self, from: file)
context.withDeferredUpdates {
  context.listener = saved.listener
  context.reverb = saved.reverb
  monster.position = saved.monster.position
  monster.gain = saved.monster.gain
  monster.occlusion = saved.monster.occlusion
  monster.attenuation = saved.monster.attenuation
}
monster.rewind()
monster.playbackFrame = saved.monster.frame
if saved.monster.isPlaying { monster.play() }
// snippet.end
precondition(
  context.listener == scene.listener && context.reverb == scene.reverb
)
precondition(monster.position == [3, 0, -4] && monster.occlusion == -18)
