//! Reverb zones, rays against walls, and portals between rooms.

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

// snippet.zones
world.zones = [
  ReverbZone(
    .box(center: [0, 2, -10], size: [12, 5, 20]),
    Reverb(.largeHall, level: -4),
    name: "hall"
  ),
  ReverbZone(
    .box(center: [12, 2, -10], size: [8, 5, 8], yaw: 15),
    Reverb(.smallRoom),
    fade: 1,
    name: "cell"
  ),
  ReverbZone(
    .hull([[0, 0, 2], [9, 0, 2], [4, 0, 12], [4, 6, 6]]),
    Reverb(efx: .cave),
    name: "cave"
  ),
]
// snippet.end

struct Level {
  func blocks(_ from: SIMD3<Float>, _ to: SIMD3<Float>) -> Bool { false }
}
let level = Level()

// snippet.rays
world.castRays(limit: 64) { ray in
  level.blocks(ray.origin, ray.target) ? .wall(-18) : .clear
}
// snippet.end

// snippet.radius
let waterfall = Emitter(playing: sound, in: world)
waterfall.position = [3, 1, -14]
waterfall.radius = 2  // five rays
waterfall.play()
// snippet.end

// snippet.portals
world.portals = [
  Portal(between: "hall", and: "cell", at: [7, 1, -10], radius: 0.6),
  Portal(between: "hall", and: nil, at: [0, 1, 0], radius: 1.5),
]
world.wallOcclusion = -36
// snippet.end

// snippet.door
world.portals[0].openness = 0.25  // a door that closes
// snippet.end

offline.render(.seconds(1))

// snippet.explain
print(world.explain(waterfall))
// snippet.end
