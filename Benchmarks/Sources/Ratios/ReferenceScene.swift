internal import OpenALLoops
import Spatial3DTesting

/// The scene as a C program has it.
@safe struct ReferenceScene: ~Copyable {
  /// Set once and freed in `deinit` alone.
  private let scene: OpaquePointer

  struct Unavailable: Error {}

  init(sourceCount: Int) throws {
    let tone = Scene.tone
    // The library copies the samples before the call returns.
    let created = unsafe tone.samples.withUnsafeBufferPointer { samples in
      unsafe openal_scene_create(Int32(sourceCount), samples.baseAddress, Int32(samples.count))
    }
    guard let created = unsafe created else { throw Unavailable() }
    unsafe scene = created
  }

  deinit { unsafe openal_scene_destroy(scene) }

  func setGains(_ gain: Float, isDeferred: Bool = false) { unsafe openal_set_gains(scene, gain, isDeferred) }

  func setPositions(_ x: Float, isDeferred: Bool = false) { unsafe openal_set_positions(scene, x, isDeferred) }

  func setMotion(_ x: Float, _ gain: Float, isDeferred: Bool = false) {
    unsafe openal_set_motion(scene, x, gain, isDeferred)
  }

  var playingCount: Int { unsafe Int(openal_count_playing(scene)) }
}
