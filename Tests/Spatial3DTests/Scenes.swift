import Foundation
import Spatial3D
import Spatial3DTesting

/// Small scenes that many tests play.
enum Scenes {
  static let rate = 48_000
  static let stereo = PCMFormat.stereo(sampleRate: rate)
  static let mono = PCMFormat.mono(sampleRate: rate)

  /// A looping, playing source of noise.
  static func noise(in context: AudioContext, at position: SIMD3<Float> = .zero) throws -> SoundSource {
    let noise = TestSignal.noise(duration: .milliseconds(500), format: mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
    source.isLooping = true
    source.position = position
    source.play()
    return source
  }

  /// A buffer of a number of silent frames.
  static func silence(frames: Int, in context: AudioContext) throws -> SoundBuffer {
    try SoundBuffer(PCMBuffer(samples: [Int16](repeating: 0, count: frames), format: mono), in: context)
  }

  /// The position at an azimuth in degrees, 0 ahead and positive right, for an unrotated listener at the origin.
  static func position(azimuth: Float, distance: Float = 1) -> SIMD3<Float> {
    let radians = azimuth * .pi / 180
    return distance * SIMD3(sin(radians), 0, -cos(radians))
  }
}
