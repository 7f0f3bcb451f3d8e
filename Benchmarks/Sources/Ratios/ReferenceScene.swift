internal import OpenALLoops
import Spatial3DTesting

/// The same scene in a C program.
@safe final class ReferenceScene {
  /// Set once and freed only in `deinit`.
  private let scene: OpaquePointer
  /// The samples of the last mix, both channels.
  private(set) var samples = [Float](repeating: 0, count: 2 * Scene.framesPerMix)

  struct Unavailable: Error, CustomStringConvertible {
    let description = "The C program cannot open its output."
  }

  /// A scene of a loopback device, or of a device that mixes in real time.
  init(
    sourceCount: Int,
    playing tone: PCMBuffer<Float> = Scene.tone(),
    voice: Voice = .plain,
    isSpread: Bool = false,
    isLive: Bool = false
  ) throws {
    var options = openal_options()
    options.source_count = Int32(sourceCount)
    options.is_live = isLive
    options.is_spread = isSpread
    options.has_hrtf = voice == .hrtf
    options.wet = voice.wetGain
    options.direct_gain = voice.directGain
    options.direct_high_gain = voice.directHighGain
    // The library copies the samples before the call returns.
    let created = unsafe tone.samples.withUnsafeBufferPointer { samples in
      unsafe openal_scene_create(options, samples.baseAddress, Int32(samples.count), Int32(tone.format.sampleRate))
    }
    guard let created = unsafe created else { throw Unavailable() }
    unsafe scene = created
  }

  deinit { unsafe openal_scene_destroy(scene) }

  /// A program on the sources of the scene; the scene has to outlive it.
  fileprivate func makeEmitters(count: Int, soundFrames: Int) throws -> OpaquePointer {
    let program = unsafe openal_emitters_create(scene, Int32(count), Int32(soundFrames))
    guard let program = unsafe program else { throw Unavailable() }
    return unsafe program
  }

  func setGains(_ gain: Float, isDeferred: Bool = false) { unsafe openal_set_gains(scene, gain, isDeferred) }

  func setPositions(_ x: Float, isDeferred: Bool = false) { unsafe openal_set_positions(scene, x, isDeferred) }

  func setMotion(_ x: Float, _ gain: Float, isDeferred: Bool = false) {
    unsafe openal_set_motion(scene, x, gain, isDeferred)
  }

  var playingCount: Int { unsafe Int(openal_count_playing(scene)) }

  var frameSum: Int { unsafe Int(openal_sum_frames(scene)) }

  func moveAndMix(_ x: Float) {
    // The array has room for both channels of a mix.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe openal_move_and_mix(scene, x, samples.baseAddress, Int32(Scene.framesPerMix))
    }
  }
}

/// The emitters of an ``EmitterScene`` in a C program that chooses the 64 loudest, and mixes whole frames of a game.
@safe final class ReferenceEmitters {
  private let scene: ReferenceScene
  /// Set once and freed only in `deinit`, before the scene.
  private let program: OpaquePointer
  private let places: [[SIMD3<Float>]]
  private var samples = [Float](repeating: 0, count: 2 * framesPerMix)
  /// The frames of a mix: 60 in a second.
  private static let framesPerMix = 800

  init(of emitters: EmitterScene) throws {
    let noise = EmitterScene.noise
    scene = try ReferenceScene(sourceCount: 64, playing: noise)
    places = [emitters.shifted, emitters.places]
    unsafe program = try scene.makeEmitters(count: emitters.places.count, soundFrames: noise.frameCount)
    second()
  }

  deinit { unsafe openal_emitters_destroy(program) }

  /// Renders the second of ``EmitterScene/second()``.
  func second() {
    // A position of three numbers has room for four, and the samples have room for both channels of a mix.
    unsafe places[0].withUnsafeBytes { even in
      unsafe places[1].withUnsafeBytes { odd in
        unsafe samples.withUnsafeMutableBufferPointer { samples in
          unsafe openal_emitters_second(
            program,
            even.assumingMemoryBound(to: Float.self).baseAddress,
            odd.assumingMemoryBound(to: Float.self).baseAddress,
            samples.baseAddress,
            Int32(Self.framesPerMix)
          )
        }
      }
    }
  }
}
