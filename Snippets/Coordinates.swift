//! Positions: axes, the listener's heading, angles, and the coordinates of other engines.

import Spatial3D
import Spatial3DTesting

let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let context = offline.context
let hum = TestSignal.sine(
  frequency: 110,
  duration: .seconds(1),
  format: .mono(sampleRate: 48_000)
)
let buffer = try SoundBuffer(hum, in: context)
let monster = try SoundSource(playing: buffer, in: context)
let heartbeat = try SoundSource(playing: buffer, in: context)

// snippet.axes
monster.position = [3, 0, 0]  // 3 m to the right of the origin
monster.position = [0, 2, 0]  // 2 m above it
monster.position = [0, 0, -5]  // 5 m ahead of a listener who has not turned
// snippet.end

// snippet.listener
context.listener.position = [0, 1.7, 0]  // standing
// looks along +x
context.listener.orientation = Orientation(
  forward: [1, 0, 0],
  up: [0, 1, 0]
)
// snippet.end

// snippet.polar
let listener = context.listener
// at the left ear
monster.position = listener.position(
  at: PolarPosition(azimuth: -90, distance: 3)
)
print(listener.polarPosition(of: monster.position).azimuth)  // -90
// snippet.end
precondition(
  abs(listener.polarPosition(of: monster.position).azimuth + 90) < 0.001
)

// snippet.relative
heartbeat.isListenerRelative = true
heartbeat.position = .zero  // wherever the listener goes
// snippet.end

// snippet.axesOfListener
// x to the right, y up, z backwards
let place = listener.relativePosition(of: monster.position)
let isBehind = place.z > 0 && listener.distance(to: monster.position) < 5
let speed = listener.orientation.relativeDirection(of: monster.velocity)
// in the world
let stepBack = listener.orientation.direction(ofRelative: [0, 0, 1])
// snippet.end
precondition(!isBehind && speed == .zero && stepBack == [-1, 0, 0])

// snippet.attach
monster.position = listener.relativePosition(of: monster.position)
monster.velocity = listener.orientation.relativeDirection(
  of: monster.velocity - listener.velocity
)
// sounds the same, and moves along from now on
monster.isListenerRelative = true
// snippet.end

// snippet.others
/// From x right, y ahead, z up, as in Blender.
func fromZUp(_ place: SIMD3<Float>) -> SIMD3<Float> {
  [place.x, place.z, -place.y]
}

/// From x right, y up, z ahead, as in Unity.
func fromLeftHanded(_ place: SIMD3<Float>) -> SIMD3<Float> {
  [place.x, place.y, -place.z]
}

/// From a map of pixels seen from above, x right and y down: up is ahead.
func fromMap(_ place: SIMD2<Float>, pixelsPerMetre: Float) -> SIMD3<Float> {
  [place.x / pixelsPerMetre, 0, place.y / pixelsPerMetre]
}
// snippet.end
precondition(
  fromZUp([1, 2, 3]) == [1, 3, -2]
    && fromLeftHanded([1, 2, 3]) == [1, 2, -3]
)
precondition(fromMap([64, -32], pixelsPerMetre: 32) == [2, 0, -1])

// snippet.distance
monster.attenuation = DistanceAttenuation(
  referenceDistance: 2,
  maximumDistance: 60
)
// snippet.end

// snippet.cone
monster.direction = [0, 0, -1]
monster.cone = Cone(
  innerAngle: 60,
  outerAngle: 180,
  outerGain: 0.4,
  outerHighFrequencyGain: 0.3
)
// snippet.end
