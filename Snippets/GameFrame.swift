//! A frame of a game loop: all changes of a frame take effect together.

import Spatial3D
import Spatial3DTesting

let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let context = offline.context
let hum = TestSignal.sine(
  frequency: 110,
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let drone = try SoundSource(
  playing: SoundBuffer(hum, in: context),
  in: context
)
let camera = (
  position: SIMD3<Float>(0, 1.7, 0), forward: SIMD3<Float>(0, 0, -1),
  up: SIMD3<Float>(0, 1, 0)
)

// snippet.polar
// 3 m to the right
drone.position = context.listener.position(
  at: PolarPosition(azimuth: 90, distance: 3)
)
// snippet.end

// snippet.once
let impact = try SoundBuffer(hum, in: context)
try context.playOnce(impact, at: [1, 0, -4], gain: 0.8)
// snippet.end

// snippet.oneShots
try context.playOnce(impact)  // at the listener
try context.playOnce(
  impact,
  at: [1, 0, -4],
  pitch: .random(in: 0.95...1.05)
) { $0.occlusion = -12 }
// snippet.end

// snippet.pool
let voices = try (0..<8).map { _ in try SoundSource(in: context) }
if let voice = voices.first(where: { $0.state != .playing }) {
  voice.buffer = impact
  voice.play()
}
// snippet.end

// snippet.frame
context.withDeferredUpdates {
  context.listener.position = camera.position
  context.listener.orientation = Orientation(
    forward: camera.forward,
    up: camera.up
  )
  drone.velocity = [0, 0, 3]
  drone.position += drone.velocity / 60
}
// snippet.end

// snippet.fades
drone.play(fadingIn: .milliseconds(500))
drone.stop(fadingOut: .seconds(2))
// snippet.end

// snippet.pause
context.suspend()  // the game is put aside
context.resume()
// snippet.end
