import Spatial3D

/// The scene: a sound in a room, ahead of the listener, and the obstacles in between.
final class Stand {
  /// The duration of each of ``Between/heard``, in seconds.
  static let seconds = 3.0

  static let room = Reverb(.largeChamber)
  static let place: SIMD3<Float> = [0, 0, -3]

  private let source: SoundSource

  init(of sound: PCMBuffer<Float>, in context: AudioContext) throws {
    context.reverb = Self.room
    source = try SoundSource(playing: SoundBuffer(sound, in: context), in: context)
    source.position = Self.place
    source.attenuation = DistanceAttenuation(referenceDistance: 3)
    source.reverbBlend = 0.4
    source.isLooping = true
    source.play()
  }

  /// Applies obstacles to the source.
  func put(_ between: Between) {
    source.context.withDeferredUpdates {
      source.obstruction = between.obstruction
      source.occlusion = between.occlusion
    }
  }
}
