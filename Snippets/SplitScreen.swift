//! Two players on one screen: two listeners, one mix.

import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)

struct Camera {
  var position: SIMD3<Float>
  var ahead: SIMD3<Float>
}
let cameras = [
  Camera(position: [0, 1.7, 0], ahead: [0, 0, -1]),
  Camera(position: [80, 1.7, 20], ahead: [1, 0, 0]),
]

// snippet.listeners
world.listeners = cameras.map { camera in
  Listener(
    position: camera.position,
    orientation: Orientation(forward: camera.ahead, up: [0, 1, 0])
  )
}
// snippet.end

// snippet.one
world.listener.position = [0, 1.7, -1]  // the first player
// snippet.end

offline.render(.seconds(1))
